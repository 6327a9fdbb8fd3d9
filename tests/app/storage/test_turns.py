"""How many messages of a chat are not shown: versions beside the chosen, and all below them."""

from app.storage import MessageRecord
from tests.app.storage.talk import chat, message


def said(store, *messages: MessageRecord, choice: int | None = None):
    store.save_chat(chat(1, choice=choice))
    store.save_chat(chat(2))
    for each in (*messages, message(90, 2, "?"), message(91, 2, "!", 90)):
        store.save_message(each)
    assert store.flush(10)
    other, kept = store.chats()
    assert (other.num_messages, other.num_hidden) == (2, 0)
    return kept.num_messages, kept.num_hidden


def test_without_versions_all_is_shown(store) -> None:
    assert said(store, message(1, 1, "?"), message(2, 1, "!", 1)) == (2, 0)


def test_an_answer_beside_the_newest_is_not_shown_nor_what_is_below_it(store) -> None:
    below = message(3, 1, "and?", 2, role="user"), message(4, 1, "so.", 3)
    asked, old, new = message(1, 1, "?"), message(2, 1, "!", 1), message(5, 1, "!!", 1)
    assert said(store, asked, old, *below, new) == (5, 3)


def test_the_chosen_answer_is_shown_though_a_newer_one_is_there(store) -> None:
    below = message(3, 1, "and?", 2, role="user"), message(4, 1, "so.", 3)
    asked = message(1, 1, "?", choice=2)
    assert said(store, asked, message(2, 1, "!", 1), *below, message(5, 1, "!!", 1)) == (5, 1)


def test_a_first_question_that_was_edited_is_not_shown(store) -> None:
    old = message(1, 1, "?"), message(2, 1, "!", 1)
    new = message(3, 1, "??"), message(4, 1, "!!", 3)
    assert said(store, *old, *new) == (4, 2)


def test_versions_inside_of_what_is_not_shown_count_once(store) -> None:
    old = message(1, 1, "?"), message(2, 1, "!", 1), message(3, 1, "!!", 1), message(4, 1, "!!!", 1)
    assert said(store, *old, message(5, 1, "??"), choice=5) == (5, 4)


def test_a_choice_that_is_gone_leaves_the_newest(store) -> None:
    asked = message(1, 1, "?", choice=77)
    answers = message(2, 1, "!", 1), message(3, 1, "!!", 1)
    assert said(store, asked, *answers, choice=88) == (3, 1)
