"""Chats out of ChatGPT's export: the tree, what tools and images become, damaged mappings."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.models.porting.reading import chats_in
from app.models.porting.told import PortingError, conversation_of, shown_path
from tests.app.habits.chatgpt_export import conversation, node, sorting


def read(*conversations):
    return chats_in(json.dumps(list(conversations))).chats


def test_titles_times_and_the_system_prompt_are_kept():
    (told,) = read(sorting())
    assert (told.title, told.created, told.changed) == ("Sorting", 1700000000.5, 1700000900.0)
    assert told.settings.system == "Answer shortly."
    assert "secret" not in repr(told)
    assert shown_path(told)[0].created == 1700000001.0


def test_the_current_path_is_shown_and_tools_become_text():
    (told,) = read(sorting())
    path = shown_path(told)
    assert [message.role for message in path] == ["user", "assistant", "user", "assistant"]
    assert path[0].text == "How do I sort?"
    assert path[1].text == (
        "<think>\nPlan\n\nUse a heap.\n</think>\n\n```python\nsorted([2, 1])\n```\n\n"
        "**python**\n\n```\n[1, 2]\n```\n\nLike this."
    )
    assert path[1].model == "gpt-4o"
    assert path[2].text == "[Image, 640 × 480]\n\nAnd this?\n\n[File: data.csv]"
    assert path[3].text == "A picture."


CITE = "\ue200cite\ue202turn0search1\ue202turn0search4\ue201"
MARKED = {
    f"I see {CITE} it.": "I see it.",
    f"I see it {CITE}.": "I see it.",
    f"One. {CITE}{CITE} Two.{CITE} Three": "One. Two. Three",
    f"One {CITE} {CITE}\nTwo": "One\nTwo",
    f"One\n{CITE} Two": "One\nTwo",
    f"One {CITE}two": "One two",
    'By \ue200entity\ue202["people","Ada","who computes"]\ue201.': "By Ada.",
    "At \ue200url\ue202Ada's page\ue202turn0search1\ue201.": "At Ada's page.",
    "By \ue200entity\ue202[broken\ue201 it": "By it",
    "By \ue200entity\ue201 it": "By it",
    "An icon, \ue200, and \ue123 stay": "An icon, \ue200, and \ue123 stay",
}


@pytest.mark.parametrize(("said", "wanted"), MARKED.items())
def test_marks_of_citations_are_taken_away(said, wanted):
    nodes = [node("q", None, "user", [said]), node("a", "q", "assistant", [said])]
    (told,) = read(conversation(nodes, "a"))
    assert [message.text for message in told.messages] == [said, wanted]


def test_branches_are_siblings():
    (told,) = read(sorting())
    chat = conversation_of(told)
    first, second = chat.exchanges
    assert next(each.prompt for each in second.siblings) == "And backwards?"
    assert len(second.siblings) == 2
    assert [each.reply.text for each in second.variants] == ["A picture.", "A chart."]
    assert [each.model for each in second.variants] == ["gpt-4o", "o3"]
    assert second.reply.text == "A picture."
    assert first.reply.answer == first.reply.text.partition("</think>\n\n")[2]
    chat.deleteLater()


def test_an_answer_that_parts_in_the_middle_becomes_two():
    told = read(
        conversation(
            [
                node("q", None, "user", ["Look it up"]),
                node("a", "q", "assistant", ["Looking."]),
                node("x", "a", "user", ["Stop"]),
                node("t", "a", "tool", ["Found"], author="browser"),
                node("b", "t", "assistant", ["Here."]),
            ],
            "b",
        )
    )[0]
    chat = conversation_of(told)
    (exchange,) = chat.roots
    assert [each.reply.text for each in exchange.variants] == [
        "Looking.",
        "Looking.\n\n**browser**\n\nFound\n\nHere.",
    ]
    assert exchange.variant is list(exchange.variants)[1]
    assert [each.prompt for each in next(iter(exchange.variants)).followers] == ["Stop"]
    chat.deleteLater()


def test_who_speaks_first_or_twice_is_understood():
    told = read(
        conversation(
            [
                node("hello", None, "assistant", ["Hello!"]),
                node("q", "hello", "user", ["One"]),
                node("r", "q", "user", ["Two"]),
            ],
            "r",
        )
    )[0]
    assert [(m.role, m.text) for m in shown_path(told)] == [
        ("user", ""),
        ("assistant", "Hello!"),
        ("user", "One"),
        ("assistant", ""),
        ("user", "Two"),
    ]


def test_a_chat_of_many_thousand_nodes_is_no_deep_nest():
    nodes = [node("0", None, "user", ["q"])]
    for number in range(1, 20_000):
        role = "assistant" if number % 2 else "user"
        nodes.append(node(str(number), str(number - 1), role, [f"m{number}"]))
    (told,) = read(conversation(nodes, "19999"))
    assert len(shown_path(told)) == 20_000
    chat = conversation_of(told)
    assert len(chat.exchanges) == 10_000
    chat.deleteLater()


def test_parents_in_a_circle_are_cut_at_the_oldest_message():
    nodes = [
        node("b", "a", "assistant", ["Two"], time=1700000002.0),
        node("c", "b", "user", ["Three"], time=1700000003.0),
        node("d", "c", "assistant", ["Four"], time=1700000004.0),
        node("a", "d", "user", ["One"], time=1700000001.0),
        node("e", "c", "assistant", ["Else"], time=1700000005.0),
    ]
    (told,) = read(conversation(nodes, "d"))
    assert [message.text for message in shown_path(told)] == ["One", "Two", "Three", "Four"]
    assert sorted(message.text for message in told.messages) == [
        "Else", "Four", "One", "Three", "Two"
    ]  # fmt: skip


def test_a_parent_of_itself_and_a_circle_beside_a_tree_lose_nothing():
    nodes = [node(name, above, "user", [name]) for name, above in ("aa", "bc", "cb")]
    nodes.append(node("d", None, "user", ["d"]))
    (told,) = read(conversation(nodes, "d"))
    said = [message.text for message in told.messages if message.role == "user"]
    assert sorted(said) == ["a", "b", "c", "d"]


def test_a_circle_of_many_thousand_and_many_children_are_read():
    nodes = [node(str(n), str(n - 1 if n else 29_999), "user", [f"q{n}"]) for n in range(30_000)]
    assert len(read(conversation(nodes, "29999"))[0].messages) == 59_999
    nodes = [node("q", None, "user", ["q"])]
    nodes += [node(str(n), "q", "assistant", [f"a{n}"]) for n in range(30_000)]
    assert len(read(conversation(nodes, "7"))[0].messages) == 30_001


def test_a_chat_in_which_nothing_is_said_is_none():
    assert read(conversation([node("s", None, "system", ["Be kind."])], "s")) == []
    assert read(conversation([node("s", "s")], "s"), sorting())[0].title == "Sorting"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["role", "parts", "content_type", "text", "thoughts", "metadata", "x"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
NAMES = st.sampled_from(["a", "b", "c", "d"])
MESSAGE = st.fixed_dictionaries(
    {},
    optional={
        "author": st.fixed_dictionaries(
            {"role": st.sampled_from(["user", "assistant", "system", "tool"]) | JSON}
        )
        | JSON,
        "content": st.fixed_dictionaries(
            {
                "content_type": st.sampled_from(["text", "code", "thoughts", "tether_quote"])
                | JSON,
                "parts": st.lists(st.text(max_size=3) | JSON, max_size=3) | JSON,
            }
        )
        | JSON,
        "create_time": JSON,
        "metadata": JSON,
    },
)
NODE = st.fixed_dictionaries(
    {
        "message": MESSAGE | JSON,
        "parent": NAMES | st.none() | JSON,
        "children": st.lists(NAMES, max_size=3) | JSON,
    }
)
MAPPING = st.dictionaries(NAMES, NODE | JSON, max_size=4)


def assert_sentence(error):
    assert error.sentence.endswith(".")
    assert "\n" not in error.sentence


@given(MAPPING, NAMES | JSON, JSON)
def test_any_mapping_is_a_chat_or_a_sentence(mapping, current, title):
    values = {"mapping": mapping, "current_node": current, "title": title, "create_time": title}
    try:
        chats = read(values)
    except PortingError as error:
        assert_sentence(error)
        return
    for told in chats:
        assert told.messages
        assert_whole(told)


def assert_whole(told):
    chat = conversation_of(told)
    assert chat.title
    assert chat.exchanges
    for exchange in chat.exchanges:
        exchange.reply.answer.encode()
    chat.deleteLater()
