"""Searching finds words of any script, wherever they stand, and shows where."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.storage import Segment
from app.storage.search import excerpt
from app.storage.words import matching
from tests.app.storage.talk import chat, message


@pytest.fixture
def filled(store):
    """Two chats and one in the trash."""
    store.save_chat(chat(1, title="Über Straßen"))
    store.save_chat(chat(2, title="中文标题"))
    store.save_chat(chat(3, title="Trashed fox", trashed=1.0))
    store.save_message(message(10, 1, "The quick brown Fox; a café, naïve."))
    store.save_message(message(11, 1, "用Python写一个程序、谢谢。", 10))
    store.save_message(message(12, 2, "ガラスの窓 and 한국어 말"))
    thinking = Segment("thinking", "quietly pondering")
    attached = Segment("attachment", "cell", "budget.csv")
    failed = Segment("error", "exploded")
    store.save_message(message(13, 2, "", 12, segments=(thinking, attached, failed)))
    store.save_message(message(14, 3, "fox in the trash"))
    store.save_message(message(15, 2, "decomposed: cafe\u0301 x_underscored"))
    assert store.flush(10)
    return store


def found(store, query, **options):
    return [(hit.chat, hit.message) for hit in store.search(query, **options)]


@pytest.mark.parametrize(
    ("query", "places"),
    [
        ("fox", [(1, 10)]),
        ("FOX brown", [(1, 10)]),
        ("fo", [(1, 10)]),
        ("fo brown", []),
        ("cafe", [(2, 15), (1, 10)]),
        ("CAFÉ", [(2, 15), (1, 10)]),
        ("cafe\u0301", [(2, 15), (1, 10)]),
        ("naive", [(1, 10)]),
        ("uber", [(1, None)]),
        ("写", [(1, 11)]),
        ("程序", [(1, 11)]),
        ("序程", []),
        ("中", [(2, None)]),
        ("用pyth", [(1, 11)]),
        ("谢 用", [(1, 11)]),
        ("ガラス", [(2, 12)]),
        ("カラス", []),
        ("국어", [(2, 12)]),
        ("\uff50\uff59\uff54hon", [(1, 11)]),
        ("ponder", [(2, 13)]),
        ("budget.csv", [(2, 13)]),
        ("exploded", []),
        ("trash", []),
        ("underscored", [(2, 15)]),
    ],
)
def test_words_are_found(filled, query, places):
    assert found(filled, query) == places


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        "*",
        "-",
        "😀",
        "NEAR(",
        "^",
        "a:b",
        "fox) OR (",
        "x" * 100_000,
        "\x00",
        "\ud800",
    ],
)
def test_any_punctuation_is_harmless(filled, query):
    assert isinstance(filled.search(query), list)
    assert found(filled, f"fox {query[:300]} ") in ([(1, 10)], [])


def test_punctuation_alone_takes_nothing_away(filled):
    assert found(filled, '- "fox" * 😀 (') == [(1, 10)]


@given(st.text())
def test_no_query_is_an_error(query):
    sought = matching(query)
    if sought is not None:
        snippet, ranges = excerpt(query, sought)
        assert all(0 <= low < high <= len(snippet) for low, high in ranges)


def test_a_snippet_shows_the_match(filled):
    (hit,) = filled.search("quick fox")
    assert [hit.snippet[low:high] for low, high in hit.ranges] == ["quick", "Fox"]
    text = "before\n" * 100 + "needle" + " after" * 100
    filled.save_message(message(20, 1, text))
    assert filled.flush(10)
    (hit,) = filled.search("needle")
    assert len(hit.snippet) < 200
    assert hit.snippet[0] == hit.snippet[-1] == "…"
    assert "\n" not in hit.snippet
    assert [hit.snippet[low:high] for low, high in hit.ranges] == ["needle"]


def test_a_search_in_some_chats_and_a_limit(filled):
    assert found(filled, "cafe", chats=[1]) == [(1, 10)]
    assert found(filled, "cafe", chats=[]) == []
    assert found(filled, "cafe", limit=1) == [(2, 15)]
    assert found(filled, "cafe", limit=0) == []


def test_titles_take_no_places_from_messages(filled):
    filled.save_chat(chat(5, title="cafe"))
    assert filled.flush(10)
    assert found(filled, "cafe", limit=1) == [(5, None), (2, 15)]


def test_a_limit_counts_no_trashed_chat(store):
    for number in range(1, 30):
        store.save_chat(chat(number, trashed=1.0 if number > 3 else None))
        store.save_message(message(number * 10, number, "common"))
    assert store.flush(10)
    assert found(store, "comm", limit=2) == [(3, 30), (2, 20)]
    assert found(store, "comm", chats=[1, 7]) == [(1, 10)]


@pytest.mark.parametrize("most", [0, 1, 3, 1000])
def test_many_words_with_one_beginning_are_all_found(store, monkeypatch, most):
    """Whether the words are asked for by name, or by their beginning."""
    monkeypatch.setattr("app.storage.terms._MOST", most)
    store.save_chat(chat(1, title="one"))
    texts = ["common", "community comma", "combine", "com mon", "über communal", "communauté"]
    for number, text in enumerate(texts):
        store.save_message(message(10 + number, 1, text))
    assert store.flush(10)
    assert found(store, "comm") == [(1, 15), (1, 14), (1, 11), (1, 10)]
    assert found(store, "communaute") == [(1, 15)]
    assert found(store, "uber comm") == [(1, 14)]
    assert found(store, "community-com") == [(1, 11)]
    assert found(store, "commons") == found(store, "comm com nothing") == []


def test_what_changes_is_found_as_it_is_now(filled):
    filled.save_message(message(10, 1, "The slow badger."))
    filled.save_chat(chat(2, title="Other"))
    filled.delete_message(11)
    filled.save_chat(chat(3, title="Back", trashed=None))
    assert filled.flush(10)
    assert found(filled, "badger") == [(1, 10)]
    assert found(filled, "fox") == [(3, 14)]
    assert found(filled, "python") == found(filled, "标题") == []


def test_an_index_of_another_law_is_made_anew(filled, make_store, monkeypatch):
    filled.close()
    monkeypatch.setattr("app.storage.index.LAW", "other")
    store = make_store()
    assert store.flush(10)
    assert found(store, "fox") == [(1, 10)]
