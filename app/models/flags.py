"""The table of speculation flags: one entry for each field of `SpeculationParams`, and the trace.

Everything a person is told about a flag stands here once: the settings pane, the README's table and
the sentences about wrong values are made of it. Defaults are the engine's, never typed again.
"""

from dataclasses import asdict
from typing import get_args

from app.models.flag import MAX_ID, Flag, FlagValue
from app.settings import MAX_DRAFT_LENGTH
from engine import DrafterChoice, RollbackName, SpeculationParams

# Likeliest tokens recorded beside each emitted one: `GenerationRequest.num_alternatives`.
DEBUG_TRACE = "debug_trace"
NUM_ALTERNATIVES, MOST_ALTERNATIVES = 4, 20
LONGEST_NGRAM = 64
MOST_STEPS = 1_000_000
MOST_PENDING = 1_000

_DEFAULTS: dict[str, FlagValue] = asdict(SpeculationParams())

_TABLE = (
    Flag(
        "enabled",
        "Speculation",
        "bool",
        "Copies drafts from the conversation and has the model check several tokens in one pass.",
        "Turn it off to see plain decoding.",
        _DEFAULTS["enabled"],
    ),
    Flag(
        "drafter",
        "Drafter",
        "choice",
        "Where drafts come from: lookup takes the last place the current n-gram stood, suffix the "
        "longest earlier match through edits, auto whichever guessed better lately.",
        "Fix one to see what it does alone.",
        _DEFAULTS["drafter"],
        choices=get_args(DrafterChoice),
    ),
    Flag(
        "draft_length",
        "Draft length",
        "auto_count",
        "How many tokens are drafted a step; auto takes as many as are likely to pay, or none.",
        "Fix a number to demonstrate or compare; pacing is then off.",
        _DEFAULTS["draft_length"],
        low=1,
        high=MAX_DRAFT_LENGTH,
    ),
    Flag(
        "ngram_max",
        "Largest n-gram",
        "count",
        "The longest run of tokens that prompt lookup searches for; it tries this one first.",
        "Raise it where drafts begin at chance matches.",
        _DEFAULTS["ngram_max"],
        low=1,
        high=LONGEST_NGRAM,
    ),
    Flag(
        "ngram_min",
        "Smallest n-gram",
        "count",
        "The shortest run of tokens that prompt lookup still takes for a match.",
        "Lower it for more drafts, raise it where many are rejected.",
        _DEFAULTS["ngram_min"],
        low=1,
        high=LONGEST_NGRAM,
    ),
    Flag(
        "rollback",
        "Rollback",
        "choice",
        "How the caches go back after a rejected draft; auto is trim where that is possible, else "
        "local, else carry.",
        "Choose one to compare its cost; what the model cannot do is replaced, and said.",
        _DEFAULTS["rollback"],
        choices=get_args(RollbackName),
    ),
    Flag(
        "replay",
        "Replay",
        "bool",
        "Keeps what matched before a rejected draft where caches cannot be trimmed; off throws it "
        "away.",
        "Turn it off to see what replay saves on this model.",
        _DEFAULTS["replay"],
    ),
    Flag(
        "pending_limit",
        "Pending limit",
        "count",
        "How many emitted tokens may wait outside the caches before a plain step takes them in.",
        "Lower it where wide forwards are slow, under the carry rollback.",
        _DEFAULTS["pending_limit"],
        low=1,
        high=MOST_PENDING,
    ),
    Flag(
        "exclude",
        "Excluded tokens",
        "bool",
        "Cuts a draft at the first padding, image or other special token.",
        "Turn it off only to study such drafts; the model still decides every token.",
        _DEFAULTS["exclude"],
    ),
    Flag(
        "extra_excluded",
        "Also excluded",
        "ids",
        "More token ids at which a draft is cut, beside the model's own.",
        "Add a token that is drafted again and again and always rejected.",
        _DEFAULTS["extra_excluded"],
        low=0,
        high=MAX_ID,
    ),
    Flag(
        "min_acceptance",
        "Minimum acceptance",
        "number",
        "Drafting pauses when a smaller share of drafted tokens is accepted and time is lost.",
        "Raise it to give up sooner; 0 leaves it to the clock alone.",
        _DEFAULTS["min_acceptance"],
        low=0,
        high=1,
    ),
    Flag(
        "warmup_steps",
        "Warm-up",
        "count",
        "How many drafts are tried before the minimum acceptance counts.",
        "Raise it where replies begin unlike they go on.",
        _DEFAULTS["warmup_steps"],
        low=0,
        high=MOST_STEPS,
    ),
    Flag(
        "probe_interval",
        "Probe interval",
        "count",
        "How many plain steps a pause lasts before drafting is tried again.",
        "Lower it where replies turn from free text to copying.",
        _DEFAULTS["probe_interval"],
        low=1,
        high=MOST_STEPS,
    ),
    Flag(
        "guard",
        "Exactness guard",
        "auto_bool",
        "Gives a near-tie a forward of its own, so that a block cannot flip it; auto is on unless "
        "the draft length is fixed.",
        "Turn it on with a fixed length, or off to see its price.",
        _DEFAULTS["guard"],
    ),
    Flag(
        DEBUG_TRACE,
        "Debug trace",
        "count",
        "Records each token's probability and so many of the likeliest tokens; 0 records neither.",
        "Raise it to look into rejected drafts, set 0 to measure speed alone.",
        NUM_ALTERNATIVES,
        low=0,
        high=MOST_ALTERNATIVES,
    ),
)

FLAGS: dict[str, Flag] = {flag.name: flag for flag in _TABLE}

# Parts of the pane, with their headings.
GROUPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("", ("enabled",)),
    ("Drafting", ("drafter", "draft_length", "ngram_max", "ngram_min")),
    ("Rolling back", ("rollback", "replay", "pending_limit")),
    ("Excluded tokens", ("exclude", "extra_excluded")),
    ("Pacing", ("min_acceptance", "warmup_steps", "probe_interval")),
    ("Exactness", ("guard",)),
    ("Trace", (DEBUG_TRACE,)),
)
