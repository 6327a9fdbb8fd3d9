"""Opening: versions, one process at a time, and folders that cannot be used."""

import errno
import os
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

from app.storage import StorageError, Store
from app.storage.schema import APPLICATION_ID, MIGRATIONS
from tests.app.storage.talk import chat


def second(connection):
    connection.execute("ALTER TABLE chats ADD COLUMN mood TEXT")
    connection.execute("UPDATE chats SET mood = 'new'")


def failing(connection):
    connection.execute("UPDATE chats SET title = 'half done'")
    connection.execute("SELECT * FROM nowhere")


def version(path) -> int:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute("PRAGMA user_version").fetchone()[0]


def refused(make_store, *arguments) -> str:
    """The sentence of an opening that fails."""
    with pytest.raises(StorageError) as caught:
        make_store(*arguments)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    return sentence


def kept_chat(make_store):
    """One chat in a file of this version."""
    store = make_store()
    store.save_chat(chat(1))
    assert store.close()
    return store.path


def test_the_file_is_opened_as_promised(store):
    connection = store._writer._file.connection
    pragmas = ("journal_mode", "foreign_keys", "secure_delete", "synchronous")
    found = [connection.execute(f"PRAGMA {pragma}").fetchone()[0] for pragma in pragmas]
    assert found == ["wal", 1, 1, 2]
    assert version(store.path) == len(MIGRATIONS)
    with store._reading() as reader, pytest.raises(sqlite3.OperationalError, match="readonly"):
        reader.execute("DELETE FROM chats")


def test_an_older_file_is_taken_over_and_copied_before(make_store):
    path = kept_chat(make_store)
    store = make_store((*MIGRATIONS, second, lambda connection: None))
    assert len(store.chats()) == 1
    assert "earlier version" in store.notices[0]
    assert store.close()
    assert version(path) == len(MIGRATIONS) + 2
    (backup,) = path.parent.glob("chats.before-*.db")
    assert backup.name == f"chats.before-{len(MIGRATIONS) + 2}.db"
    assert version(backup) == len(MIGRATIONS) + 1
    assert make_store((*MIGRATIONS, second, lambda connection: None)).notices == ()


def test_a_step_that_fails_changes_nothing(make_store):
    path = kept_chat(make_store)
    refused(make_store, (*MIGRATIONS, failing))
    assert version(path) == len(MIGRATIONS)
    store = make_store()
    assert store.chats()[0].title == "Title"


def test_a_newer_file_is_not_touched(make_store):
    path = kept_chat(make_store)
    assert make_store((*MIGRATIONS, second)).close()
    before = path.read_bytes()
    assert "newer version" in refused(make_store)
    assert path.read_bytes() == before
    assert not list(path.parent.glob("*damaged*"))


def test_a_second_one_is_told(make_store, folder):
    make_store()
    assert "already running" in refused(make_store)
    script = (
        "import sys; from pathlib import Path; from app.storage import Store\n"
        "try: Store.open(Path(sys.argv[1]), print)\n"
        "except Exception as error: sys.stdout.write(str(error))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)], capture_output=True, text=True, check=True
    )
    assert "already running" in done.stdout


def test_the_folder_is_free_after_the_end_and_after_a_failure(make_store, folder):
    assert make_store().close()
    (folder / "chats.db").unlink()
    (folder / "chats.db").mkdir()
    assert "is a folder" in refused(make_store)
    (folder / "chats.db").rmdir()
    assert make_store().chats() == []


def test_a_file_where_the_folder_should_be(make_store, folder):
    folder.write_text("in the way")
    assert "is a file" in refused(make_store)


@pytest.mark.parametrize("below", ["", "deeper/data"])
def test_a_link_to_nothing_where_the_folder_should_be(tmp_path, below):
    link = tmp_path / "link"
    link.symlink_to(tmp_path / "unplugged")
    with pytest.raises(StorageError, match="which is not there") as caught:
        Store.open(link / below, lambda problem: None)
    assert f"{link} is a link to {tmp_path / 'unplugged'}" in str(caught.value)
    assert "file" not in str(caught.value)


def test_a_file_above_the_folder(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="is a file"):
        Store.open(tmp_path / "file" / "data", lambda problem: None)


def test_a_disk_without_locks(make_store, monkeypatch):
    def flock(file, operation):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr("app.storage.lock.fcntl.flock", flock)
    assert "does not support locks" in refused(make_store)


def test_a_file_locked_by_another_program(make_store):
    path = kept_chat(make_store)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        other.execute("UPDATE chats SET title = 'other'")
        assert "locked by another program" in refused(make_store)
        other.execute("ROLLBACK")
    assert make_store().chats()[0].title == "Title"


def test_a_made_up_version_is_damage_and_not_news(make_store):
    path = kept_chat(make_store)
    with closing(sqlite3.connect(path)) as other:
        other.execute("PRAGMA user_version = 77")
        other.execute("PRAGMA application_id = 5")
    store = make_store()
    assert "1 chat and 0 messages" in store.notices[0]
    with closing(sqlite3.connect(path)) as other:
        assert other.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID


UNPRIVILEGED = """
import os, sys, time
from pathlib import Path
from app.storage import Store, StorageError
if os.geteuid() == 0: os.setuid(65534)  # root may write anywhere
said = []
try:
    store = Store.open(Path(sys.argv[1]), said.append)
    store.save_chat(store.chats()[0])
    end = time.monotonic() + 10
    while not said and time.monotonic() < end: time.sleep(0.01)
    sys.stdout.write(f"{len(store.chats())} chats; {said[0]}")
    store.close(0.1)
except StorageError as error:
    sys.stdout.write(str(error))
"""


@pytest.mark.parametrize("what", ["file", "folder"])
def test_what_cannot_be_written_is_said(problems, what):
    with tempfile.TemporaryDirectory() as above:
        os.chmod(above, 0o755)
        folder = Path(above) / "data"
        store = Store.open(folder, problems.append)
        store.save_chat(chat(1))
        assert store.close()
        (folder / "draftscope.lock").chmod(0o666)
        store.path.chmod(0o444)
        folder.chmod(0o777 if what == "file" else 0o555)
        done = subprocess.run(
            [sys.executable, "-c", UNPRIVILEGED, str(folder)], capture_output=True, text=True
        )
        folder.chmod(0o755)
    assert "cannot be" in done.stdout, done.stderr
    assert done.stdout.endswith(".")
    assert done.stderr == ""


def test_what_is_said_is_for_its_owner_alone_whoever_made_the_folder(make_store, folder):
    """The rights that the process gives to new files are those of most systems."""
    before = os.umask(0o022)
    try:
        folder.mkdir(mode=0o755)
        store = make_store()
        store.save_chat(chat(1))
        assert store.flush(10)
        names = {path.name for path in folder.iterdir()}
        assert names >= {"chats.db", "chats.db-wal", "chats.db-shm"}
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
        store.close()
        make_store((*MIGRATIONS, second)).close()
        assert [*folder.glob("chats.before-*.db")]
        assert {path.stat().st_mode & 0o777 for path in folder.iterdir()} == {0o600}
    finally:
        os.umask(before)


def test_a_file_that_others_may_read_stays_so(make_store, folder):
    make_store().close()
    (folder / "chats.db").chmod(0o640)
    make_store().close()
    assert (folder / "chats.db").stat().st_mode & 0o777 == 0o640
