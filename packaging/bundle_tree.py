"""A bundle's files by the paths that Python sees, the same for Draftscope.app and for Linux."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

_DOT = "__dot__"  # a dot in the name of a folder with code, which macOS reserves for frameworks


@dataclass(frozen=True, slots=True)
class BundleTree:
    """`files` are the bundle's, by their path from the folder of modules; links to files too."""

    root: Path
    is_mac: bool
    files: dict[str, Path]

    @classmethod
    def of(cls, root: Path) -> "BundleTree | None":
        """The bundle at `root`, None where there is none."""
        if (root / "Contents").is_dir():
            parts = [root / "Contents" / "Resources", root / "Contents" / "Frameworks"]
            return cls(root, True, {k: v for part in parts for k, v in _files(part)})
        if (root / "_internal").is_dir():
            return cls(root, False, dict(_files(root / "_internal")))
        return None

    @property
    def executable(self) -> Path:
        """What a person starts."""
        return self.root / ("Contents/MacOS/Draftscope" if self.is_mac else "draftscope")

    def matching(self, pattern: str) -> list[str]:
        """The paths that a shell pattern means; a star matches slashes too."""
        return [path for path in self.files if fnmatchcase(path, pattern)]

    def all_files(self) -> Iterator[Path]:
        """Every real file once, the executable and what lies beside the modules included."""
        for path in sorted(self.root.rglob("*")):
            if path.is_file() and not path.is_symlink():
                yield path

    def sizes(self) -> dict[str, int]:
        """Bytes by part, a part being a top folder of the modules; single files stand together."""
        sizes: dict[str, int] = {}
        for path in self.all_files():
            part = _part(path.relative_to(self.root).as_posix())
            sizes[part] = sizes.get(part, 0) + path.stat().st_size
        return sizes


def _part(path: str) -> str:
    inside = re.sub(r"^(Contents/(Resources|Frameworks)|_internal)/", "", path)
    if inside == path:
        return "the program and its archive of modules"
    top, slash, _ = inside.partition("/")
    if not slash:
        return "libraries beside the modules"
    return "metadata" if top.endswith((".dist-info", ".egg-info")) else top.replace(_DOT, ".")


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Files below `folder`; a link to a folder is not followed, one to nowhere is no file."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield path.relative_to(folder).as_posix().replace(_DOT, "."), path
