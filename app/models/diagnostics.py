"""What a report on this installation says, as plain text: versions, model, last run, problems.

Only named figures of the last run are taken: nothing that was typed, replied or attached, and no
stop text. Folders below the person's home are written with ~.
"""

import platform
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from PySide6.QtCore import qVersion

from engine import VERSION, EffectiveConfig, Health, ModelInfo

Row = tuple[str, str]
_PACKAGES = ("mlx", "mlx-lm", "transformers", "PySide6-Essentials")


@dataclass(frozen=True, slots=True)
class Section:
    """A title, and below it names with their values, or lines."""

    title: str
    rows: tuple[Row, ...] = ()
    lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DiagnosticFacts:
    """What is known when the report is made; `problems` are lines of the log, without content.

    `crashes` are the names of reports that are kept.
    """

    model: ModelInfo | None
    stage: str
    health: Health | None
    self_test: tuple[str, ...]
    problems: tuple[str, ...]
    crashes: tuple[str, ...]
    data_folder: Path
    log_folder: Path


def diagnostics(facts: DiagnosticFacts) -> tuple[Section, ...]:
    """The report, part by part."""
    sections = (
        Section("Versions", _versions()),
        Section("Model", _model(facts.model, facts.stage)),
        Section("Last run", _last_run(facts.health)),
        Section("Self-test", lines=facts.self_test),
        Section("Problems", lines=facts.problems or ("none in the log",)),
        Section("Crash reports", lines=facts.crashes or ("none",)),
        Section(
            "Folders",
            (("chats and models", str(facts.data_folder)), ("logs", str(facts.log_folder))),
        ),
    )
    return tuple(_without_home(section) for section in sections)


def as_text(sections: Iterable[Section]) -> str:
    """The report for a letter to somebody."""
    lines = ["Draftscope diagnostics"]
    for section in sections:
        lines += ["", section.title]
        lines += [f"  {name}: {value}" for name, value in section.rows]
        lines += [f"  {line}" for line in section.lines]
    return "\n".join(lines) + "\n"


def _versions() -> tuple[Row, ...]:
    packages = tuple((name, _version(name)) for name in _PACKAGES)
    return (
        ("Draftscope", VERSION),
        ("Python", platform.python_version()),
        *packages,
        ("Qt", qVersion()),
        ("system", platform.platform()),
    )


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not known"


def _model(info: ModelInfo | None, stage: str) -> tuple[Row, ...]:
    if info is None:
        return (("state", stage),)
    bits = "" if info.bits is None else f", {info.bits} bits"
    return (
        ("name", info.name),
        ("kind", f"{info.model_type}, {', '.join(info.cache_families)}"),
        ("weights", f"{info.num_parameters:,} parameters, {info.dtype}{bits}"),
        ("memory", f"{info.memory_bytes / 1e6:,.0f} MB"),
        ("device", info.device),
        ("context", f"{info.context_length:,} tokens"),
        ("speculation", info.speculation_refusal or "possible"),
        ("local rollback", info.local_refusal or "possible"),
    )


def _last_run(health: Health | None) -> tuple[Row, ...]:
    if health is None:
        return (("state", "no reply yet"),)
    drafting, replay = health.speculative_decoding, health.pld_ssm_replay
    rate = drafting.acceptance_rate
    rows = (
        ("speculation", f"{_on(drafting.enabled)}: {drafting.reason}"),
        ("steps", f"{drafting.steps:,}, {drafting.tokens_emitted:,} tokens"),
        ("acceptance", "no drafts" if rate is None else f"{rate:.0%}"),
        (
            "replay",
            f"{_on(replay.enabled)}: {replay.attempts:,} attempts, {replay.emitted:,} tokens, "
            f"{replay.failures:,} failures",
        ),
    )
    return rows if health.config is None else (*rows, *_config(health.config))


def _config(config: EffectiveConfig) -> tuple[Row, ...]:
    """The figures of the configuration; its stop texts are the person's."""
    length = "auto" if config.draft_length is None else str(config.draft_length)
    law = config.sampling
    return (
        ("drafts", f"{config.drafter}, length {length}, pacing {_on(config.pacing)}"),
        ("rollback", f"{config.rollback or 'none'}, asked {config.rollback_requested}"),
        ("guard", f"{_on(config.guard)}, margin {config.guard_margin:g}"),
        ("sampling", f"temperature {law.temperature:g}, top-p {law.top_p:g}, top-k {law.top_k}"),
        ("caches", "not quantised" if config.kv_bits is None else f"{config.kv_bits} bits"),
    )


def _on(is_on: bool) -> str:
    return "on" if is_on else "off"


def _without_home(section: Section) -> Section:
    short = _shortener(Path.home())
    return Section(
        section.title,
        tuple((name, short(value)) for name, value in section.rows),
        tuple(short(line) for line in section.lines),
    )


def _shortener(home: Path) -> Callable[[str], str]:
    if home == Path(home.anchor):
        return lambda text: text
    return lambda text: text.replace(f"{home}/", "~/")
