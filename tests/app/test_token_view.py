"""The token view on recorded runs: tokens chosen, shown with their sources, told on a card."""

import math
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QKeySequence, QShortcut, QTextCursor
from PySide6.QtTest import QTest

from app.models.reply import Reply
from app.models.token_facts import visible
from app.views.messages import FOLD_CHARACTERS, SHOWN_CHARACTERS, PromptBubble
from app.views.reply_text import SourceRange
from app.views.scrolling import EDGE
from app.views.spoken_of import spoken_of
from app.views.token_rows import probability
from engine import Message, replay_trace
from tests.app.test_sources import ids_of, words_of
from tests.app.trace_replies import Column, trace

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def column(qtbot, qapp):
    """Makes columns that show a trace, laid out and with the focus in the reply's text."""

    def make(name="local", **options):
        source = name if not isinstance(name, str) else trace(name)
        made = Column(source, **options)
        qtbot.addWidget(made)
        qtbot.waitExposed(made)
        qapp.processEvents()
        made.text.setFocus()
        return made

    return make


def middle(text, token):
    return text.lines.token_rects(token, token)[0].center().toPoint()


def click(column, token, qapp):
    QTest.mouseClick(column.text.viewport(), LEFT, pos=middle(column.text, token))
    qapp.processEvents()


def keys(column, qapp, *pressed, modifier=Qt.KeyboardModifier.NoModifier):
    for key in pressed:
        QTest.keyClick(column.text, key, modifier)
    qapp.processEvents()


def lit(text, part):
    """The texts that are lit up as a part of the source."""
    return [
        text.paragraphs.plain_text(start, end) for start, end, kind in text.sources if kind == part
    ]


def test_a_click_selects_the_token_and_opens_its_card(column, qapp):
    made = column()
    ids = ids_of(made.trace)
    for token in (4, 11, 22, 40):
        click(made, token, qapp)
        assert made.inspection.reply is made.reply
        assert made.inspection.token == token
        assert made.text.selected == (token, token)
        assert made.card.value("id") == str(ids[len(made.trace.started.prompt_ids) + token])


def test_every_token_is_under_its_own_middle(column):
    made = column()
    for token in range(made.reply.log.num_tokens):
        point = QPointF(middle(made.text, token))
        assert made.text.lines.token_at(point) == token


def test_every_byte_of_a_character_has_its_slice(column):
    made = column("multibyte")
    for token in range(made.reply.log.num_tokens):
        rect = made.text.lines.token_rects(token, token)[0]
        assert made.text.lines.token_at(rect.center()) == token
    whole = made.text.lines.token_rects(18, 20)
    assert len(whole) == 1
    parts = [made.text.lines.token_rects(token, token)[0].width() for token in (18, 19, 20)]
    assert sum(parts) == pytest.approx(whole[0].width())


def test_the_card_says_what_the_trace_says(column, qapp):
    made = column()
    words = words_of(made.trace)
    step = made.trace.steps[5]
    token = sum(len(each.emitted) for each in made.trace.steps[:5]) + 1
    click(made, token, qapp)
    card = made.card
    assert card.word.accessibleName() == f"“{visible(words[step.emitted[1]])}”"
    assert card.origin.text() == step.origins[1] == "accepted"
    assert card.value("probability") == probability(math.exp(step.logprobs[1]))
    assert card.value("step 6 · draft position") == f"2 of {len(step.draft)}"
    assert card.value("leads by") == f"{step.margins[1]:.2f} logits"
    start, length = step.match
    ends = made.trace.started.prompt_ends
    ngram = made.trace.started.prompt_text[ends[start - 1] : ends[start + length - 1]]
    assert card.value("matched") == f"“{visible(ngram)}”"
    assert card.value("copied from") == "your message"
    first = next(pair for pair in step.alternatives[1] if pair[0] != step.emitted[1])
    assert card.value("next best").startswith(f"“{visible(words[first[0]])}” ")
    assert card.value("the draft said") is None
    assert "Token 12" in card.accessibleName()


def test_a_correction_says_what_was_rejected(column, qapp):
    made = column()
    step = next(each for each in made.trace.steps if "corrected" in each.origins)
    token = sum(len(each.emitted) for each in made.trace.steps[: step.index])
    click(made, token + step.accepted, qapp)
    said = words_of(made.trace)[step.draft[step.accepted]]
    assert made.card.value("the draft said") == f"“{visible(said)}”"
    assert made.card.value("copied from") is None


