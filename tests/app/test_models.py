"""The state behind the window: replies, conversations, speculation settings, settings file."""

import json

import pytest

from app.arguments import parse_arguments
from app.models.conversation import Conversation, title_of
from app.models.prose import is_code_line
from app.models.reply import Reply
from app.models.speculation import SpeculationSettings
from app.models.summary import summary_line
from app.settings import Settings, read_settings, write_settings
from engine import ORIGINS, Failed, GenerationRequest, Message, SpeculationParams, TextSpan
from tests.fakes.scripted_worker import reply_events, steps_of, tokens_of

REQUEST = GenerationRequest(messages=(Message("user", "hi"),))
TEXT = "one two three four five six seven eight nine ten " * 5


def reply_of(text=TEXT, records=None):
    reply = Reply()
    for event in reply_events(1, REQUEST, records or steps_of(tokens_of(text))):
        reply.apply(event)
    return reply


def test_live_numbers_are_the_final_numbers():
    reply = reply_of()
    assert reply.run.statistics == reply.final
    assert reply.text == TEXT


def test_counts_by_origin_are_the_tallys():
    reply = reply_of()
    stats, counts = reply.final, reply.run.origins
    assert counts["accepted"] + counts["replayed"] == stats.accepted
    assert {o: counts[o] for o in ("replayed", "corrected", "bonus", "generated")} == {
        "replayed": stats.replayed,
        "corrected": stats.corrected,
        "bonus": stats.bonus,
        "generated": stats.generated,
    }
    assert sum(counts[origin] for origin in ORIGINS) == stats.emitted


def test_a_span_of_several_tokens_keeps_all_their_origins():
    records = steps_of(["a", "b", "c", "d", "e", "f", "g", "h"])
    import dataclasses

    second = dataclasses.replace(
        records[1], spans=(TextSpan(1, 4, "😀"), TextSpan(5, 1, "f"), TextSpan(6, 1, "g"))
    )
    reply = reply_of(records=[records[0], second, *records[2:]])
    piece = next(p for p in reply.pieces if p.text == "😀")
    assert piece.origins == ("accepted",) * 4
    assert piece.first == 1


def test_columns_hold_each_steps_tokens_and_rejected_drafts():
    reply = reply_of()
    records = steps_of(tokens_of(TEXT))
    for column, record in zip(reply.run.columns, records, strict=True):
        assert sum(count for _, count in column.origins) == len(record.emitted)
        assert column.rejected == len(record.draft) - record.accepted


def test_the_summary_line_says_how_it_went():
    line = summary_line(reply_of())
    assert "tok/s" in line
    assert "stopped: end of text" in line


def test_switches_map_to_parameters():
    settings = SpeculationSettings(SpeculationParams())
    seen = []
    settings.changed.connect(lambda: seen.append(settings.params))
    settings.set_replay(False)
    settings.set_exclude(False)
    settings.set_enabled(False)
    settings.set_draft_length(3)
    settings.set_draft_length(3)
    assert settings.params == SpeculationParams(
        enabled=False, replay=False, exclude=False, draft_length=3
    )
    assert len(seen) == 4


def test_failed_exchanges_are_not_told_to_the_model():
    chat = Conversation()
    first, second, third = chat.ask("one"), chat.ask("two"), chat.ask("three")
    for event in reply_events(1, REQUEST, steps_of(["yes"])):
        first.reply.apply(event)
    second.reply.apply(Failed(2, "no"))
    assert chat.messages(third, "be brief") == (
        Message("system", "be brief"),
        Message("user", "one"),
        Message("assistant", "yes"),
        Message("user", "three"),
    )


@pytest.mark.parametrize(
    ("line", "is_code"),
    [
        ("def total(items):", True),
        ("    subtotal = 0", True),
        ('{"id": 1}', True),
        ("x += 1", True),
        ("print(x)", True),
        ("Rename the variable subtotal to amount.", False),
        ("For every cat, write dog:", False),
        ("from time to time it rains.", False),
        ("", False),
    ],
)
def test_code_is_told_from_prose(line, is_code):
    assert is_code_line(line) is is_code


def test_a_title_is_the_first_line_shortened():
    assert title_of("\n  Rename   it. \nx = 1") == "Rename it"
    assert len(title_of("word " * 100)) <= 80


def test_settings_come_back_as_written(tmp_path):
    path = tmp_path / "deep" / "settings.json"
    settings = Settings(theme="dark", draft_length=4, replay=False)
    assert write_settings(path, settings) is None
    assert read_settings(path) == (settings, None)
    assert [p.name for p in path.parent.iterdir()] == ["settings.json"]


DAMAGED = ["{", "[]", "\x00", '{"a": ' + "[" * 300_000, '{"a": "' + "x" * 1_000_000 + '"}']


@pytest.mark.parametrize("damage", DAMAGED, ids=["cut", "list", "nul", "deep", "huge"])
def test_damaged_settings_are_set_aside_and_said_so(tmp_path, damage):
    path = tmp_path / "settings.json"
    path.write_text(damage)
    settings, sentence = read_settings(path)
    assert settings == Settings()
    assert "damaged" in sentence
    assert not path.exists()
    assert (tmp_path / "settings.broken.json").read_text() == damage


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("draft_length", 65),
        ("draft_length", 0),
        ("draft_length", True),
        ("width", "wide"),
        ("theme", "pink"),
        ("theme", []),
        ("replay", 1),
    ],
)
def test_one_value_that_does_not_fit_is_forgotten_alone(tmp_path, name, value):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"exclude": False, name: value}))
    assert read_settings(path) == (Settings(exclude=False), None)
    assert path.exists()


def test_a_remembered_window_has_a_size_a_window_can_have(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"width": 10**24, "height": -5}))
    settings, _ = read_settings(path)
    assert (settings.width, settings.height) == (16384, 480)


def test_unknown_settings_are_kept(tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"width": 900, "colour_of_tomorrow": {"x": 1}}))
    settings, _ = read_settings(path)
    assert settings.width == 900
    assert write_settings(path, settings) is None
    assert json.loads(path.read_text())["colour_of_tomorrow"] == {"x": 1}


def test_settings_that_cannot_be_saved_leave_nothing_behind(tmp_path):
    path = tmp_path / "settings.json"
    path.mkdir()
    assert "could not be saved" in write_settings(path, Settings())
    assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


@pytest.mark.parametrize("length", ["1", "64"])
def test_a_draft_length_the_command_takes_can_be_remembered(tmp_path, length):
    path = tmp_path / "settings.json"
    wanted = parse_arguments(["--draft-length", length], Settings()).speculation.draft_length
    write_settings(path, Settings(draft_length=wanted))
    assert read_settings(path)[0].draft_length == int(length)
