"""Every package has the text of its licence in the bundle, or there is no bundle."""

import importlib.metadata
from pathlib import Path

import licences
import pytest
from licences import Licence, as_text, main


class FakePackage(importlib.metadata.Distribution):
    """An installed package with this metadata and these files."""

    def __init__(self, folder: Path, metadata: str, files: dict[str, str]) -> None:
        self._folder, self._metadata, self._files = folder, metadata, files
        for name, text in files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")

    def read_text(self, filename: str) -> str | None:
        if filename == "METADATA":
            return self._metadata
        if filename == "RECORD":
            return "".join(f"{name},,\n" for name in self._files)
        return None

    def locate_file(self, path: object) -> Path:
        return self._folder / str(path)


def install(
    monkeypatch: pytest.MonkeyPatch, folder: Path, said: str, files: dict[str, str]
) -> None:
    metadata = f"Metadata-Version: 2.1\nName: odd\nVersion: 7\n{said}\n"
    package = FakePackage(folder, metadata, files)
    monkeypatch.setattr(licences, "distributions", lambda: [package])


def written(folder: Path) -> str:
    return (folder / "out.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("said", "named"),
    [
        ("License-Expression: MIT", "odd 7: MIT"),
        ("License: Own terms", "odd 7: Own terms"),
        ("Classifier: License :: OSI Approved :: BSD License", "odd 7: BSD License"),
    ],
)
def test_a_licence_is_told_with_its_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, named: str
) -> None:
    files = {"odd.dist-info/licenses/LICENSE.md": "do what you like", "odd/license.py": "code"}
    install(monkeypatch, tmp_path, said, files)
    assert main([str(tmp_path / "out.txt")]) == 0
    text = written(tmp_path)
    assert named in text
    assert "do what you like" in text
    assert "code" not in text.partition("Python")[0]


def test_a_known_licence_without_its_text_gets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, tmp_path, "License-Expression: LGPL-3.0-only OR GPL-2.0-only", {})
    assert main([str(tmp_path / "out.txt")]) == 0
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in written(tmp_path)
    assert "GNU GENERAL PUBLIC LICENSE" in written(tmp_path)


@pytest.mark.parametrize("said", ["Summary: nothing", "License-Expression: Unheard-Of-1.0"])
def test_a_package_without_a_text_stops_the_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    install(monkeypatch, tmp_path, said, {})
    assert main([str(tmp_path / "out.txt")]) == 1
    assert "no licence text of odd" in capsys.readouterr().err
    assert not (tmp_path / "out.txt").exists()


def test_what_builds_is_not_told_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tool = FakePackage(tmp_path, "Metadata-Version: 2.1\nName: PyInstaller\nVersion: 6\n", {})
    monkeypatch.setattr(licences, "distributions", lambda: [tool])
    assert [one.package for one in licences.collect()] == ["Python"]


def test_the_text_lists_first_and_then_tells() -> None:
    text = as_text([Licence("a", "1", "MIT", ("text of a",)), Licence("b", "2", "", ("of b",))])
    assert text.index("b 2: see below") < text.index("text of a") < text.index("of b")
