"""The draft laid out: each token's sign and words, wrapping, what the compact row leaves out."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from app.models.step_facts import step_facts
from app.models.token_facts import visible
from app.views.inspector.draft_row import DraftRow
from tests.app.inspector.long_replies import grow, started_reply
from tests.app.inspector.traced import NAMES, raw_of, reply_of

WIDTH = 331


@pytest.fixture
def row(qtbot, theme):
    row = DraftRow(theme)
    qtbot.addWidget(row)
    row.resize(WIDTH, 60)
    row.show()
    return row


def long_step(num_drafted):
    reply = started_reply()
    grow(reply, 2)
    draft = tuple(range(num_drafted))
    record = replace(
        reply.log[1],
        draft=draft,
        accepted=num_drafted,
        emitted=(*draft, 1),
        origins=("accepted",) * num_drafted + ("bonus",),
    )
    return reply, record


@pytest.mark.parametrize("name", NAMES)
def test_every_token_of_the_step_is_shown_with_its_text(row, name):
    reply, raw = reply_of(name), raw_of(name)
    words = {token: text for step in raw.steps for token, text in step["words"]}
    words |= dict(raw.start["words"])
    for record, step in zip(reply.log, raw.steps, strict=True):
        row.show_step(reply, record)
        own = step["emitted"][step["accepted"] :]
        tokens = [*step["draft"], *step["cut"], *own]
        shown = sorted(chip.text for chip in row.chips)
        assert shown == sorted(visible(words[token]) or "∅" for token in tokens)
        assert row.accessibleDescription().count("(id ") == len(tokens)


def test_a_rejected_token_stands_beside_what_was_chosen(row):
    reply = reply_of("lookup")
    record = next(r for r in reply.log if "corrected" in r.origins and r.accepted)
    row.show_step(reply, record)
    kinds = [chip.kind for chip in row.chips]
    at = kinds.index("rejected")
    assert kinds[at + 1] == "corrected"
    assert row.chips[at + 1].is_instead
    assert row.chips[at].text != row.chips[at + 1].text


def test_under_discard_no_token_stands_for_the_rejected_one(row):
    reply = reply_of("discard")
    record = next(r for r in reply.log if r.dropped)
    row.show_step(reply, record)
    assert [chip.kind for chip in row.chips] == ["dropped", "rejected", "generated"]
    assert not any(chip.is_instead for chip in row.chips)


def test_a_long_draft_wraps_inside_the_width(row):
    row.show_step(*long_step(31))
    placed = row.laid_out(WIDTH)
    assert len(placed) == 32
    assert all(rect.left() >= 0 and rect.right() <= WIDTH for _, rect in placed)
    assert row.heightForWidth(WIDTH) >= placed[-1][1].bottom()
    assert row.heightForWidth(WIDTH) > row.heightForWidth(2_000)


def test_the_compact_row_keeps_its_height(qtbot, theme):
    row = DraftRow(theme, max_lines=2)
    qtbot.addWidget(row)
    height = row.height()
    row.show_step(*long_step(31))
    row.resize(WIDTH, row.height())
    assert row.height() == row.heightForWidth(WIDTH) == height
    assert 0 < len(row.laid_out(WIDTH)) < len(row.chips)
    assert row.accessibleDescription().count("(id ") == 32


def test_a_click_on_a_token_of_the_text_says_which(row, qtbot):
    reply = reply_of("lookup")
    record = next(r for r in reply.log if "corrected" in r.origins and r.accepted)
    row.show_step(reply, record)
    chosen = []
    row.token_chosen.connect(chosen.append)
    for chip, rect in row.laid_out(WIDTH):
        QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=rect.center().toPoint())
        assert row.words_at(rect.center().toPoint()) == chip.words
    facts = step_facts(record)
    assert sorted(chosen) == list(range(len(record.emitted)))
    assert len(row.chips) == len(facts.draft) + len(facts.own)
    assert row.words_at(QPoint(WIDTH - 1, 59)) == ""
