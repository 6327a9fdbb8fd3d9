"""That nothing is saved stands in the window for as long as it is so, whatever else is said."""

import asyncio
import sqlite3
from contextlib import closing

import pytest

from app.arguments import parse_arguments
from app.main.session import Session
from app.main.storing import Trouble, open_store
from app.settings import Settings
from app.storage import LockedError, NoStore, StorageError, Store
from tests.app.storage.talk import chat
from tests.fakes.scripted_worker import ScriptedWorker

FULL = "Chats cannot be saved to chats.db: the disk is full; free some space."


@pytest.fixture
def make_session(loop):
    """Sessions with trouble, shown, and closed after the test."""
    sessions = []

    def make(trouble, store=None, *arguments):
        session = Session(
            parse_arguments(["--theme", "light", *arguments], Settings()),
            Settings(),
            ScriptedWorker(),
            store or NoStore(""),
            trouble,
        )
        sessions.append(session)
        session.window.show()
        return session

    yield make
    for session in sessions:
        loop.run_until_complete(session.close())


def test_it_stays_whatever_is_said_and_goes_with_its_cause(loop, make_session):
    trouble = Trouble()
    session = make_session(trouble)
    window = session.window
    lasting, saying = window.middle.lasting, window.middle.saying
    assert not lasting.isVisible()
    trouble.tell(FULL)
    assert (lasting.isVisible(), lasting.accessibleName()) == (True, FULL)
    window.say("Something else.")
    window.warn("Another thing.")
    saying.close_button.click()
    session.controller.new_chat()
    window.sides.set_wants_sidebar(False)
    window.middle.show_comparison()
    assert (lasting.isVisible(), lasting.sentence) == (True, FULL)
    trouble.tell(None)
    assert not lasting.isVisible()
    assert lasting.accessibleName() == ""


def test_what_was_told_before_there_was_a_window_stands(make_session):
    trouble = Trouble()
    trouble.tell(FULL)
    assert make_session(trouble).window.middle.lasting.sentence == FULL


@pytest.mark.parametrize("error", [LockedError("Taken."), StorageError("It is read-only.")])
def test_where_nothing_can_be_kept_that_stands(make_session, monkeypatch, tmp_path, error):
    def fail(*_rest, **_options):
        raise error

    monkeypatch.setattr(Store, "open", fail)
    trace = tmp_path / "a.jsonl"
    trace.touch()
    arguments = parse_arguments(["--data-dir", str(tmp_path), str(trace)], Settings())
    trouble = Trouble()
    store = open_store(arguments, trouble)
    window = make_session(trouble, store).window
    assert "are not kept" in window.middle.lasting.sentence
    assert store.notices == (window.middle.lasting.sentence,)


def test_a_long_path_is_broken_and_leaves_the_window_as_narrow(qapp, make_session):
    trouble = Trouble()
    window = make_session(trouble).window
    window.resize(640, 480)
    trouble.tell(f"Chats cannot be saved: {'/a-long-name-of-a-folder' * 12} was moved.")
    qapp.processEvents()
    lasting = window.middle.lasting
    assert window.width() == 640
    assert lasting.height() >= lasting.heightForWidth(lasting.width())
    assert lasting.height() > 3 * lasting.fontMetrics().height()


def test_a_file_that_is_locked_is_told_of_until_it_is_free(loop, make_session, tmp_path):
    trouble = Trouble()
    arguments = parse_arguments(["--data-dir", str(tmp_path)], Settings())
    store = open_store(arguments, trouble)
    assert store.flush(10)
    session = make_session(trouble, store)
    window, lasting = session.window, session.window.middle.lasting

    async def shows(is_shown):
        async with asyncio.timeout(20):
            while lasting.isVisible() != is_shown:
                await asyncio.sleep(0.01)

    with closing(sqlite3.connect(store.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        store.save_chat(chat(1))
        loop.run_until_complete(shows(True))
        assert "locked by another program" in lasting.sentence
        window.say("Something else.")
        assert lasting.isVisible()
        other.execute("ROLLBACK")
    loop.run_until_complete(shows(False))
