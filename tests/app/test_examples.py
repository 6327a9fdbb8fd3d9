"""The example cards: what is sent, what is offered next, and what they set."""

from dataclasses import replace

import pytest

from app.views.examples import EXAMPLES
from tests.fakes.scripted_worker import saying

SAID = "Draft length set to 5 so that drafting shows; Auto decodes plainly where drafts do not pay."


def test_an_example_is_sent_and_its_follow_up_offered(make_desk):
    desk = make_desk(saying("done"))
    desk.do(desk.window.conversation.empty.buttons[0].click)
    reply = desk.chats.current.last_reply
    desk.wait(desk.until(lambda: reply.is_over and not desk.controller.is_busy))
    view = desk.window.conversation.reply_views[0]
    assert not view.follow_up.isHidden()
    desk.do(view.follow_up.click)
    desk.wait(desk.until(lambda: len(desk.worker.requests) == 2 and not desk.controller.is_busy))
    assert [m.content for m in desk.worker.requests[1].messages] == [
        EXAMPLES[0].prompt,
        "done",
        EXAMPLES[0].follow_up,
    ]


def test_the_first_page_says_how_a_reply_is_made_readable(make_desk):
    desk = make_desk(saying("done"))
    line = desk.window.conversation.empty.views
    assert line.isVisible()
    assert line.text() == "Ctrl+T switches replies between their tokens and formatted text."
    desk.window.resize(640, 480)
    desk.settle()
    assert line.heightForWidth(line.width()) <= line.height()


def test_an_example_on_the_demo_model_fixes_the_draft_length_and_says_so(make_desk):
    desk = make_desk(saying("done"))
    window = desk.window

    def is_answered(count):
        return len(desk.worker.requests) == count and not desk.controller.is_busy

    desk.do(window.conversation.empty.buttons[0].click)
    assert window.middle.saying.sentence == SAID
    desk.wait(desk.until(lambda: is_answered(1)))
    assert desk.worker.requests[0].speculation.draft_length == 5
    assert window.live.length.text() == "5 ▾"
    assert window.middle.saying.sentence == SAID
    window.composer.set_text("thanks")
    desk.do(window.composer.submit)
    desk.wait(desk.until(lambda: is_answered(2)))
    assert window.middle.saying.sentence == ""


@pytest.mark.parametrize(
    ("change", "enabled", "length"),
    [({"device": "gpu"}, True, None), ({"is_demo": False}, True, None), ({}, False, None)],
)
def test_an_example_leaves_the_draft_length_where_drafting_may_pay(
    make_desk, change, enabled, length
):
    desk = make_desk(saying("done"))
    desk.session.model.info = replace(desk.session.model.info, **change)
    desk.session.speculation.set_enabled(enabled)
    desk.do(desk.window.conversation.empty.buttons[0].click)
    desk.wait(desk.until(lambda: bool(desk.worker.requests) and not desk.controller.is_busy))
    assert desk.worker.requests[0].speculation.draft_length is length
