"""The scripts refuse in one sentence; the workflows are YAML and name what is in the repository."""

import os
import plistlib
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import informing
import pytest
import yaml

REPOSITORY = Path(__file__).resolve().parents[2]
PACKAGING = REPOSITORY / "packaging"
WORKFLOWS = sorted((REPOSITORY / ".github" / "workflows").glob("*.yml"))


def run(script: str, *arguments: str, system: str, tmp_path: Path, **variables: str) -> str:
    """What a script says on a system of this name; it has to refuse."""
    (tmp_path / "uname").write_text(f"#!/bin/sh\necho {system}\n")
    (tmp_path / "uname").chmod(0o755)
    hidden = {"DRAFTSCOPE_SIGN_IDENTITY", "DRAFTSCOPE_NOTARY_PROFILE", "DRAFTSCOPE_PYTHON"}
    environment = {key: value for key, value in os.environ.items() if key not in hidden}
    environment |= {"PATH": f"{tmp_path}:{os.environ['PATH']}", **variables}
    done = subprocess.run(
        ["/bin/sh", str(PACKAGING / script), *arguments],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("draftscope: ")
    return done.stderr


@pytest.mark.parametrize("script", ["sign.sh", "notarise.sh", "dmg.sh"])
def test_what_needs_a_mac_says_so_elsewhere(script: str, tmp_path: Path) -> None:
    assert "this is Linux" in run(script, system="Linux", tmp_path=tmp_path)


@pytest.mark.parametrize(
    ("script", "variable"),
    [("sign.sh", "DRAFTSCOPE_SIGN_IDENTITY"), ("notarise.sh", "DRAFTSCOPE_NOTARY_PROFILE")],
)
def test_a_missing_variable_is_named(script: str, variable: str, tmp_path: Path) -> None:
    assert variable in run(script, system="Darwin", tmp_path=tmp_path)


@pytest.mark.parametrize(
    ("script", "variables"),
    [
        ("sign.sh", {"DRAFTSCOPE_SIGN_IDENTITY": "x"}),
        ("dmg.sh", {}),
        ("notarise.sh", {"DRAFTSCOPE_NOTARY_PROFILE": "x"}),
    ],
)
def test_what_is_not_there_is_not_signed(
    script: str, variables: dict[str, str], tmp_path: Path
) -> None:
    nowhere = str(tmp_path / "nowhere")
    said = run(script, nowhere, system="Darwin", tmp_path=tmp_path, **variables)
    assert "there is no" in said or "name the image" in said


def test_other_systems_get_no_bundle(tmp_path: Path) -> None:
    folders = {
        "DRAFTSCOPE_BUILD": str(tmp_path / "build"),
        "DRAFTSCOPE_DIST": str(tmp_path / "dist"),
    }
    said = run("build.sh", system="Plan9", tmp_path=tmp_path, **folders)
    assert "not on Plan9" in said


@pytest.mark.parametrize("script", sorted(PACKAGING.glob("*.sh")), ids=lambda path: path.name)
def test_the_shell_can_read_it(script: Path) -> None:
    subprocess.run(["/bin/sh", "-n", str(script)], check=True)


def test_no_exception_to_the_hardened_runtime_is_asked_for() -> None:
    assert plistlib.loads((PACKAGING / "entitlements.plist").read_bytes()) == {}


def test_info_has_the_version_and_can_be_written() -> None:
    info = informing.info_plist("4.5.6")
    assert plistlib.loads(plistlib.dumps(info)) == info
    assert info["CFBundleShortVersionString"] == info["CFBundleVersion"] == "4.5.6"
    assert info["LSMinimumSystemVersion"] == "14.0"
    types = {one["UTTypeIdentifier"] for one in _list(info["UTExportedTypeDeclarations"])}
    handled = {
        kind for one in _list(info["CFBundleDocumentTypes"]) for kind in one["LSItemContentTypes"]
    }
    assert types == {informing.TRACE_TYPE}
    assert handled == {informing.TRACE_TYPE, informing.CHAT_TYPE}


def _list(value: object) -> list[dict[str, Any]]:
    assert isinstance(value, list)
    return value


@pytest.mark.parametrize("file", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_names_what_is_there(file: Path) -> None:
    workflow = yaml.safe_load(file.read_text(encoding="utf-8"))
    # YAML 1.1 reads the key `on` as true.
    assert workflow.get("on", workflow.get(True))
    assert workflow["permissions"] == {"contents": "read"}
    commands = []
    for job in workflow["jobs"].values():
        assert job["runs-on"]
        assert job["timeout-minutes"] <= 90
        for step in job["steps"]:
            assert ("run" in step) != ("uses" in step)
            commands.append(step.get("run", ""))
            if "uses" in step:
                assert re.fullmatch(r"actions/[a-z-]+@v\d+", step["uses"])
    text = "\n".join(commands)
    subprocess.run(
        ["/bin/bash", "-n"], input=re.sub(r"\$\{\{.*?\}\}", "", text), text=True, check=True
    )
    paths = re.findall(r"(?:packaging|tests|resources|\.ci)/[\w./-]+", text)
    assert paths
    for path in paths:
        assert (REPOSITORY / path).exists(), path
    secrets = re.findall(r"secrets\.\w+", text)
    assert not secrets, "a secret goes into a variable, never into a command"


def test_both_systems_are_built() -> None:
    assert {file.name for file in WORKFLOWS} == {"linux.yml", "macos.yml"}


def test_the_icon_is_a_whole_container() -> None:
    data = (REPOSITORY / "resources" / "icon.icns").read_bytes()
    assert data[:4] == b"icns"
    assert int.from_bytes(data[4:8], "big") == len(data)
    widths, at = [], 8
    while at < len(data):
        length = int.from_bytes(data[at + 4 : at + 8], "big")
        picture = data[at + 8 : at + length]
        assert picture.startswith(b"\x89PNG\r\n")
        widths.append(int.from_bytes(picture[16:20], "big"))
        at += length
    assert at == len(data)
    assert sorted(set(widths)) == [16, 32, 64, 128, 256, 512, 1024]


def test_the_icon_is_the_drawing(tmp_path: Path) -> None:
    shutil.copytree(PACKAGING, tmp_path / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "resources").mkdir()
    shutil.copy(REPOSITORY / "resources" / "icon.svg", tmp_path / "resources")
    script = tmp_path / "packaging" / "icon.py"
    subprocess.run([sys.executable, str(script), str(tmp_path / "all")], check=True)
    assert len(list((tmp_path / "all").glob("icon-*.png"))) == 7
    assert (tmp_path / "resources" / "icon.icns").read_bytes()[:4] == b"icns"


def test_what_builds_is_named_once() -> None:
    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert any(one.startswith("pyinstaller") for one in project["optional-dependencies"]["package"])
