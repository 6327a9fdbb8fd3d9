"""What stands above a reply: warnings as such, and quiet lines that only tell."""

import pytest

from app.models.quiet import CONTINUED, SYSTEM_PROMPT
from app.models.reply import Reply
from app.views.column.notices import ReplyHead


@pytest.mark.parametrize(
    ("sentence", "look"),
    [
        (CONTINUED, "small"),
        (SYSTEM_PROMPT.format("Be brief."), "small"),
        ("This model's chat template changed or left out part of the conversation.", "notice"),
    ],
)
def test_only_a_warning_looks_like_one(qtbot, sentence, look):
    head, reply = ReplyHead(), Reply()
    qtbot.addWidget(head)
    reply.notices.append(sentence)
    head.show_reply(reply)
    (label,) = head.notices
    assert (label.text(), label.objectName()) == (sentence, look)
