"""A model is fetched whole, checked, and lies where every program looks for it."""

import hashlib
import json
from pathlib import Path

import huggingface_hub
import pytest

from app.fetching.events import (
    FetchChecking,
    FetchDone,
    FetchFailed,
    FetchListed,
    FetchProgress,
    FetchRetrying,
)
from engine.model.preflight import resolve
from tests.app.fetching.conftest import REPO, WEIGHTS
from tests.fakes.hub_server import COMMIT, HubServer, Trick


def check_whole(each, server: HubServer, names: list[str] | None = None) -> None:
    snapshot = each.folder / "snapshots" / server.commit
    for name in names or server.files:
        assert (snapshot / name).read_bytes() == server.files[name]
    assert (each.folder / "refs" / "main").read_text() == server.commit
    assert not each.half_files()


def test_a_model_is_fetched_and_found_by_its_name(
    fetching, server: HubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    each = fetching()
    each.fetcher.start(7, REPO)
    done = each.until(FetchDone, FetchFailed)
    assert done == FetchDone(7, each.folder / "snapshots" / COMMIT)
    check_whole(each, server)
    total = sum(map(len, server.files.values()))
    assert each.events[0] == FetchListed(7, COMMIT, len(server.files), total, 0)
    last = each.of(FetchProgress)[-1]
    assert (last.done_bytes, last.total_bytes) == (total, total)
    assert [event.file for event in each.of(FetchChecking)] == [
        "config.json",
        "tokenizer.json",
        "tokenizer_config.json",
        WEIGHTS,
    ]
    weights = done.folder / WEIGHTS
    assert weights.is_symlink()
    assert weights.resolve().name == hashlib.sha256(server.files[WEIGHTS]).hexdigest()
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(each.cache))
    assert resolve(REPO) == done.folder
    # The hub's own library takes it as its own.
    path = huggingface_hub.hf_hub_download(
        REPO, WEIGHTS, revision=COMMIT, cache_dir=each.cache, local_files_only=True
    )
    assert Path(path).read_bytes() == server.files[WEIGHTS]
    assert huggingface_hub.scan_cache_dir(each.cache).warnings == []


def test_what_is_here_is_not_fetched_again(fetching, server: HubServer) -> None:
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    served = dict(server.served)
    each.fetcher.start(2, REPO, COMMIT)
    each.until(FetchDone)
    assert {name: server.served[name] for name in server.files} == {
        name: served[name] for name in server.files
    }


def test_a_newer_commit_shares_what_is_the_same(fetching, server: HubServer) -> None:
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    server.commit = "d" * 40
    server.files["tokenizer_config.json"] = b'{"new": true}'
    each.fetcher.start(2, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[WEIGHTS] == len(server.files[WEIGHTS])
    assert (each.folder / "snapshots" / COMMIT / "tokenizer_config.json").read_bytes() == b"{}"


def test_nothing_is_ready_before_all_is_checked(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(after=1000, is_silent=True)]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchRetrying)
    assert (each.folder / "blobs").is_dir()
    assert not (each.folder / "refs" / "main").exists()
    assert not (each.folder / "snapshots").exists()


def test_only_what_is_needed_is_fetched(fetching, server: HubServer) -> None:
    needed = list(server.files)
    for name in (
        "README.md",
        "picture.png",
        "pytorch_model.bin",
        "model.gguf",
        "modeling_x.py",
        "onnx/model.onnx",
        "original/consolidated.safetensors",
        "consolidated.safetensors",
        "original/model.safetensors",
        ".gitattributes",
        "training_args.bin",
    ):
        server.files[name] = b"not wanted " + name.encode()
    extra = "additional_chat_templates/tools.jinja"
    for name in (extra, "chat_template.jinja", "merges.txt", "generation_config.json"):
        server.files[name] = b"{} wanted " + name.encode()
        needed.append(name)
    each = fetching()
    each.fetcher.start(1, REPO)
    folder = each.until(FetchDone).folder
    assert sorted(str(f.relative_to(folder)) for f in folder.rglob("*") if f.is_file()) == sorted(
        needed
    )
    check_whole(each, server, needed)


def test_shards_are_fetched_without_a_second_copy(fetching, server: HubServer) -> None:
    shards = [f"model-0000{n}-of-00002.safetensors" for n in (1, 2)]
    for name in shards:
        server.files[name] = name.encode() * 50
    server.files["model.safetensors.index.json"] = json.dumps(
        {"weight_map": dict(zip("ab", shards, strict=True))}
    ).encode()
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    assert server.served[WEIGHTS] == 0
    check_whole(each, server, [*shards, "model.safetensors.index.json"])


@pytest.mark.parametrize("name", [WEIGHTS, "tokenizer.json"])
def test_a_wrong_checksum_is_fetched_once_more(fetching, server: HubServer, name: str) -> None:
    wrong = b"x" * len(server.files[name])
    server.tricks[name] = [Trick(body=wrong), Trick()]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
    assert server.served[name] == 2 * len(wrong)


def test_a_wrong_checksum_twice_is_told(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(body=b"x" * len(server.files[WEIGHTS]))]
    each = fetching()
    each.fetcher.start(1, REPO)
    error = each.until(FetchFailed, FetchDone).error
    assert error.fault == "checksum"
    assert WEIGHTS in error.sentence
    assert len(server.requests_for(WEIGHTS)) == 2
    assert not each.half_files()
    assert not (each.folder / "refs" / "main").exists()


@pytest.mark.parametrize("change", [-5, 5])
def test_a_wrong_length_is_told(fetching, server: HubServer, change: int) -> None:
    body = server.files[WEIGHTS]
    server.tricks[WEIGHTS] = [Trick(body=(body + b"12345")[: len(body) + change])]
    each = fetching()
    each.fetcher.start(1, REPO)
    assert each.until(FetchFailed, FetchDone).error.fault == "checksum"
    assert len(server.requests_for(WEIGHTS)) == 2


def test_a_body_without_a_length_is_read_to_its_end(fetching, server: HubServer) -> None:
    server.tricks[WEIGHTS] = [Trick(is_chunked=True)]
    server.tricks["config.json"] = [Trick(is_chunked=True, piece=3)]
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)


def test_an_empty_file_is_a_file(fetching, server: HubServer) -> None:
    server.files["vocab.txt"] = b""
    each = fetching()
    each.fetcher.start(1, REPO)
    each.until(FetchDone)
    check_whole(each, server)
