"""The program of a bundle, what is packed into it, and modules beside it."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from facts import Facts

from tests.packaging.trees import PACKED, found, name_of, packed, place, write_program


def test_each_packed_module_is_missed(root: Path, system: str, facts: Facts) -> None:
    for path in sorted(PACKED):
        name = name_of(path)
        write_program(root, system, {key: code for key, code in packed().items() if key != name})
        assert found(root, facts) == [f"The module {name} is missing from the program."]


@pytest.mark.parametrize("name", ["numpy.tests.test_array", "pytest", "PyInstaller.building"])
def test_what_does_not_belong_is_found_in_the_program(
    root: Path, system: str, facts: Facts, name: str
) -> None:
    write_program(root, system, {**packed(), name: b"code"})
    assert found(root, facts) == [f"The module {name} does not belong into the program."]


def test_a_folder_of_the_build_is_found_where_it_is_packed(
    root: Path, system: str, facts: Facts
) -> None:
    name = name_of(min(PACKED))
    where = str(facts.built_in[0])
    write_program(root, system, {**packed(), name: b"x" * 500 + where.encode() + b"/app.py"})
    (fault,) = found(root, facts)
    assert fault == f"The module {name} in the program names the build's folder {where}."
    write_program(root, system, packed())
    with zipfile.ZipFile(place(root, system, "base_library.zip"), "a") as archive:
        archive.writestr("os.pyc", b"y" * 500 + where.encode(), zipfile.ZIP_DEFLATED)
    assert found(root, facts) == [f"os.pyc in base_library.zip names the build's folder {where}."]


@pytest.mark.parametrize("length", [0, 100, 600, -1, -60, -200])
def test_a_program_that_was_cut_is_damaged(
    root: Path, system: str, facts: Facts, length: int
) -> None:
    file = write_program(root, system, packed())
    file.write_bytes(file.read_bytes()[:length])
    assert any("The program" in fault and "is damaged" in fault for fault in found(root, facts))


def test_a_program_that_may_not_be_executed_is_told(root: Path, system: str, facts: Facts) -> None:
    write_program(root, system, packed()).chmod(0o644)
    (fault,) = found(root, facts)
    assert "may not be executed" in fault


@pytest.mark.parametrize(
    ("path", "change"),
    [
        ("transformers/models/auto/modeling_auto.py", lambda data: data + b"\n"),
        ("mlx_lm/models/llama.pyc", lambda data: data[:20]),
        ("mlx_lm/models/llama.pyc", lambda data: b"old!" + data[4:]),
    ],
)
def test_a_module_is_the_one_that_is_installed(
    root: Path, system: str, facts: Facts, path: str, change: Callable[[bytes], bytes]
) -> None:
    file = place(root, system, path)
    file.write_bytes(change(file.read_bytes()))
    (fault,) = found(root, facts)
    assert fault.endswith("is not the one that is installed.")


def test_a_damaged_archive_beside_the_modules_is_told(
    root: Path, system: str, facts: Facts
) -> None:
    file = place(root, system, "base_library.zip")
    file.write_bytes(file.read_bytes()[:-30])
    (fault,) = found(root, facts)
    assert fault.startswith("base_library.zip is damaged")
