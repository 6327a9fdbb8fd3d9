"""The table of flags: complete, with the engine's own defaults and limits; text and JSON forms."""

import json
from dataclasses import fields, replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.flag import MAX_ID, MOST_IDS, FlagError
from app.models.flag_effects import idle_reason, in_effect, missing_ids
from app.models.flags import DEBUG_TRACE, FLAGS, GROUPS
from engine import GenerationRequest, Message, RequestError, SpeculationParams
from tests.fakes.scripted_worker import INFO, config_for

HELLO = (Message("user", "hi"),)


def values_of(flag):
    """Every value that a flag can have."""
    numbers = st.integers(int(flag.low), int(flag.high))
    return {
        "bool": st.booleans(),
        "auto_bool": st.none() | st.booleans(),
        "choice": st.sampled_from(flag.choices or ("",)),
        "count": numbers,
        "auto_count": st.none() | numbers,
        "number": st.floats(flag.low, flag.high),
        "ids": st.lists(st.integers(0, MAX_ID), unique=True, max_size=20).map(tuple),
    }[flag.kind]


FLAG_AND_VALUE = st.sampled_from(list(FLAGS.values())).flatmap(
    lambda flag: st.tuples(st.just(flag), values_of(flag))
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=100),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


def tried(read):
    """A value, or the sentence about it."""
    try:
        return read(), ""
    except FlagError as error:
        return None, str(error)


def request_with(name, value):
    if name == DEBUG_TRACE:
        return GenerationRequest(messages=HELLO, num_alternatives=value)
    # Both sizes of n-gram, so that each can go to its own limits.
    both = {"ngram_max": value, "ngram_min": value} if name.startswith("ngram") else {name: value}
    return GenerationRequest(messages=HELLO, speculation=SpeculationParams(**both))


def test_every_parameter_is_a_flag_and_the_trace_is_one_more():
    assert [*FLAGS] == [*dict.fromkeys(FLAGS)]
    assert {field.name for field in fields(SpeculationParams)} | {DEBUG_TRACE} == set(FLAGS)
    assert [name for _, names in GROUPS for name in names] == list(FLAGS)


def test_defaults_are_the_engines():
    asked = SpeculationParams()
    for name, flag in FLAGS.items():
        if name != DEBUG_TRACE:
            assert flag.default == getattr(asked, name)
    assert FLAGS[DEBUG_TRACE].default == 4


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_says_what_it_does_and_when_to_change_it(name):
    flag = FLAGS[name]
    assert flag.label[:1].isupper()
    for sentence in (flag.does, flag.when):
        assert sentence.endswith(".")
        assert sentence[:1].isupper()
        assert sentence.count(". ") == 0
    assert flag.variable == f"DRAFTSCOPE_PLD_{name.upper()}"


@pytest.mark.parametrize("name", [n for n, f in FLAGS.items() if f.high])
def test_what_the_limits_allow_the_engine_takes(name):
    flag = FLAGS[name]
    for limit in (flag.low, flag.high):
        value = (int(limit),) if flag.kind == "ids" else int(limit)
        assert flag.fitted(value) == value
        request_with(name, value)
    below = (-1,) if flag.kind == "ids" else flag.low - 1
    with pytest.raises(RequestError):
        request_with(name, below)
    for outside in (flag.low - 1, flag.high + 1):
        with pytest.raises(FlagError):
            flag.fitted((outside,) if flag.kind == "ids" else outside)


@pytest.mark.parametrize("name", [n for n, f in FLAGS.items() if f.choices])
def test_choices_are_the_engines(name):
    for choice in FLAGS[name].choices:
        SpeculationParams(**{name: choice})
    with pytest.raises(RequestError):
        SpeculationParams(**{name: "sideways"})


@given(FLAG_AND_VALUE)
def test_text_and_back(pair):
    flag, value = pair
    back = flag.parse(f"  {flag.text(value).upper()} ")
    assert back == value
    assert type(back) is type(value)


@given(FLAG_AND_VALUE)
def test_json_and_back(pair):
    flag, value = pair
    back = flag.fitted(json.loads(json.dumps(flag.plain(value))))
    assert back == value
    assert type(back) is type(value)


@given(st.sampled_from(list(FLAGS.values())), st.text(max_size=300))
def test_any_text_is_a_value_or_one_sentence(flag, text):
    value, sentence = tried(lambda: flag.parse(text))
    if not sentence:
        assert flag.fitted(value) == value
        return
    assert sentence.endswith(f"give {flag.wanted}.")
    assert sentence.isprintable()
    assert len(sentence) < 250


