"""A bundle of either system is sound, and is not with any one thing missing or too much."""

import plistlib
from collections.abc import Callable
from pathlib import Path

import contents
import needed
import pytest
from check import main
from facts import Facts

from tests.packaging.binaries import elf
from tests.packaging.trees import content, found, make_tree, needed_paths, place

# The whole check runs once for each thing.
NUM_PARTS = 6


def test_a_whole_bundle_is_sound(root: Path, facts: Facts) -> None:
    assert found(root, facts) == []


@pytest.mark.parametrize("part", range(NUM_PARTS))
def test_each_needed_thing_is_missed_by_name(
    root: Path, system: str, facts: Facts, part: int
) -> None:
    paths = list(needed_paths(system))
    assert len(paths) > 40
    for path in paths[part::NUM_PARTS]:
        file = place(root, system, path)
        hidden = file.with_name("hidden")
        file.rename(hidden)
        told = " ".join(found(root, facts))
        hidden.rename(file)
        name = path.removesuffix("c").removesuffix(".py").rpartition("/")[2]
        if path.endswith("METADATA"):
            name = f"metadata of {path.partition('-')[0]} "
        assert name.replace("x", "") in told.replace("*", "").replace("x", ""), path


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("numpy/tests/test_array.py", "does not belong"),
        ("mlx/include/mlx/array.h", "does not belong"),
        ("transformers/models/qwen2/modeling_qwen2.py", "does not belong"),
        ("PySide6/Qt/lib/libQt6Quick.so.6", "part of Qt that nothing uses"),
        ("PySide6/Qt/lib/QtQuick.framework/Versions/A/QtQuick", "part of Qt that nothing uses"),
        ("PySide6/QtQml.abi3.so", "part of Qt that nothing uses"),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", "part of Qt that nothing uses"),
        ("PySide6/Qt/translations/qt_de.qm", "does not belong"),
        ("python3.13/lib-dynload/readline.cpython-313-x.so", "does not belong"),
        ("PySide6/QtNetwork.abi3.so", "part of Qt that nothing uses"),
    ],
)
def test_what_is_too_much_is_named(
    root: Path, system: str, facts: Facts, path: str, said: str
) -> None:
    file = place(root, system, path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content(system, path))
    (fault,) = found(root, facts)
    assert path in fault
    assert said in fault


def test_a_folder_of_the_build_is_found_in_code(root: Path, system: str, facts: Facts) -> None:
    file = place(root, system, "tokenizers/tokenizersx.so")
    file.write_bytes(file.read_bytes() + str(facts.built_in[1]).encode() + b"/venv/lib\0")
    (fault,) = found(root, facts)
    assert "tokenizersx.so" in fault
    assert str(facts.built_in[1]) in fault


def test_a_bundle_over_its_budget_is_refused(
    root: Path, system: str, facts: Facts, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "BUDGET_MB_MAC" if system == "macos" else "BUDGET_MB_LINUX"
    monkeypatch.setattr(needed, name, 1)
    place(root, system, "mlx/core.cpython-x.so").write_bytes(elf() + bytes(1_950_000))
    assert found(root, facts) == ["The bundle has 2.0 MB; its budget is 1 MB."]


def test_a_changed_resource_is_noticed(root: Path, system: str, facts: Facts) -> None:
    place(root, system, "resources/models/demo/tokenizer.json").write_text("other")
    (fault,) = found(root, facts)
    assert "tokenizer.json is not the one" in fault


def _without_kernels_beside_the_link(app: Path) -> None:
    (app / "Contents" / "Frameworks" / "mlx.metallib").unlink()


def _with_a_dangling_link(app: Path) -> None:
    (app / "Contents" / "Resources" / "mlx" / "lib" / "mlx.metallib").unlink()


def _without_info(app: Path) -> None:
    (app / "Contents" / "Info.plist").unlink()


def _with_a_forced_look(app: Path) -> None:
    file = app / "Contents" / "Info.plist"
    info = {**plistlib.loads(file.read_bytes()), "NSRequiresAquaSystemAppearance": True}
    file.write_bytes(plistlib.dumps(info))


def _with_other_kernels(app: Path) -> None:
    (app / "Contents" / "Resources" / "mlx" / "lib" / "mlx.metallib").write_bytes(b"cut")


def _with_another_program(app: Path) -> None:
    file = app / "Contents" / "Info.plist"
    info = {**plistlib.loads(file.read_bytes()), "CFBundleExecutable": "draftscope"}
    file.write_bytes(plistlib.dumps(info))


def _of_another_version(app: Path) -> None:
    file = app / "Contents" / "Info.plist"
    info = {**plistlib.loads(file.read_bytes()), "CFBundleVersion": "0"}
    file.write_bytes(plistlib.dumps(info))


def _without_icon(app: Path) -> None:
    (app / "Contents" / "Resources" / "icon.icns").unlink()


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_without_kernels_beside_the_link, "mlx.metallib is missing beside libmlx.dylib"),
        (_with_a_dangling_link, "mlx/lib/mlx.metallib is missing."),
        (_with_other_kernels, "not the one that is installed"),
        (_with_another_program, "'draftscope' as CFBundleExecutable"),
        (_without_info, "Info.plist cannot be read"),
        (_with_a_forced_look, "forces light or dark"),
        (_of_another_version, "'0' as CFBundleVersion"),
        (_without_icon, "icon that Info.plist names"),
    ],
)
def test_an_app_of_a_mac_is_looked_at_more_closely(
    tmp_path: Path, facts: Facts, spoil: Callable[[Path], None], said: str
) -> None:
    app = make_tree(tmp_path / "Draftscope.app", "macos")
    spoil(app)
    assert any(said in fault for fault in found(app, facts))


def test_the_models_asked_for_are_those_of_the_installed_package(
    root: Path, facts: Facts, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(root)]) == 1
    told = capsys.readouterr().err
    for module in ("qwen3_next", "mamba2", "lfm2", "granitemoehybrid"):
        assert f"The module mlx_lm.models.{module} is missing." in told


def test_what_is_no_bundle_is_said_to_be_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(tmp_path)]) == 2
    assert "is no bundle" in capsys.readouterr().err


def test_what_reads_tokenizers_and_draws_the_window_is_not_left_out() -> None:
    for path in (
        "transformers/models/qwen2/tokenization_qwen2.py",
        "transformers/models/auto/tokenization_auto.py",
        "numpy/testing/__init__.py",
        "PySide6/QtWidgets.abi3.so",
        "PySide6/Qt/lib/libQt6Svg.so.6",
        "PySide6/Qt/plugins/platforms/libqcocoa.dylib",
        "mlx/lib/libmlx.dylib",
        "mlx/lib/mlx.metallib",
    ):
        assert not contents.is_left_out(path), path


def test_an_empty_file_is_no_file(root: Path, system: str, facts: Facts) -> None:
    place(root, system, "keyring-x.dist-info/entry_points.txt").write_bytes(b"")
    assert found(root, facts) == ["keyring-x.dist-info/entry_points.txt is empty."]


def test_every_package_has_its_licence(root: Path, system: str, facts: Facts) -> None:
    file = place(root, system, "odd_one-2.0.dist-info/METADATA")
    file.parent.mkdir()
    file.write_text("Name: odd-one\n")
    assert found(root, facts) == ["resources/licences.txt has no licence of odd_one."]