@pytest.mark.parametrize("name", ["local", "lookup", "sampled", "multibyte", "discard"])
def test_the_source_is_lit_where_it_stands(column, qapp, name):
    made = column(name)
    ids, prompt = ids_of(made.trace), made.trace.started
    words, token, seen = words_of(made.trace), 0, 0
    texts = [made.text, made.bubble().body]
    texts += [view.text for view in made.view.reply_views[:-1]]
    for step in made.trace.steps:
        for number, emitted in enumerate(step.emitted):
            made.inspection.show_reply(made.reply)
            made.inspection.select_token(token)
            own = [part for text in texts for part in lit(text, "token")]
            if number < step.accepted and "-" not in str(step.copied):
                word = words[emitted]
                start = step.copied[0][0] + number
                if len(step.copied) == 1 and start < len(prompt.prompt_ids):
                    low = prompt.prompt_ends[start - 1]
                    inside = any(
                        low >= prompt.prompt_text.index(m.content)
                        and low < prompt.prompt_text.index(m.content) + len(m.content)
                        for m in prompt.messages
                    )
                    if inside and not word.startswith("<"):
                        assert own == [word]
                        assert ids[start] == emitted
                        seen += 1
            elif number >= step.accepted:
                assert own == []
            token += 1
    assert seen > 0


def test_a_source_in_the_same_reply_is_lit_there(column, qapp):
    made = column("cancelled")
    ids, base = ids_of(made.trace), len(made.trace.started.prompt_ids)
    steps = [step for step in made.trace.steps if step.copied and step.copied[0][0] >= base]
    assert steps
    for step in steps:
        made.inspection.show_reply(made.reply)
        made.inspection.select_step(step.index)
        start, end = step.copied[0][0], sum(step.copied[0])
        words = words_of(made.trace)
        assert lit(made.text, "draft") == ["".join(words[i] for i in ids[start:end])]
        assert lit(made.text, "match") == [words[ids[step.match[0]]]]


def test_a_step_outlines_all_its_tokens_and_lights_its_draft(column, qapp):
    made = column()
    made.inspection.show_reply(made.reply)
    made.inspection.select_step(5)
    first = made.reply.log.first_token(5)
    assert made.text.selected == (first, first + len(made.trace.steps[5].emitted) - 1)
    assert lit(made.bubble().body, "draft") == [" tax_rate):\n"]
    assert lit(made.bubble().body, "match") == ["def total_price(items,"]
    assert lit(made.bubble().body, "token") == []
    made.inspection.follow()
    assert made.text.selected is None
    assert made.bubble().body.sources == ()


def test_an_edit_made_again_lights_no_token(column, qapp):
    made = column()
    token = made.reply.log.first_token(9) + 4
    click(made, token, qapp)
    assert lit(made.bubble().body, "token") == []
    assert made.card.value("copied from") == "an edit, made again"


def test_a_source_in_an_earlier_reply_is_lit_there(column, qapp):
    made = column("eos-in-block")
    click(made, 1, qapp)
    earlier = made.view.reply_views[0].text
    assert lit(earlier, "token") == [" two"]
    assert lit(earlier, "draft") == ["One two three four."]
    assert made.card.value("copied from") == "an earlier reply"


def test_arrows_go_from_token_to_token(column, qapp):
    made = column()
    last = made.reply.log.num_tokens - 1
    key = Qt.Key
    keys(made, qapp, key.Key_Right)
    assert made.inspection.token == 0
    keys(made, qapp, key.Key_Right, key.Key_Right, key.Key_Left)
    assert made.inspection.token == 1
    keys(made, qapp, key.Key_End, modifier=Qt.KeyboardModifier.ControlModifier)
    assert made.inspection.token == last
    keys(made, qapp, key.Key_Right)
    assert made.inspection.token == last
    keys(made, qapp, key.Key_Home, modifier=Qt.KeyboardModifier.ControlModifier)
    keys(made, qapp, key.Key_Left)
    assert made.inspection.token == 0


@pytest.mark.parametrize("key", [Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return])
def test_the_first_key_begins_with_the_first_token_in_view(column, qapp, key):
    made = column()
    made.resize(760, 300)
    qapp.processEvents()
    bar = made.view.verticalScrollBar()
    bar.setValue(bar.maximum())
    qapp.processEvents()
    keys(made, qapp, key)
    token = made.inspection.token
    assert token > 0
    above = made.text.lines.beside(token, -1, 0.0)
    assert above is not None
    rects = [made.text.lines.token_rects(each, each)[0].toRect() for each in (token, above)]
    tops = [made.text.mapTo(made.view.viewport(), each.topLeft()).y() for each in rects]
    assert bar.value() == bar.maximum(), "nothing had to move"
    assert tops[0] >= EDGE > tops[1]


