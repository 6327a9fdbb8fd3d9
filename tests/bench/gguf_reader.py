"""GGUF files, which are no model here, sound and damaged, wherever a person may put one."""

import json
import os
import random
import struct
from collections.abc import Callable
from pathlib import Path

from app.controllers.attachment_files import read_attachment
from app.controllers.chat_files import read_chat_file
from app.controllers.targets import is_here, whole_target
from app.models.attaching import AttachmentError
from app.models.porting.reading import chats_in
from app.models.porting.told import PortingError
from engine import EngineError, TraceError, read_trace, survey
from engine.model.preflight import resolve
from tests.bench.mutations import damaged
from tests.bench.verdict import UnsoundError, said
from tests.fakes.tiny_configs import CONFIGS

_ALIGNMENT = 32
_UINT, _TEXT, _ARRAY = 4, 8, 9
# As large as such files are; the rest of it is a hole that takes no room on the disk.
_WHOLE_BYTES = 3_000_000_000


def gguf_bytes(chance: random.Random) -> bytes:
    """A small whole file: version, facts, where its arrays lie, and their numbers."""
    facts = {
        "general.architecture": "llama",
        "general.name": "a name 東京",
        "llama.block_count": 2,
        "llama.context_length": 4096,
        "tokenizer.ggml.tokens": ["<s>", "</s>", "a", "b"],
    }
    names = [f"blk.{at}.attn_q.weight" for at in range(chance.choice((1, 2, 9)))]
    data = b"GGUF" + struct.pack("<IQQ", chance.choice((2, 3)), len(names), len(facts))
    for name, value in facts.items():
        data += _text(name) + _fact(value)
    for at, name in enumerate(names):
        data += _text(name) + struct.pack("<IQQIQ", 2, 8, 4, 0, at * 128)
    return data + bytes(-len(data) % _ALIGNMENT) + chance.randbytes(128 * len(names))


def gguf_case(chance: random.Random, folder: Path) -> str:
    """One file, whole or damaged, put where a model, a trace, chats or an attachment would be."""
    data = gguf_bytes(chance)
    if chance.random() < 0.7:
        data = damaged(chance, data, data[::-1])
    path = folder / chance.choice(
        ("model.gguf", "model-Q4_K_M.gguf", "ggml-model.GGUF", "run.jsonl")
    )
    path.write_bytes(data)
    if chance.random() < 0.02:
        os.truncate(path, _WHOLE_BYTES)
    return chance.choice(_WAYS)(path)


def _as_weights(path: Path) -> str:
    """The only weights of a folder that is a model otherwise."""
    path = path.rename(path.with_name("model.gguf"))
    (path.parent / "config.json").write_text(json.dumps(CONFIGS[min(CONFIGS)][1]))
    (path.parent / "tokenizer.json").write_text('{"model": {"vocab": {}}}')
    fault = survey(path.parent).fault or ""
    if "safetensors" not in fault:
        raise UnsoundError(f"does not say what is read: {fault!r}")
    return said(fault)


def _as_model(path: Path) -> str:
    """What `--model` names."""
    target = whole_target(str(path))
    if is_here(target):
        raise UnsoundError("a file is taken for a model's folder")
    try:
        resolve(target)
    except EngineError as error:
        return said(error.sentence)
    raise UnsoundError("a file is taken for a model's folder")


def _as_trace(path: Path) -> str:
    """What is dropped on the window, or opened with it."""
    try:
        read_trace(path)
    except TraceError as error:
        return said(error.sentence)
    raise UnsoundError("it is taken for a trace")


def _as_chats(path: Path) -> str:
    """What is imported."""
    try:
        for text in read_chat_file(path, lambda _share: None):
            chats_in(text, lambda _share: None)
    except PortingError as error:
        return said(error.sentence)
    raise UnsoundError("it is taken for chats")


def _as_attachment(path: Path) -> str:
    """What is attached; a damaged one may be the beginning of a text."""
    try:
        _, notice = read_attachment(path, lambda _page, _pages: None, lambda: False)
    except AttachmentError as error:
        return said(str(error))
    return said(notice)


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _fact(value: str | int | list[str]) -> bytes:
    if isinstance(value, str):
        return struct.pack("<I", _TEXT) + _text(value)
    if isinstance(value, int):
        return struct.pack("<II", _UINT, value)
    texts = b"".join(_text(each) for each in value)
    return struct.pack("<IIQ", _ARRAY, _TEXT, len(value)) + texts


_WAYS: tuple[Callable[[Path], str], ...] = (
    _as_weights,
    _as_model,
    _as_trace,
    _as_chats,
    _as_attachment,
)