@given(st.sampled_from(list(FLAGS.values())), JSON)
def test_any_json_is_a_value_or_one_sentence(flag, value):
    fitted, sentence = tried(lambda: flag.fitted(value))
    if not sentence:
        assert flag.parse(flag.text(fitted)) == fitted
        return
    assert sentence.endswith(f"give {flag.wanted}.")
    assert len(sentence) < 250


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("enabled", "OFF", False),
        ("enabled", " yes ", True),
        ("exclude", "0", False),
        ("guard", "auto", None),
        ("guard", "1", True),
        ("drafter", "Suffix", "suffix"),
        ("draft_length", "Auto", None),
        ("draft_length", "064", 64),
        ("min_acceptance", ".5", 0.5),
        ("min_acceptance", "-0", 0.0),
        ("min_acceptance", "1e-3", 0.001),
        ("extra_excluded", "5, 6;7  5", (5, 6, 7)),
        ("extra_excluded", "None", ()),
        ("debug_trace", "0", 0),
    ],
)
def test_texts_that_fit(name, text, value):
    parsed = FLAGS[name].parse(text)
    assert parsed == value
    assert type(parsed) is type(value)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("enabled", "maybe", "'maybe' does not fit; give on or off."),
        ("enabled", "", "'' does not fit; give on or off."),
        ("guard", "2", "give auto, on or off."),
        ("drafter", "tree", "give auto, lookup or suffix."),
        ("draft_length", "0", "'0' does not fit; give auto or a whole number from 1 to 64."),
        ("draft_length", "²", "give auto or a whole number"),
        ("draft_length", "9" * 5_000, "9…' does not fit"),
        ("warmup_steps", "1_0", "give a whole number from 0 to 1,000,000."),
        ("min_acceptance", "nan", "give a number from 0 to 1."),
        ("min_acceptance", "1e999", "give a number from 0 to 1."),
        ("min_acceptance", "0,3", "give a number from 0 to 1."),
        ("extra_excluded", "5, -1", "give token ids such as 5, 17 or none."),
        ("extra_excluded", "<pad>", "give token ids"),
        ("debug_trace", "21", "give a whole number from 0 to 20."),
    ],
)
def test_texts_that_do_not_fit(name, text, words):
    with pytest.raises(FlagError) as raised:
        FLAGS[name].parse(text)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("enabled", 1),
        ("draft_length", True),
        ("draft_length", 3.0),
        ("draft_length", "3"),
        ("min_acceptance", False),
        ("min_acceptance", float("inf")),
        ("drafter", None),
        ("extra_excluded", 5),
        ("extra_excluded", [True]),
        ("extra_excluded", list(range(MOST_IDS + 1))),
        ("ngram_max", {}),
    ],
)
def test_json_that_does_not_fit(name, value):
    with pytest.raises(FlagError):
        FLAGS[name].fitted(value)


@pytest.mark.parametrize(
    ("name", "value", "up", "down"),
    [
        ("draft_length", None, 1, None),
        ("draft_length", 1, 2, None),
        ("draft_length", 64, 64, 63),
        ("ngram_min", 1, 2, 1),
        ("min_acceptance", 0.3, 0.35, 0.25),
        ("min_acceptance", 1.0, 1, 0.95),
    ],
)
def test_arrow_keys_count(name, value, up, down):
    flag = FLAGS[name]
    assert (flag.stepped(value, 1), flag.stepped(value, -1)) == (up, down)


def test_a_flag_without_a_part_to_play_says_why():
    fixed = SpeculationParams(draft_length=3)
    for name in ("min_acceptance", "warmup_steps", "probe_interval", "pending_limit"):
        assert "draft length is fixed" in idle_reason(name, fixed)
    assert "suffix" in idle_reason("ngram_min", SpeculationParams(drafter="suffix"))
    assert "carry" in idle_reason("replay", SpeculationParams(rollback="carry"))
    assert idle_reason("extra_excluded", SpeculationParams(exclude=False))
    assert not any(idle_reason(name, SpeculationParams()) for name in FLAGS)


def test_what_a_reply_runs_with_is_told_in_the_flags_own_words():
    config = config_for(GenerationRequest(messages=HELLO, speculation=SpeculationParams()))
    told = {name: in_effect(name, config) for name in FLAGS}
    assert told["rollback"] == "carry"
    assert told["guard"] == "off"
    assert told["draft_length"] == "auto"
    assert told["min_acceptance"] == "0.3"
    assert told["pending_limit"] == "16"
    assert told["extra_excluded"] is None
    off = replace(config, enabled=False, rollback=None)
    told = {name: in_effect(name, off) for name in FLAGS}
    assert {name for name, text in told.items() if text is not None} == {"enabled"}
    assert told["enabled"] == "off"
    assert in_effect("pending_limit", replace(config, pending_limit=None)) is None


def test_ids_beyond_the_vocabulary_are_told():
    assert missing_ids((1, INFO.vocabulary_size), INFO).startswith("Token id 8192 does not exist")
    assert missing_ids((1, 2), INFO) == missing_ids((10**6,), None) == missing_ids(3, INFO) == ""
