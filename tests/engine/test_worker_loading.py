"""Loads, one after another: what they tell, what cancelling leaves, and that memory comes back."""

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import mlx.core as mx
import psutil
import pytest
from mlx.utils import tree_flatten
from mlx_lm.models import llama

from engine import EngineWorker, Failed, Finished, GenerationRequest, Loaded, LoadProgress, Message
from engine.model import weights as weights_module
from tests.engine.test_worker import PATIENCE_SECONDS, until_end, until_first
from tests.fakes.model_folders import WEIGHTS, demo_folder

QUESTION = GenerationRequest(messages=(Message("user", "Say hello."),), max_tokens=4)
# The demo takes a second or two to load; tests/bench/loading.py does twenty rounds of it.
NUM_ROUNDS = 20
LLAMA = {
    "model_type": "llama",
    "hidden_size": 64,
    "num_hidden_layers": 2,
    "intermediate_size": 128,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-5,
    "vocab_size": 8192,
    "max_position_embeddings": 1024,
}


@pytest.fixture
def worker() -> Iterator[EngineWorker]:
    worker = EngineWorker()
    yield worker
    worker.close(PATIENCE_SECONDS)


def attention_folder(parent: Path) -> Path:
    """A tiny model with nothing but attention, with the demo's tokenizer."""
    folder = demo_folder(parent)
    (folder / "config.json").write_text(json.dumps(LLAMA))
    model = llama.Model(llama.ModelArgs.from_dict(LLAMA))
    (folder / WEIGHTS).unlink()
    mx.save_safetensors(str(folder / WEIGHTS), dict(tree_flatten(model.parameters())))
    return folder


def one_round(worker: EngineWorker, name: str) -> tuple[int, int]:
    """Load, chat, unload; MLX's memory and the process's then."""
    assert isinstance(until_end(worker, worker.load(name))[-1], Loaded)
    assert isinstance(until_end(worker, worker.generate(QUESTION))[-1], Finished)
    until_end(worker, worker.unload())
    return mx.get_active_memory() + mx.get_cache_memory(), psutil.Process().memory_info().rss


def test_bytes_of_the_weights_rise_to_all_of_them(worker: EngineWorker) -> None:
    events = until_end(worker, worker.load("demo"))
    told = [event for event in events if isinstance(event, LoadProgress)]
    (total,) = {event.total_bytes for event in told} - {0}
    done = [event.done_bytes for event in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, total)
    loaded = events[-1]
    assert isinstance(loaded, Loaded)
    assert total == loaded.model.memory_bytes


def test_the_old_model_goes_before_the_new_one_comes(worker: EngineWorker) -> None:
    mx.clear_cache()
    before = mx.get_active_memory()
    mx.reset_peak_memory()
    until_end(worker, worker.load("demo"))
    alone, held = mx.get_peak_memory() - before, mx.get_active_memory() - before
    until_end(worker, worker.generate(QUESTION))
    mx.reset_peak_memory()
    until_end(worker, worker.load("demo"))
    assert mx.get_peak_memory() - before < alone + held / 4, "not both of them at once"


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_a_load_cancelled_among_the_weights_gives_all_memory_back(
    worker: EngineWorker, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(weights_module, "_FIRST_GROUP", 2**20)
    monkeypatch.setattr(weights_module, "_LARGEST_GROUP", 2**20)
    mx.clear_cache()
    before = mx.get_active_memory()
    until_end(worker, worker.load("demo"))
    job = worker.load("demo")
    event = until_first(worker, job, LoadProgress)[-1]
    while not (isinstance(event, LoadProgress) and event.done_bytes >= share * event.total_bytes):
        event = until_first(worker, job, LoadProgress)[-1]
    worker.cancel(job)
    failed = until_end(worker, job)[-1]
    assert isinstance(failed, Failed)
    assert failed.kind == "cancelled"
    assert mx.get_active_memory() <= before + 2**16
    assert mx.get_cache_memory() <= 2**16
    assert isinstance(until_end(worker, worker.load("demo"))[-1], Loaded)


def test_a_load_cancelled_before_it_began_leaves_no_model_either(worker: EngineWorker) -> None:
    until_end(worker, worker.load("demo"))
    running = worker.generate(GenerationRequest(prompt_ids=tuple(range(100, 130))))
    waiting = worker.load("demo")
    worker.cancel(waiting)
    worker.cancel(running)
    until_end(worker, running)
    assert until_end(worker, waiting) == [
        Failed(waiting, "Cancelled before it began.", kind="cancelled")
    ]
    failed = until_end(worker, worker.generate(QUESTION))[-1]
    assert isinstance(failed, Failed)
    assert failed.sentence == "No model is loaded; load one first."


@pytest.mark.parametrize("kind", ["demo", "attention"])
def test_loaded_and_left_again_and_again_costs_nothing(
    worker: EngineWorker, kind: str, tmp_path: Path
) -> None:
    name = "demo" if kind == "demo" else str(attention_folder(tmp_path))
    threads = threading.active_count()
    # The libraries are imported, and the first round's probe is kept.
    one_round(worker, name)
    first_active, first_rss = one_round(worker, name)
    rounds = [one_round(worker, name) for _ in range(NUM_ROUNDS - 2)]
    sys.stdout.write(f"{kind}: {[round(rss / 2**20) for _, rss in rounds]} MB\n")
    assert rounds[-1][0] <= first_active * 1.05 + 2**16
    # Single rounds end before the allocator's threads have let go of all.
    assert min(rss for _, rss in rounds[-5:]) <= first_rss * 1.05
    assert threading.active_count() == threads


class Limits:
    """What was asked of the process's wired limit."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[int] = []
        monkeypatch.setattr(mx, "set_wired_limit", self.set)

    def set(self, limit: int) -> int:
        self.told.append(limit)
        return 17


def test_the_wired_limit_is_left_alone(
    worker: EngineWorker, monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(monkeypatch)
    monkeypatch.setattr(mx.metal, "is_available", lambda: True)
    monkeypatch.setattr(mx, "device_info", lambda: {"max_recommended_working_set_size": 99})
    until_end(worker, worker.load("demo"))
    assert isinstance(until_end(worker, worker.generate(QUESTION))[-1], Finished)
    job = worker.generate(QUESTION, is_reference=True)
    assert isinstance(until_end(worker, job)[-1], Finished)
    until_end(worker, worker.unload())
    assert limits.told == []


@pytest.mark.parametrize(("has_metal", "told"), [(True, [99, 17]), (False, [])])
def test_a_wired_limit_that_was_asked_for_is_given_back(
    has_metal: bool, told: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    limits = Limits(monkeypatch)
    monkeypatch.setattr(mx.metal, "is_available", lambda: has_metal)
    monkeypatch.setattr(mx, "device_info", lambda: {"max_recommended_working_set_size": 99})
    worker = EngineWorker(raises_wired_limit=True)
    try:
        until_end(worker, worker.load("demo"))
        assert limits.told == told[:1]
        until_end(worker, worker.unload())
        assert limits.told == told
    finally:
        worker.close(PATIENCE_SECONDS)
    assert limits.told == told
