"""The state behind the window: replies, conversations, speculation settings, settings file."""

import pytest

from app.models.conversation import Conversation, title_of
from app.models.prose import is_code_line
from app.models.reply import Reply
from app.models.summary import summary_line
from engine import ORIGINS, Failed, GenerationRequest, Message, TextSpan
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


def test_the_log_holds_each_steps_record_and_outline():
    reply, records = reply_of(), steps_of(tokens_of(TEXT))
    assert list(reply.log) == records
    for record in records:
        column = reply.log.column(record.index)
        assert column.emitted == len(record.emitted)
        assert column.rejected == len(record.draft) - record.accepted
        assert column.excluded == record.excluded
        first = reply.log.first_token(record.index)
        for token in range(first, first + len(record.emitted)):
            assert reply.log.step_of(token) == record.index


def test_the_summary_line_says_how_it_went():
    line = summary_line(reply_of())
    assert "tok/s" in line
    assert "stopped: end of text" in line


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
