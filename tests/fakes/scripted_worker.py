"""A worker with the engine worker's surface that plays scripted events from a thread; no model."""

import queue
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

from engine import (
    Counted,
    EffectiveConfig,
    Event,
    Failed,
    Finished,
    GenerationRequest,
    Health,
    Loaded,
    LoadProgress,
    ModelInfo,
    Origin,
    PhaseSeconds,
    PrefillProgress,
    Spelled,
    Started,
    Stepped,
    StepRecord,
    StopReason,
    Tally,
    TextSpan,
    Unloaded,
    WorkerClosedError,
)

Script = Callable[[int, GenerationRequest], Iterable[Event]]

INFO = ModelInfo(
    name="pocket-hybrid-26m",
    path="/models/demo",
    model_type="qwen3_5",
    num_parameters=26_077_128,
    bits=8,
    dtype="float32",
    device="cpu",
    context_length=4096,
    vocabulary_size=8192,
    memory_bytes=28_000_000,
    cache_families=("recurrent", "attention"),
    is_recurrent=True,
    is_demo=True,
    speculation_refusal=None,
)
# (draft length, accepted) of each step in turn; 0 drafted is a plain step.
SHAPES = ((0, 0), (5, 5), (5, 2), (0, 0), (5, 0), (5, 3), (5, 5), (5, 1), (3, 3))


def info_of(name: str) -> ModelInfo:
    """What a model of that name is: the demo, or another of its kind."""
    if name == "demo":
        return INFO
    return replace(INFO, name=Path(name).name, path=name, is_demo=False)


def config_for(request: GenerationRequest) -> EffectiveConfig:
    """An effective configuration that follows the request."""
    spec = request.speculation
    return EffectiveConfig(
        model=INFO.name,
        device="cpu",
        dtype="float32",
        enabled=spec.enabled,
        reason="drafts are looked up in the conversation" if spec.enabled else "switched off",
        drafter=spec.drafter,
        draft_length=spec.draft_length,
        base_draft_length=2,
        ngram_max=spec.ngram_max,
        ngram_min=spec.ngram_min,
        rollback="carry" if spec.replay else "discard",
        rollback_requested=spec.rollback,
        replay=spec.replay,
        exclude=spec.exclude,
        excluded_ids=(4, 5, 6, 7),
        stop_ids=(0, 2),
        pacing=spec.pacing,
        guard=False,
        guard_margin=0.0,
        min_acceptance=spec.min_acceptance,
        warmup_steps=spec.warmup_steps,
        probe_interval=spec.probe_interval,
        pending_limit=spec.pending_limit,
        sampling=request.sampling,
        max_tokens=request.max_tokens,
        stop=request.stop,
        context_limit=4096,
        kv_bits=None,
        prefill_chunk=512,
    )


def tokens_of(text: str) -> list[str]:
    """Text in pieces like those of a tokenizer."""
    return re.findall(r"\n|[ ]*\w{1,6}|[ ]*[^\w\s]|[ ]+", text)


def origins_of(drafted: int, accepted: int) -> tuple[Origin, ...]:
    """The origins of one step's tokens under the carry rollback."""
    if not drafted:
        return ("generated",)
    kind: Origin = "accepted" if accepted == drafted else "replayed"
    last: Origin = "bonus" if accepted == drafted else "corrected"
    return (*[kind] * accepted, last)


def steps_of(tokens: list[str], seconds: float = 0.03, *, plain: bool = False) -> list[StepRecord]:
    """Steps that emit these tokens, in the shapes above."""
    records: list[StepRecord] = []
    at = 0
    while at < len(tokens):
        drafted, accepted = (0, 0) if plain else SHAPES[len(records) % len(SHAPES)]
        origins = origins_of(drafted, accepted)[: len(tokens) - at]
        emitted = tuple(range(at, at + len(origins)))
        accepted = sum(origin in ("accepted", "replayed") for origin in origins)
        is_partial = 0 < accepted < drafted
        index = len(records)
        records.append(
            StepRecord(
                index=index,
                position=100 + at,
                pending=(0,),
                draft=tuple(range(drafted)),
                excluded=1 if index % 40 == 39 else 0,
                match=(3, 4) if drafted else None,
                accepted=accepted,
                dropped=0,
                emitted=emitted,
                origins=origins,
                rollback="carry" if accepted < drafted else None,
                num_replayed=accepted + 1 if is_partial else 0,
                forwards=1,
                guarded=0,
                seconds=PhaseSeconds(0.00003, seconds, 0.0001),
                time=0.4 + seconds * (index + (index % 7) * 0.2),
                spans=tuple(TextSpan(n, 1, tokens[n]) for n in emitted),
                words=tuple((n, tokens[n]) for n in emitted),
                copied=((7, drafted),) if drafted else (),
            )
        )
        at += len(origins)
    return records