@pytest.mark.parametrize("key", [Qt.Key.Key_Left, Qt.Key.Key_Up])
def test_the_first_key_back_begins_with_the_last_token_in_view(column, qapp, key):
    made = column()
    made.resize(760, 300)
    qapp.processEvents()
    bar = made.view.verticalScrollBar()
    last = made.reply.log.num_tokens - 1
    spot = made.text.mapTo(made.view.viewport(), QPoint(0, 0)).y()
    bar.setValue(bar.value() + spot - 100)
    qapp.processEvents()
    keys(made, qapp, key)
    token = made.inspection.token
    assert 0 < token < last
    rect = made.text.lines.token_rects(token, token)[0].toRect()
    assert made.text.mapTo(made.view.viewport(), rect.bottomLeft()).y() <= 300
    made.inspection.follow()
    bar.setValue(bar.maximum())
    qapp.processEvents()
    keys(made, qapp, key)
    assert made.inspection.token == last


def test_every_token_is_reached_by_the_keyboard(column, qapp):
    made = column("multibyte")
    seen = []
    for _ in range(made.reply.log.num_tokens):
        keys(made, qapp, Qt.Key.Key_Right)
        seen.append(made.inspection.token)
    assert seen == list(range(made.reply.log.num_tokens))
    assert made.text.lines.tail()[-1][0] == seen[-1]


def test_up_and_down_go_to_the_line_above_and_below(column, qapp):
    made = column()
    lines = made.text.lines
    start = made.reply.log.first_token(9)
    made.inspection.show_reply(made.reply)
    made.inspection.select_token(start)
    top = lines.token_rects(start, start)[0].top()
    keys(made, qapp, Qt.Key.Key_Down)
    below = lines.token_rects(made.inspection.token, made.inspection.token)[0]
    assert below.top() > top
    assert below.left() <= lines.token_rects(start, start)[0].center().x() <= below.right() + 1
    keys(made, qapp, Qt.Key.Key_Up)
    assert lines.token_rects(made.inspection.token, made.inspection.token)[0].top() == top
    keys(made, qapp, Qt.Key.Key_Home)
    assert made.inspection.token == lines.line_ends(start)[0]
    keys(made, qapp, Qt.Key.Key_End)
    assert made.inspection.token == lines.line_ends(start)[1]
    assert "\n" in words_of(made.trace)[ids_of(made.trace)[79 + made.inspection.token]]


