"""Layers of settings: the highest wins, what does not fit is left out alone, and said."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.flag_layers import environment_layer, objection, plain_layer, resolve
from app.models.flags import FLAGS
from app.models.speculation import SpeculationSettings
from engine import SpeculationParams

PREFIX = "DRAFTSCOPE_PLD_"


def settings_of(file=None, environment=None, command=None, chat=None):
    variables = {PREFIX + name: text for name, text in (environment or {}).items()}
    settings = SpeculationSettings(file, variables, command)
    settings.use_chat({} if chat is None else chat)
    return settings


def counted(signal):
    seen = []
    signal.connect(lambda: seen.append(None))
    return seen


def test_with_nothing_set_everything_is_the_default():
    settings = settings_of()
    assert settings.params == SpeculationParams()
    assert settings.num_alternatives == 4
    assert {settings.resolved(name).source for name in FLAGS} == {"default"}
    assert {settings.resolved(name).origin for name in FLAGS} == {"default"}
    assert settings.problems == ()


def test_each_layer_lies_over_the_one_before():
    given_in = {
        "file": {"draft_length": 2},
        "environment": {"DRAFT_LENGTH": "3"},
        "command": {"draft_length": 4},
        "chat": {"draft_length": 5},
    }
    origins = ["settings file", f"environment {PREFIX}DRAFT_LENGTH", "command line", "this chat"]
    for number in range(4):
        settings = settings_of(**dict(list(given_in.items())[: number + 1]))
        resolved = settings.resolved("draft_length")
        assert (resolved.value, resolved.origin) == (number + 2, origins[number])
        assert settings.params.draft_length == number + 2
    assert resolved.shadow == (
        "The settings file sets 2, the environment 3, the command line 4, this chat 5."
    )


def test_a_shadowed_value_is_told():
    settings = settings_of(environment={"DRAFT_LENGTH": "3"})
    assert settings.resolved("draft_length").shadow == ""
    settings.set("draft_length", 5)
    assert settings.resolved("draft_length").shadow == "The environment sets 3, this chat 5."
    settings = settings_of(file={"extra_excluded": [7, 9]}, chat={"extra_excluded": []})
    assert settings.resolved("extra_excluded").shadow == (
        "The settings file sets (7, 9), this chat none."
    )


def test_wrong_environment_values_are_ignored_one_by_one():
    settings = settings_of(
        environment={"DRAFT_LENGTH": "long", "DRAFTER": "suffix", "GUARD": " ", "WARMUP": "3"}
    )
    assert settings.params == SpeculationParams(drafter="suffix")
    assert settings.problems == (
        f"The variable {PREFIX}WARMUP names no setting and is ignored.",
        f"{PREFIX}DRAFT_LENGTH is 'long' and is ignored; give auto or a whole number from 1 to 64.",
    )
    assert settings.resolved("draft_length").problems == settings.problems[1:]
    assert settings.strangers == settings.problems[:1]


def test_variables_of_others_are_none_of_ours():
    assert environment_layer({"DRAFTSCOPE_CACHE": "x", "PATH": "/"}).problems == ()


def test_a_wrong_value_in_the_file_falls_back_alone_and_stays_in_the_file():
    file = {"drafter": "tree", "replay": False, "of_tomorrow": [1]}
    settings = settings_of(file=file)
    assert settings.params == SpeculationParams(replay=False)
    assert settings.problems == (
        "Drafter in the settings file is 'tree' and is ignored; give auto, lookup or suffix.",
    )
    settings.set_default("draft_length", 3)
    assert settings.file_values == {**file, "draft_length": 3}
    settings.set_default("drafter", "lookup")
    assert settings.problems == ()
    assert settings.file_values["drafter"] == "lookup"


def test_flags_that_do_not_go_together_are_refused_by_the_engines_own_sentence():
    settings = settings_of()
    sentence = settings.set("ngram_min", 6)
    assert sentence == (
        "The smallest n-gram, 6, is longer than the largest, 4; lower the one or raise the other."
    )
    assert settings.params == SpeculationParams()
    assert settings.objection("ngram_min", 6) == sentence
    assert settings.set("ngram_max", 8) is None
    assert settings.objection("ngram_min", 6) is None
    assert settings.set("ngram_min", 6) is None
    assert settings.params == SpeculationParams(ngram_max=8, ngram_min=6)
    assert settings.set("ngram_max", 5) is not None
    assert settings.params.ngram_max == 8


def test_the_lower_layer_gives_way_where_two_do_not_go_together():
    settings = settings_of(file={"ngram_min": 4}, environment={"NGRAM_MAX": "3"})
    assert settings.params == SpeculationParams(ngram_max=3, ngram_min=2)
    (sentence,) = settings.problems
    assert sentence == (
        "Smallest n-gram in the settings file is 4 and is ignored. "
        "The smallest n-gram, 4, is longer than the largest, 3; lower the one or raise the other."
    )


@pytest.mark.parametrize(
    ("smallest", "largest", "name"), [("6", "3", "NGRAM_MIN"), ("4", "3", "NGRAM_MAX")]
)
def test_what_gives_way_in_one_layer_is_named_and_neither_is_blamed(smallest, largest, name):
    given = {"NGRAM_MIN": smallest, "NGRAM_MAX": largest}
    (sentence,) = settings_of(environment=given).problems
    assert sentence == (
        f"DRAFTSCOPE_PLD_{name} is {given[name]} and is ignored. The smallest n-gram, {smallest}, "
        f"is longer than the largest, {largest}; lower the one or raise the other."
    )


def test_a_value_that_fits_no_more_is_set_aside_and_comes_back():
    chat = {}
    settings = settings_of(chat=chat)
    settings.set("ngram_max", 8)
    settings.set("ngram_min", 6)
    settings.reset("ngram_max")
    assert settings.params == SpeculationParams()
    assert "this chat is 6 and is ignored" in settings.problems[0]
    settings.set("ngram_max", 7)
    assert settings.params == SpeculationParams(ngram_max=7, ngram_min=6)


def test_a_chat_keeps_its_own_values():
    first, second = {}, {}
    settings = settings_of(chat=first)
    settings.set("drafter", "suffix")
    settings.set("extra_excluded", (5, 5, 3))
    settings.set("guard", False)
    assert first == {"drafter": "suffix", "extra_excluded": [5, 3], "guard": False}
    changes = counted(settings.changed)
    settings.use_chat(second)
    assert settings.params == SpeculationParams()
    settings.set("draft_length", 2)
    assert second == {"draft_length": 2}
    settings.use_chat(first)
    assert settings.params.extra_excluded == (5, 3)
    assert len(changes) == 3


def test_what_other_layers_give_anyway_is_no_override():
    chat = {}
    settings = settings_of(file={"draft_length": 3}, chat=chat)
    changes = counted(settings.changed)
    assert settings.set("draft_length", 3) is None
    assert (chat, changes) == ({}, [])
    settings.set("draft_length", None)
    assert chat == {"draft_length": "auto"}
    settings.set("draft_length", 3)
    assert chat == {}
    assert settings.resolved("draft_length").source == "file"


def test_reset_drops_the_chats_value_only():
    settings = settings_of(file={"replay": False}, chat={"replay": True})
    changes = counted(settings.changed)
    settings.reset("replay")
    settings.reset("replay")
    assert settings.resolved("replay").source == "file"
    assert len(changes) == 1


@pytest.mark.parametrize("value", [0, 65, True, "5", 2.0])
def test_a_value_that_does_not_fit_is_refused_with_a_sentence(value):
    settings = settings_of()
    assert "give auto or a whole number from 1 to 64." in settings.set("draft_length", value)
    assert "give auto or a whole number" in settings.set_default("draft_length", value)
    assert settings.params == SpeculationParams()
    assert settings.file_values == {}


def test_a_value_for_all_chats_goes_to_the_file_and_out_again():
    settings = settings_of()
    written = counted(settings.file_changed)
    assert settings.set_default("guard", True) is None
    assert settings.set_default("guard", True) is None
    assert settings.resolved("guard").source == "file"
    assert settings.file_values == {"guard": True}
    assert settings.set_default("guard", None) is None
    assert settings.file_values == {}
    settings.set_default("guard", False)
    settings.reset_default("guard")
    settings.reset_default("guard")
    assert settings.file_values == {}
    assert len(written) == 4


def test_for_all_chats_is_checked_against_the_file_alone():
    settings = settings_of(chat={"ngram_max": 8, "ngram_min": 6})
    assert "n-gram, 6, is longer than the largest, 4" in settings.use_for_all("ngram_min")
    assert settings.use_for_all("ngram_max") is None
    assert settings.use_for_all("ngram_min") is None
    assert settings.file_values == {"ngram_max": 8, "ngram_min": 6}


def test_a_chats_value_becomes_that_of_all_chats_and_back():
    chat = {"draft_length": 5}
    settings = settings_of(file={"draft_length": 2}, chat=chat)
    settings.use_for_all("draft_length")
    assert (settings.file_values, chat) == ({"draft_length": 5}, {})
    assert settings.resolved("draft_length").source == "file"
    assert settings.can_undo("draft_length")
    settings.undo_for_all("draft_length")
    assert (settings.file_values, chat) == ({"draft_length": 2}, {"draft_length": 5})
    assert not settings.can_undo("draft_length")


def test_a_chat_keeps_its_value_where_the_environment_would_take_over():
    chat = {"draft_length": 5}
    settings = settings_of(environment={"DRAFT_LENGTH": "3"}, chat=chat)
    settings.use_for_all("draft_length")
    assert settings.params.draft_length == 5
    assert settings.file_values == chat == {"draft_length": 5}


@pytest.mark.parametrize("act", ["set", "set_default", "use_chat"])
def test_undo_ends_with_the_next_change(act):
    settings = settings_of(chat={"draft_length": 5})
    settings.use_for_all("draft_length")
    arguments = [{}] if act == "use_chat" else ["draft_length", 6]
    getattr(settings, act)(*arguments)
    assert not settings.can_undo("draft_length")


def test_the_debug_trace_is_no_parameter_of_the_engines_speculation():
    settings = settings_of(environment={"DEBUG_TRACE": "0"})
    assert settings.num_alternatives == 0
    assert settings.params == SpeculationParams()


def test_the_switches_set_this_chat():
    settings = settings_of()
    settings.set_enabled(False)
    settings.set_replay(False)
    settings.set_exclude(False)
    settings.set_draft_length(3)
    assert settings.params == SpeculationParams(
        enabled=False, replay=False, exclude=False, draft_length=3
    )
    assert settings.resolved("replay").source == "chat"
    assert settings.file_values == {}


SOME_VALUES = st.fixed_dictionaries(
    {},
    optional={
        "ngram_max": st.integers(-2, 70),
        "ngram_min": st.integers(-2, 70),
        "drafter": st.sampled_from(["auto", "lookup", "tree"]),
        "draft_length": st.none() | st.integers(-1, 66),
        "min_acceptance": st.floats(),
        "extra_excluded": st.lists(st.integers(-1, 5), max_size=3),
        "of_tomorrow": st.text(),
    },
)


@given(SOME_VALUES, SOME_VALUES, SOME_VALUES)
def test_any_layers_end_in_settings_that_can_run(file, command, chat):
    layers = [plain_layer("file", file), plain_layer("command", command), plain_layer("chat", chat)]
    resolved = resolve(layers)
    values = {name: item.value for name, item in resolved.items()}
    assert objection(values) is None
    for name, item in resolved.items():
        given_values = [layer.values.get(name, item.flag.default) for layer in layers]
        assert item.value in (*given_values, item.flag.default)
        fitting = [layer for layer in layers if name in layer.values]
        if fitting and not item.problems:
            assert item.source == fitting[-1].source
            assert item.value == fitting[-1].values[name]


@given(
    SOME_VALUES,
    SOME_VALUES,
    SOME_VALUES,
    st.sampled_from(["ngram_max", "ngram_min"]),
    st.integers(0, 70),
)
def test_what_is_taken_is_in_force_and_what_is_refused_changes_nothing(
    file, command, chat, name, value
):
    settings = SpeculationSettings(file, {}, command)
    settings.use_chat(chat)
    before = settings.params
    if settings.set(name, value) is None:
        assert settings.resolved(name).value == value
    else:
        assert settings.params == before
