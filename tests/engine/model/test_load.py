"""The demo model loads and speaks; names, limits, progress, cancelling, and no foreign code."""

import json
import socket
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from engine.errors import ModelNotFoundError, TokenizerError
from engine.model import weights as weights_module
from engine.model.load import LoadCancelled, load
from engine.model.loaded_model import LoadedModel
from engine.model.preflight import preflight, resolve
from engine.request import Message
from tests.fakes.model_folders import demo_folder, edit, load_quietly


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return demo_folder(tmp_path)


def own_code(folder: Path) -> None:
    """Everything that could make a library run Python from the folder."""
    trap = "raise SystemExit('the folder ran its own code')"
    (folder / "trap.py").write_text(trap)
    mapped = {"AutoTokenizer": ["trap.Trap", "trap.Trap"], "AutoConfig": "trap.Trap"}
    edit(folder / "tokenizer_config.json", auto_map=mapped, tokenizer_class="TrapTokenizer")
    edit(folder / "config.json", auto_map=mapped)


def test_a_folder_never_runs_its_own_code(folder: Path) -> None:
    own_code(folder)
    try:
        loaded = load_quietly(folder)
    except TokenizerError as error:
        assert "cannot be read" in str(error)  # noqa: PT017 (either outcome is right, code is not)
    else:
        assert loaded.stop_ids == {0, 2}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("no/such/folder", "no model folder at no/such/folder"),
        ("owner/never-downloaded", "no model folder at owner/never-downloaded"),
        ("", "not a usable name"),
        ("nul\0byte", "not a usable name"),
        ("x" * 5000, "not a usable name"),
        ("x" * 1000, "no model folder"),
        ("~nobody-of-that-name/model", "no model folder"),
    ],
)
def test_a_name_that_leads_nowhere(
    name: str, words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ModelNotFoundError, match=words):
        load_quietly(name)


def test_a_file_is_not_a_folder(folder: Path) -> None:
    with pytest.raises(ModelNotFoundError, match="is a file; choose the folder"):
        load_quietly(folder / "config.json")


def test_a_file_of_another_format_names_what_is_read(tmp_path: Path) -> None:
    (tmp_path / "tiny.GGUF").write_bytes(b"GGUF")
    with pytest.raises(ModelNotFoundError, match=r"\.GGUF file; Draftscope reads MLX models"):
        load_quietly(tmp_path / "tiny.GGUF")


def test_a_repository_in_the_hub_cache_is_found_by_its_name(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))
    repository = tmp_path / "hub" / "models--owner--name"
    (repository / "refs").mkdir(parents=True)
    (repository / "refs" / "main").write_text("abc123")
    (repository / "snapshots").mkdir()
    (repository / "snapshots" / "abc123").symlink_to(folder)
    assert resolve("owner/name").samefile(folder)
    assert load_quietly("owner/name").info.name == "owner/name"


def test_what_is_known_of_the_demo_model(demo: LoadedModel) -> None:
    assert demo.info.name == "demo"
    assert demo.info.is_demo
    assert demo.info.is_recurrent
    assert demo.info.speculation_refusal is None
    assert demo.info.num_parameters == 26_077_128, "as its model card says"
    assert (demo.info.bits, demo.info.vocabulary_size) == (8, 8192)
    assert demo.context_length == 4096
    assert demo.stop_ids == {0, 2}
    assert demo.excluded_ids == {1, 3, 4, 5, 6, 7}, "stop ids stay draftable, all others do not"


def test_on_a_cpu_the_weights_are_float32(demo: LoadedModel) -> None:
    if mx.default_device().type == mx.DeviceType.cpu:
        assert demo.info.dtype == "float32"


def test_the_demo_model_says_something_sane(demo: LoadedModel) -> None:
    question = "Replace every cat by dog: the cat sat on the mat."
    tokens = list(demo.template.render([Message("user", question)]).ids)
    caches = demo.make_caches()
    reply: list[int] = []
    while not demo.stop_ids.intersection(reply) and len(reply) < 40:
        logits = demo.model(mx.array([tokens]), cache=caches)
        tokens = [int(mx.argmax(logits[0, -1]).item())]
        reply += tokens
    assert "dog sat on the mat" in demo.tokenizer.decode(reply)


def test_loading_never_asks_the_network(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> Any:
        raise AssertionError("the network was asked")

    for name in ("connect", "connect_ex"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert load_quietly(folder).info.model_type == "qwen3_5"


def test_progress_rises_to_one(folder: Path) -> None:
    heard: list[tuple[str, float]] = []
    load(
        str(folder),
        on_progress=lambda stage, share: heard.append((stage, share)),
        is_cancelled=lambda: False,
    )
    shares = [share for _, share in heard]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)


@pytest.mark.parametrize("after", range(5))
def test_loading_stops_where_it_is_cancelled(
    folder: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights_module, "_FIRST_GROUP", 4 * 2**20)
    heard: list[str] = []
    with pytest.raises(LoadCancelled):
        load(
            str(folder),
            on_progress=lambda stage, _share: heard.append(stage),
            is_cancelled=lambda: len(heard) > after,
        )
    assert len(heard) == after + 1


@pytest.mark.parametrize(
    ("model_limit", "tokenizer_limit", "expected"),
    [
        (4096, 1e30, 4096),
        (4096, 10**30, 4096),
        (4096, 2048, 2048),
        (None, 2048, 2048),
        (None, None, 32_768),
        (-1, True, 32_768),
        ("many", "x", 32_768),
    ],
)
def test_the_context_is_the_smallest_sane_limit(
    folder: Path, model_limit: Any, tokenizer_limit: Any, expected: int
) -> None:
    section = json.loads((folder / "config.json").read_text())["text_config"]
    section["max_position_embeddings"] = model_limit
    edit(folder / "config.json", text_config=section)
    edit(folder / "tokenizer_config.json", model_max_length=tokenizer_limit)
    assert preflight(folder).context_length() == expected


def test_the_demo_model_keeps_its_licence_notices() -> None:
    notice = (resolve("demo") / "NOTICE").read_text()
    for words in ("Princeton University", "Python Software Foundation", "Apache License"):
        assert words in notice
    assert (resolve("demo") / "README.md").is_file()
