"""Signing, the disk image, notarising: a Mac's tools played by a script that writes down."""

import os
import subprocess
from pathlib import Path

import pytest

from tests.packaging.binaries import mach

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
# Each argument in a line of its own: a name with spaces has to come as one.
TOOL = """#!/bin/sh
{ echo "$(basename "$0")"; printf ' %s\\n' "$@"; } >>"$TOLD"
case "$(basename "$0")" in
    uname) echo Darwin ;;
    hdiutil) for image; do :; done; echo image >"$image" ;;
esac
[ "$(basename "$0") $1" != "$REFUSES" ]
"""
TOOLS = ("codesign", "ditto", "hdiutil", "spctl", "uname", "xcrun")


class Mac:
    """A folder of tools, and an app in a folder with a space."""

    def __init__(self, folder: Path) -> None:
        self.told, self._tools = folder / "told", folder / "tools"
        self._tools.mkdir()
        for name in TOOLS:
            (self._tools / name).write_text(TOOL)
            (self._tools / name).chmod(0o755)
        self.app = folder / "two words" / "Draftscope.app"
        for path, data in {
            "MacOS/Draftscope": mach(),
            "Frameworks/libmlx.dylib": mach(),
            "Frameworks/Qt lib/QtCore.framework/Versions/A/QtCore": mach(),
            "Resources/words.txt": b"words",
            "Resources/empty": b"",
        }.items():
            (self.app / "Contents" / path).parent.mkdir(parents=True, exist_ok=True)
            (self.app / "Contents" / path).write_bytes(data)

    def run(self, script: str, *arguments: Path, refuses: str = "", **variables: str) -> int:
        """Its exit status; afterwards `commands` has what it ran."""
        self.told.write_text("")
        names = {"PATH": f"{self._tools}:{os.environ['PATH']}", "TOLD": str(self.told)}
        done = subprocess.run(
            ["/bin/sh", str(PACKAGING / script), *map(str, arguments)],
            env={**os.environ, **names, "REFUSES": refuses, **variables},
            stdout=subprocess.DEVNULL,
            check=False,
        )
        return done.returncode

    @property
    def commands(self) -> list[list[str]]:
        """Each command with its arguments, without those that only ask for the system."""
        found: list[list[str]] = []
        for line in self.told.read_text().splitlines():
            if line.startswith(" "):
                found[-1].append(line[1:])
            else:
                found.append([line])
        return [command for command in found if command[0] != "uname"]


@pytest.fixture
def mac(tmp_path: Path) -> Mac:
    return Mac(tmp_path)


def test_an_app_is_signed_from_the_inside_out(mac: Mac) -> None:
    assert mac.run("sign.sh", mac.app, DRAFTSCOPE_SIGN_IDENTITY="Some One (X)") == 0
    *signed, verified = mac.commands
    assert verified == ["codesign", "--verify", "--deep", "--strict", str(mac.app)]
    for command in signed:
        assert command[command.index("--sign") + 1] == "Some One (X)"
        assert {"--force", "--timestamp", "runtime"} <= set(command)
    order = [Path(command[-1]).name for command in signed]
    assert set(order[:2]) == {"libmlx.dylib", "QtCore"}
    assert order[2:] == ["QtCore.framework", "Draftscope.app"]
    assert ["--entitlements" in command for command in signed] == [False, False, False, True]


def test_a_signature_that_is_refused_ends_it(mac: Mac) -> None:
    assert mac.run("sign.sh", mac.app, refuses="codesign --force", DRAFTSCOPE_SIGN_IDENTITY="X")
    assert len(mac.commands) == 1


@pytest.mark.parametrize("identity", ["", "Some One (X)"])
def test_an_image_holds_the_app_and_a_way_to_applications(mac: Mac, identity: str) -> None:
    assert mac.run("dmg.sh", mac.app, DRAFTSCOPE_SIGN_IDENTITY=identity) == 0
    copied, made, *signed = mac.commands
    assert copied[:2] == ["ditto", str(mac.app)]
    image = Path(made[-1])
    assert image.parent == mac.app.parent
    assert image.is_file()
    assert not Path(made[made.index("-srcfolder") + 1]).exists()
    assert signed == (
        [["codesign", "--timestamp", "--sign", identity, str(image)]] if identity else []
    )


@pytest.mark.parametrize("keychain", ["", "/a b/draftscope.keychain-db"])
def test_an_image_is_notarised_with_the_profile(mac: Mac, keychain: str, tmp_path: Path) -> None:
    image = tmp_path / "an image.dmg"
    image.write_bytes(b"image")
    names = {"DRAFTSCOPE_NOTARY_PROFILE": "me", "DRAFTSCOPE_NOTARY_KEYCHAIN": keychain}
    assert mac.run("notarise.sh", image, **names) == 0
    submitted, stapled, assessed = mac.commands
    more = ["--keychain", keychain] if keychain else []
    asked = ["notarytool", "submit", str(image), "--keychain-profile", "me", *more, "--wait"]
    assert submitted == ["xcrun", *asked]
    assert stapled == ["xcrun", "stapler", "staple", str(image)]
    assert assessed[0] == "spctl"
    assert mac.run("notarise.sh", image, refuses="xcrun stapler", **names) == 1
