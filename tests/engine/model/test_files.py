"""Files that are not what their name says: links to nowhere, pipes, shut folders, deep JSON."""

import os
from pathlib import Path
from typing import NoReturn

import pytest

from engine.errors import ModelConfigError, ModelError, TokenizerError, WeightsError
from engine.model.files import folder_name, read_object, shortened
from engine.model.preflight import preflight
from tests.fakes.model_folders import WEIGHTS, demo_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("config.json", ModelConfigError),
        ("generation_config.json", ModelConfigError),
        (WEIGHTS, WeightsError),
        ("tokenizer.json", TokenizerError),
        ("chat_template.jinja", TokenizerError),
        ("merges.txt", TokenizerError),
    ],
)
def test_a_pipe_is_never_opened(folder: Path, name: str, kind: type[ModelError]) -> None:
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(folder / name)
    with pytest.raises(kind, match=f"{name} cannot be read: it is not an ordinary file"):
        preflight(folder)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("config.json", ModelConfigError),
        ("generation_config.json", ModelConfigError),
        (WEIGHTS, WeightsError),
        ("tokenizer.json", TokenizerError),
    ],
)
@pytest.mark.parametrize("is_circle", [True, False])
def test_a_link_to_nowhere(
    folder: Path, name: str, kind: type[ModelError], is_circle: bool
) -> None:
    (folder / name).unlink()
    (folder / name).symlink_to(folder / (name if is_circle else "gone"))
    with pytest.raises(kind, match="a link to a file that is not there"):
        preflight(folder)


def test_a_folder_that_may_not_be_searched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_path: Path, **_options: bool) -> NoReturn:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "stat", refuse)
    with pytest.raises(ModelConfigError, match=r"model cannot be read; check its permissions\."):
        preflight(folder)


@pytest.mark.parametrize("depth", [200, 985, 3000])
def test_deep_nesting_is_refused(folder: Path, depth: int) -> None:
    text = '{"a":' * depth + "1" + "}" * depth
    (folder / "preprocessor_config.json").write_text(text)
    with pytest.raises(ModelConfigError, match=r"preprocessor_config\.json is damaged"):
        preflight(folder)


def test_a_byte_order_mark_is_no_fault(folder: Path) -> None:
    file = folder / "config.json"
    plain = read_object(file, ModelConfigError)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert read_object(file, ModelConfigError) == plain


def test_the_root_has_a_name() -> None:
    with pytest.raises(ModelConfigError, match=r"^/ is not a model folder"):
        preflight(Path("/"))


def test_an_echo_is_one_short_line() -> None:
    assert shortened("a\nb\x1b[31m") == "a?b?[31m"
    assert len(shortened("x" * 5000)) == 80
    assert folder_name(Path("/a/b")) == "b"
