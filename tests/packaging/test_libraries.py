"""The compiled files of a bundle: whole, and each finds what it asks for."""

import _sqlite3
import _ssl
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from facts import Facts
from linkage import wanted_libraries

from tests.packaging.binaries import elf, fat, mach
from tests.packaging.trees import content, found, make_tree, place


@pytest.mark.parametrize("keep", [0, 10, 100, 0.5, -1])
def test_a_library_that_was_cut_is_damaged(
    root: Path, system: str, facts: Facts, keep: float
) -> None:
    file = place(root, system, "safetensors/_safetensors_rustx.so")
    data = file.read_bytes()
    file.write_bytes(data[: int(keep * len(data)) if 0 < keep < 1 else int(keep)])
    told = found(root, facts)
    assert any("_safetensors_rustx.so is damaged" in fault for fault in told), told


@pytest.mark.parametrize(
    ("system", "name", "is_there"),
    [
        ("linux", "libxcb-icccm.so.4", False),
        ("linux", "libmlx.so", True),
        ("linux", "libc.so.6", True),
        ("linux", "libGL.so.1", True),
        ("macos", "/opt/local/lib/libssl.3.dylib", False),
        ("macos", "@rpath/libshibokenx.dylib", False),
        ("macos", "@rpath/libmlx.dylib", True),
        ("macos", "@rpath/QtCore.framework/Versions/A/QtCore", True),
        ("macos", "/usr/lib/libSystem.B.dylib", True),
        ("macos", "/System/Library/Frameworks/Metal.framework/Versions/A/Metal", True),
    ],
)
def test_a_library_that_another_asks_for_is_there(
    tmp_path: Path, facts: Facts, system: str, name: str, *, is_there: bool
) -> None:
    root = make_tree(tmp_path / "bundle", system)
    path = "hf_xet/hf_xetx.so"
    made = mach([name]) if system == "macos" else elf([name])
    for data in (made, fat(made)) if system == "macos" else (made,):
        place(root, system, path).write_bytes(data)
        expected = [] if is_there else [f"{path} asks for {name}, which is missing."]
        assert found(root, facts) == expected


def test_a_library_for_another_machine_is_of_no_use(tmp_path: Path, facts: Facts) -> None:
    root = make_tree(tmp_path / "bundle", "macos")
    place(root, "macos", "hf_xet/hf_xetx.so").write_bytes(fat(mach(), machine=7))
    (fault,) = found(root, facts)
    assert "nothing for Apple silicon" in fault


def test_libraries_of_this_system_are_read_as_its_own_tools_read_them() -> None:
    if sys.platform != "linux":
        pytest.skip("the tool is one of Linux")
    tool = shutil.which("objdump")
    for module in (_ssl, _sqlite3):
        names = wanted_libraries(Path(module.__file__))
        assert any(name.startswith("libc.so") for name in names)
        if tool is not None:
            told = subprocess.run([tool, "-p", module.__file__], capture_output=True, text=True)
            assert list(names) == re.findall(r"NEEDED\s+(\S+)", told.stdout)


def test_links_stay_inside(root: Path, system: str, facts: Facts, tmp_path: Path) -> None:
    link = place(root, system, "libextra.so")
    (tmp_path / "outside.so").write_bytes(content(system, "outside.so"))
    link.symlink_to(tmp_path / "outside.so")
    assert any("libextra.so is a link out of the bundle" in fault for fault in found(root, facts))
    link.unlink()
    link.symlink_to("nothing.so")
    assert any("libextra.so is a link to nowhere" in fault for fault in found(root, facts))


def test_a_library_that_nothing_asks_for_stays_out(tmp_path: Path, facts: Facts) -> None:
    root = make_tree(tmp_path / "bundle", "linux")
    place(root, "linux", "libsystemd.so.0").write_bytes(elf())
    assert found(root, facts) == ["libsystemd.so.0 is a library that nothing asks for."]