def reply_events(
    job: int, request: GenerationRequest, records: list[StepRecord], reason: StopReason = "eos"
) -> Iterator[Event]:
    """The life of a reply made of these steps."""
    config = config_for(request)
    text = "".join(f"<{message.role}>{message.content}" for message in request.messages)
    words = tokens_of(text)[:100]
    prompt = tuple(range(1_000, 1_000 + max(len(words), 1)))
    ends = tuple(accumulate(len(word) for word in words))
    yield PrefillProgress(job, 50, 100)
    yield PrefillProgress(job, 100, 100)
    yield Started(
        job,
        INFO.name,
        config,
        prompt,
        0,
        0,
        0.2,
        messages=request.messages,
        prompt_text=text,
        prompt_ends=ends,
        words=tuple((token, f"<special {token}>") for token in config.excluded_ids),
        plain_seconds=0.02,
    )
    tally = Tally(len(prompt), 0, 0.2)
    for record in records:
        tally.add(record)
        yield Stepped(job, record)
    yield Finished(job, reason, tally.snapshot(), tally.health(config))


def saying(text: str) -> Script:
    """A script that answers every request with this text."""
    return lambda job, request: reply_events(
        job, request, steps_of(tokens_of(text), plain=not request.speculation.enabled)
    )


def failing(sentence: str, details: str = "") -> Script:
    """A script that fails every request."""
    return lambda job, _request: [Failed(job, sentence, details)]


class ScriptedWorker:
    """Plays `script` for each request, `pace` seconds between events; cancellable like the real."""

    def __init__(
        self,
        script: Script | None = None,
        pace: float = 0.0,
        load_failure: str = "",
        load_seconds: float = 0.0,
    ) -> None:
        self.events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self.requests: list[GenerationRequest] = []
        self.told: list[str] = []  # what was begun, in order: "load NAME", "reply", "unload"
        self._script = script or saying("Here is the text.\n")
        self._pace = pace
        self._load_failure, self._load_seconds = load_failure, load_seconds
        self._jobs: queue.SimpleQueue[Callable[[], None] | None] = queue.SimpleQueue()
        self._last_job = 0
        self._cancelled: set[int] = set()
        self._is_closed = threading.Event()
        self._thread = threading.Thread(target=self._work, name="scripted-worker", daemon=True)
        self._thread.start()

    @property
    def is_alive(self) -> bool:
        """Whether the thread is running."""
        return self._thread.is_alive()

    def load(self, name: str) -> int:
        """Load as scripted."""
        return self._submit(lambda job: self._play_load(job, name))

    def generate(
        self, request: GenerationRequest, trace: Path | None = None, *, is_reference: bool = False
    ) -> int:
        """Play the script; a trace is an empty file."""
        self.requests.append(request)
        if trace is not None:
            trace.touch()
        return self._submit(lambda job: self._play(job, request))

    def probe(self) -> int:
        """There is nothing to measure."""
        return self._submit(lambda job: self.events.put(Failed(job, "No model is loaded.", "")))

    def count(self, texts: tuple[str, ...]) -> int:
        """Count the pieces of each text."""
        counts = tuple(len(tokens_of(text)) for text in texts)
        return self._submit(lambda job: self.events.put(Counted(job, counts)))

    def spell(self, asked: str | tuple[int, ...]) -> int:
        """A text's pieces by their place among 7000 ids, ids as words of their number."""
        if isinstance(asked, str):
            tokens = tuple((7_000 + len(piece), piece) for piece in tokens_of(asked))
        else:
            tokens = tuple((each, f" word{each}") for each in asked)
        return self._submit(lambda job: self.events.put(Spelled(job, tokens)))

    def unload(self) -> int:
        """Say so."""
        return self._submit(self._play_unload)

    def cancel(self, job: int | None = None) -> None:
        """End a job with the reason cancelled at its next event."""
        self._cancelled.add(self._last_job if job is None else job)

    def health(self) -> Health | None:
        """Nothing is kept."""
        return None

    def close(self, timeout: float = 3.0) -> None:
        """End the thread."""
        self._is_closed.set()
        self._jobs.put(None)
        self._thread.join(timeout)

    def _submit(self, play: Callable[[int], None]) -> int:
        if self._is_closed.is_set():
            raise WorkerClosedError("The worker was closed; it takes no more jobs.")
        self._last_job += 1
        job = self._last_job
        self._jobs.put(lambda: play(job))
        return job

    def _work(self) -> None:
        while (play := self._jobs.get()) is not None:
            play()

    def _play_load(self, job: int, name: str) -> None:
        self.told.append(f"load {name}")
        self.events.put(LoadProgress(job, "weights", 0.4, 40, 100))
        ends = time.monotonic() + self._load_seconds
        while time.monotonic() < ends and job not in self._cancelled:
            self._is_closed.wait(0.005)
        if job in self._cancelled:
            self.events.put(Failed(job, "Loading was cancelled.", kind="cancelled"))
        elif self._load_failure:
            self.events.put(Failed(job, self._load_failure, "details"))
        else:
            self.events.put(Loaded(job, info_of(name)))

    def _play_unload(self, job: int) -> None:
        self.told.append("unload")
        self.events.put(Unloaded(job))

    def _play(self, job: int, request: GenerationRequest) -> None:
        self.told.append("reply")
        played: list[StepRecord] = []
        for event in self._script(job, request):
            if self._is_closed.is_set():
                return
            if job in self._cancelled and not isinstance(event, Finished | Failed):
                *_, last = reply_events(job, request, played, "cancelled")
                self.events.put(last)
                return
            if isinstance(event, Stepped):
                played.append(event.record)
            self.events.put(event)
            if self._pace:
                time.sleep(self._pace)
