"""Markdown to read: who said what, thinking folded, fences that nothing inside can close."""

from app.models.choices import Choices
from app.models.conversation import Conversation
from app.models.markdown.fences import opened_by
from app.models.porting.markdown import markdown_parts
from app.models.porting.told import told_of
from app.models.question import Attachment, Question
from app.models.reply import Piece


def written(*chats):
    text = "".join(markdown_parts([told_of(chat) for chat in chats]))
    for chat in chats:
        chat.deleteLater()
    return text


def chat_of(*turns):
    chat = Conversation()
    for question, answer in turns:
        exchange = chat.ask(question)
        exchange.variant.model = "Tiny 1B"
        exchange.reply.pieces = [Piece(answer, 0, (), 0)]
        exchange.reply.phase, exchange.reply.stop = "finished", "eos"
    return chat


def headings_outside_code(text):
    fence, found = None, []
    for line in text.split("\n"):
        if fence is None and line.startswith("#"):
            found.append(line)
        fence = opened_by(line) if fence is None else fence.after(line)
    return found


def test_roles_model_and_thinking():
    text = written(chat_of(("Why?", "<think>Hm.</think>\n\nBecause.")))
    assert headings_outside_code(text) == ["# Why?", "## You", "## Tiny 1B"]
    assert "<details>\n<summary>Thinking</summary>\n\nHm.\n\n</details>\n\nBecause.\n" in text


def test_attachments_stand_in_fences_longer_than_any_inside():
    inside = "before\n`````\n# no heading\n"
    question = Question("Read", (Attachment("a `b`.md", inside, "code", "markdown"),))
    text = written(chat_of((question, "Done.")))
    assert "``````markdown\nbefore\n`````\n# no heading\n``````" in text
    assert headings_outside_code(text)[-1] == "## Tiny 1B"


def test_a_fence_that_is_left_open_swallows_nothing():
    turns = [("a", "```python\nx = 1"), ("b", "~~~~\n```\n"), ("c", "````md\n```py\n1"), ("d", "e")]
    text = written(chat_of(*turns))
    assert headings_outside_code(text) == ["# a"] + ["## You", "## Tiny 1B"] * 4


def test_thinking_cannot_close_its_fold():
    text = written(chat_of(("a", "<think>use </details> here</think>b")))
    assert text.count("</details>") == 1


def test_an_answer_that_did_not_end_and_other_versions_are_said():
    chat = chat_of(("a", "first words"))
    chat.answer_again(chat.exchanges[0])
    chat.exchanges[0].reply.pieces = [Piece("two", 0, (), 0)]
    chat.exchanges[0].reply.phase, chat.exchanges[0].reply.stop = "finished", "cancelled"
    text = written(chat)
    assert "first words" not in text
    assert "two\n\n*(The reply ends here without an end.)*" in text
    assert "*(one of 2 versions)*" in text


def test_a_chat_without_a_tree_is_told_in_its_order():
    chat, told = chat_of(("a", "b"), ("c", "d")), Conversation()
    told._path = chat.exchanges
    for exchange in told.exchanges:
        exchange.variant.followers = Choices()
    chat.deleteLater()
    text = written(told)
    assert [line for line in text.split("\n") if line in "abcd" and line] == list("abcd")


def test_several_chats_are_set_off():
    text = written(chat_of(("a", "b")), chat_of(("c", "d")))
    assert text.count("\n---\n") == 1
