"""Collects the licences of everything a bundle holds into one text, from installed metadata.

Run by the Python of the build: `python packaging/licences.py FILE`. Fails when a package has none.
"""

import re
import sys
import sysconfig
from dataclasses import dataclass
from importlib.metadata import Distribution, distributions
from pathlib import Path

import contents

_FILE = re.compile(r"(.*/)?(licen[cs]e|copying|notice)[^/]*$", re.IGNORECASE)
_CODE = re.compile(r"\.(py|pyc|json)$")
_TOOLS = {"pip", "setuptools", "wheel", *contents.BUILD_TOOLS}
# What stands between the list of packages and each text.
RULE = "=" * 78
_HERE = Path(__file__).resolve().parent
# Texts for packages that name a licence and bring none of it.
_TEXTS = {
    "LGPL-3.0": (_HERE / "licences" / "LGPL-3.0.txt", _HERE / "licences" / "GPL-3.0.txt"),
    "Apache": (_HERE.parent / "LICENSE",),
}


@dataclass(frozen=True, slots=True)
class Licence:
    """One package's name, version, the licence its metadata names, and the texts it brings."""

    package: str
    version: str
    name: str
    texts: tuple[str, ...]

    @property
    def is_known(self) -> bool:
        """Whether there is a text to show, the package's own or that of the licence it names."""
        return bool(self.texts)


def collect() -> list[Licence]:
    """Every installed package that goes into a bundle, by name; Python itself comes last."""
    found = [_licence(package) for package in distributions() if not _is_tool(package)]
    return [*sorted(found, key=lambda one: one.package.lower()), _python()]


def as_text(licences: list[Licence]) -> str:
    """One text for a person: a list, then the text of every licence."""
    lines = ["Draftscope is made with the following software.", ""]
    lines += [f"{one.package} {one.version}: {one.name or 'see below'}" for one in licences]
    for one in licences:
        lines += ["", RULE, f"{one.package} {one.version}", f"Licence: {one.name or 'below'}", ""]
        lines += one.texts
    return "\n".join(lines) + "\n"


def _is_tool(package: Distribution) -> bool:
    return package.name.lower().replace("_", "-") in _TOOLS


def _licence(package: Distribution) -> Licence:
    texts: dict[str, None] = {}
    for file in package.files or ():
        if _FILE.match(str(file)) and not _CODE.search(str(file)):
            path = Path(str(package.locate_file(file)))
            if path.is_file():
                texts[path.read_text(encoding="utf-8", errors="replace").strip()] = None
    name = _name(package)
    return Licence(package.name, package.version, name, tuple(texts) or _text_of(name))


def _text_of(name: str) -> tuple[str, ...]:
    """The texts that belong to a licence of this name, none where it is not one we have."""
    for start, files in _TEXTS.items():
        if name.startswith(start):
            return tuple(file.read_text(encoding="utf-8").strip() for file in files)
    return ()


def _name(package: Distribution) -> str:
    """The licence as the metadata names it: an expression, a line, or classifiers."""
    said = package.metadata
    if expression := said.get("License-Expression"):
        return str(expression)
    line = str(said.get("License") or "").strip()
    if line and "\n" not in line and line.upper() != "UNKNOWN":
        return line
    classifiers = said.get_all("Classifier") or []
    kinds = [one.split(" :: ")[-1] for one in classifiers if one.startswith("License ::")]
    return ", ".join(kinds) or line.partition("\n")[0]


def _python() -> Licence:
    version = sys.version.partition(" ")[0]
    file = Path(sysconfig.get_path("stdlib")) / "LICENSE.txt"
    texts = (file.read_text(encoding="utf-8").strip(),) if file.is_file() else ()
    return Licence("Python", version, "PSF-2.0", texts)


def main(arguments: list[str]) -> int:
    """Write the text; 1 and a sentence where a package has no licence."""
    if len(arguments) != 1:
        sys.stderr.write("draftscope: give the one file that the licences go to.\n")
        return 2
    licences = collect()
    unknown = [one.package for one in licences if not one.is_known]
    if unknown:
        names = ", ".join(unknown)
        sys.stderr.write(
            f"draftscope: there is no licence text of {names}; add one or leave it out.\n"
        )
        return 1
    Path(arguments[0]).write_text(as_text(licences), encoding="utf-8")
    sys.stdout.write(f"draftscope: licences of {len(licences)} packages\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