def test_enter_opens_the_card_arrows_carry_it_along_escape_closes_it(column, qapp):
    made = column()
    keys(made, qapp, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert made.card is not None
    assert made.text.hasFocus()
    keys(made, qapp, Qt.Key.Key_Right)
    assert made.card.accessibleName() == "Token 2"
    keys(made, qapp, Qt.Key.Key_Escape)
    assert made.card is None
    assert made.inspection.token == 1
    keys(made, qapp, Qt.Key.Key_Escape)
    assert made.inspection.is_following
    keys(made, qapp, Qt.Key.Key_Space)
    assert made.inspection.token == 0
    assert made.card is not None


def test_escape_is_the_windows_once_nothing_is_open_or_selected(column, qapp):
    made = column()
    stopped = []
    QShortcut(QKeySequence(Qt.Key.Key_Escape), made, lambda: stopped.append(1))
    made.activateWindow()
    click(made, 5, qapp)
    keys(made, qapp, Qt.Key.Key_Escape, Qt.Key.Key_Escape)
    assert made.inspection.is_following
    assert stopped == []
    keys(made, qapp, Qt.Key.Key_Escape)
    assert stopped == [1]


def test_a_click_elsewhere_closes_the_card(column, qapp):
    made = column()
    click(made, 5, qapp)
    inside = made.card.geometry().center()
    QTest.mouseClick(made.windowHandle(), LEFT, pos=inside)
    assert made.card is not None
    QTest.mouseClick(made.windowHandle(), LEFT, pos=QPoint(8, made.height() - 8))
    assert made.card is None


def test_scrolling_closes_the_card(column, qapp):
    made = column()
    made.resize(760, 360)
    qapp.processEvents()
    click(made, 5, qapp)
    assert made.card is not None
    bar = made.view.verticalScrollBar()
    bar.setValue(bar.value() + (9 if bar.value() < bar.maximum() else -9))
    assert made.card is None


@pytest.mark.parametrize("size", [(760, 800), (760, 360), (640, 480)])
def test_the_card_stays_in_the_window_beside_its_token(column, qapp, size):
    made = column()
    made.resize(*size)
    qapp.processEvents()
    for token in (0, 14, 45, made.reply.log.num_tokens - 1):
        made.inspection.show_reply(made.reply)
        made.inspection.select_token(token)
        qapp.processEvents()
        click(made, token, qapp)
        card, room = made.card.geometry(), made.rect()
        assert room.contains(card.adjusted(12, 12, -12, -12))
        rect = made.text.lines.token_rects(token, token)[0].toRect()
        spot = rect.translated(made.text.mapTo(made, QPoint(0, 0)))
        assert not card.adjusted(12, 12, -12, -12).intersects(spot)


def free_places(size, room, kept):
    """Whether a card of this size fits anywhere, tried in steps of a few pixels."""
    return any(
        not any(QRect(QPoint(x, y), size).intersects(each) for each in kept)
        for x in range(room.left(), room.right() - size.width() + 2, 3)
        for y in range(room.top(), room.bottom() - size.height() + 2, 3)
    )


@pytest.mark.parametrize("size", [(640, 480), (760, 620), (1440, 900)])
@pytest.mark.parametrize("by_key", [False, True])
def test_the_card_covers_neither_its_line_nor_the_source(column, qapp, size, by_key):
    made = column()
    made.resize(*size)
    qapp.processEvents()
    last = made.reply.log.num_tokens - 1
    num_lit = 0
    for token in (0, 11, 14, 45, 70, last - 3, last):
        made.inspection.show_reply(made.reply)
        made.inspection.select_token(token)
        qapp.processEvents()
        if by_key:
            keys(made, qapp, Qt.Key.Key_Return)
        else:
            click(made, token, qapp)
        kept = spoken_of(made, made.view.viewport(), made.text, [made.bubble().body, made.text])
        num_lit += len(kept) > 1
        card, room = made.card.body, made.rect().adjusted(4, 4, -4, -4)
        assert room.contains(card)
        assert not card.intersects(kept[0])
        is_free = not any(card.intersects(each) for each in kept)
        assert is_free or not free_places(card.size(), room, kept)
        keys(made, qapp, Qt.Key.Key_Escape)
    assert num_lit > 2


def long_trace():
    """The run of `local`, its code behind a text that folds the bubble."""
    source = trace("local")
    started = source.started
    lead = "word " * (FOLD_CHARACTERS // 5 + 1)
    (message,) = started.messages
    moved = len(lead)
    start = started.prompt_text.index(message.content)
    text = started.prompt_text.replace(message.content, lead + message.content)
    ends = tuple(end + moved if end > start else end for end in started.prompt_ends)
    head = replace(
        started,
        messages=(Message("user", lead + message.content),),
        prompt_text=text,
        prompt_ends=ends,
    )
    return replace(source, started=head)


def is_on_screen(column, widget, rect):
    spot = widget.mapTo(column.view.viewport(), rect.center().toPoint())
    return column.view.viewport().rect().contains(spot)


def test_s_jumps_to_the_source_and_back_and_unfolds_what_hides_it(column, qapp):
    made = column(long_trace())
    bubble, bar = made.bubble(), made.view.verticalScrollBar()
    click(made, 11, qapp)
    assert bubble.is_folded
    assert made.card.source.isEnabled()
    keys(made, qapp, Qt.Key.Key_S)
    assert not bubble.is_folded
    assert lit(bubble.body, "token") == ["ax"]
    assert is_on_screen(made, bubble.body, bubble.body.source_rect())
    assert not made.card.source.isEnabled()
    made.card.back.click()
    qapp.processEvents()
    assert is_on_screen(made, made.text, made.text.selected_rect())
    made.resize(760, 300)
    qapp.processEvents()
    bar.setValue(bar.maximum())
    click(made, 11, qapp)
    made.card.source.click()
    qapp.processEvents()
    assert is_on_screen(made, bubble.body, bubble.body.source_rect())
    assert not is_on_screen(made, made.text, made.text.selected_rect())
    keys(made, qapp, Qt.Key.Key_S)
    assert is_on_screen(made, made.text, made.text.selected_rect())
    assert made.inspection.token == 11


def test_a_selection_from_elsewhere_scrolls_and_one_by_mouse_does_not(column, qapp):
    made = column()
    made.resize(760, 300)
    qapp.processEvents()
    bar = made.view.verticalScrollBar()
    bar.setValue(0)
    made.inspection.show_reply(made.reply)
    made.inspection.select_token(50)
    qapp.processEvents()
    assert bar.value() > 0
    spot = made.text.selected_rect().center().toPoint()
    assert 0 < made.text.mapTo(made.view.viewport(), spot).y() < 300
    bar.setValue(bar.value() + 20)
    before = bar.value()
    click(made, 51, qapp)
    assert bar.value() == before


def test_a_drag_selects_text_and_no_token(column, qapp):
    made = column()
    view = made.text.viewport()
    start, end = middle(made.text, 3), middle(made.text, 8)
    QTest.mousePress(view, LEFT, pos=start)
    QTest.mouseMove(view, end)
    QTest.mouseRelease(view, LEFT, pos=end)
    qapp.processEvents()
    assert made.text.textCursor().hasSelection()
    assert made.inspection.token is None
    copied = made.text.createMimeDataFromSelection().text()
    assert copied
    assert copied in made.reply.text


@pytest.mark.parametrize("name", ["local", "multibyte", "stop-string"])
def test_a_copy_is_the_plain_text_whatever_is_outlined(column, qapp, name):
    made = column(name)
    click(made, 3, qapp)
    made.text.selectAll()
    assert made.text.createMimeDataFromSelection().text() == made.reply.text
    spans = "".join(span.text for step in made.trace.steps for span in step.spans)
    assert made.reply.text == spans


def test_hovering_outlines_lightly(column, qapp):
    made = column()
    QTest.mouseMove(made.text.viewport(), middle(made.text, 6))
    qapp.processEvents()
    assert made.text.hovered == 6
    assert made.inspection.token is None


def test_without_the_token_view_it_is_only_text(column, qapp):
    made = column()
    made.display.set_on(False)
    click(made, 5, qapp)
    keys(made, qapp, Qt.Key.Key_Right, Qt.Key.Key_Return)
    assert made.inspection.token is None
    assert made.card is None


def test_the_selection_is_announced(column, qapp):
    made = column()
    word = words_of(made.trace)[made.trace.steps[5].emitted[3]]
    click(made, made.reply.log.first_token(5) + 3, qapp)
    assert made.text.accessibleDescription() == f"token 14, accepted, “{word}”"
    made.inspection.follow()
    assert made.text.accessibleDescription() == ""


def test_outlines_and_tints_cost_no_layout(column, qapp):
    made = column()
    changed = []
    made.text.document().documentLayout().update.connect(lambda rect: changed.append(rect))
    made.text.document().contentsChanged.connect(lambda: changed.append(None))
    made.inspection.show_reply(made.reply)
    for step in range(len(made.trace.steps)):
        made.inspection.select_step(step)
        qapp.processEvents()
    made.display.set_kind("accepted", False)
    qapp.processEvents()
    assert changed == []


def test_another_attempt_begins_with_an_empty_text(column, qapp):
    made = column()
    click(made, 5, qapp)
    made.exchange.reply = Reply()
    for event in replay_trace(trace("cancelled")):
        made.exchange.reply.apply(event)
    made.chat.publish(made.exchange)
    qapp.processEvents()
    assert made.text.selected is None
    made.text.selectAll()
    assert made.text.createMimeDataFromSelection().text() == made.exchange.reply.text
    made.text.moveCursor(QTextCursor.MoveOperation.Start)
    click(made, 4, qapp)
    assert made.inspection.reply is made.exchange.reply
    assert made.inspection.token == 4


def test_a_whole_prompt_in_one_bubble_shows_its_sources(column, qapp):
    source = trace("local")
    bare = replace(source, started=replace(source.started, messages=()))
    made = column(
        replace(bare, started=replace(bare.started, messages=(Message("user", "x"),))),
        prompt=source.started.prompt_text,
    )
    made.inspection.show_reply(made.reply)
    made.inspection.select_step(5)
    assert lit(made.bubble().body, "draft") == [" tax_rate):\n"]
    assert lit(made.bubble().body, "match") == ["def total_price(items,"]


def test_a_folded_bubble_unfolds_only_for_what_it_hides(qtbot, column):
    made = column()
    text = "".join(f"line {number} 😀\n" for number in range(900))
    bubble = PromptBubble(text, made.theme, made)
    bubble.show_source([SourceRange(5, 9)])
    bubble.reveal_source()
    assert bubble.is_folded
    start = text.index("line 800")
    assert start > SHOWN_CHARACTERS
    bubble.show_source([SourceRange(start, start + 8)])
    assert bubble.is_folded
    assert bubble.body.sources == ()
    bubble.reveal_source()
    assert not bubble.is_folded
    assert lit(bubble.body, "draft") == ["line 800"]
    assert bubble.body.paragraphs.plain_text(0, bubble.body.paragraphs.end) == text
