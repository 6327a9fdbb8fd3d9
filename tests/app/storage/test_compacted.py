"""What only compacting the file gets rid of: copies that rows leave behind when they move."""

import random
import re
import shutil
from contextlib import closing
from pathlib import Path

import pytest

from app.storage import Store, changes, index
from app.storage.cleaning import empty_log
from app.storage.connection import writing
from app.storage.pending import Pending
from tests.app.storage.talk import chat, message
from tests.app.storage.test_deleted import secrets


def without_compacting(path, copy, chats) -> set[int]:
    """The secrets that stay in a copy of a file when chats are only deleted."""
    shutil.copyfile(path, copy)
    batch = Pending()
    for number in chats:
        batch.delete_chat(number)
    with closing(writing(copy)) as connection:
        assert changes.write(connection, batch)
        index.merge(connection)
        assert empty_log(connection)
    return {int(number) for number in re.findall(rb"zq(\d{6})x", copy.read_bytes())}


def grown(folder, seed: int) -> Path:
    """A file of messages that grew one by one, which moves them between its pages."""
    source = random.Random(seed)
    lengths = dict.fromkeys(range(1, 120), 0)

    def grow(number: int) -> None:
        lengths[number] += source.choice((1, 3, 10, 30))
        store.save_message(message(number, number, f"zq{number:06}x" * lengths[number]))

    store = Store.open(folder, lambda problem: None)
    for number in lengths:
        store.save_chat(chat(number))
        grow(number)
    assert store.flush(30)
    for _ in range(80):
        for number in source.sample(sorted(lengths), 5):
            grow(number)
        assert store.flush(30)
    assert store.close(30)
    return store.path


def test_a_copy_that_deleting_leaves_behind_goes_with_compacting(tmp_path):
    gone = set(range(1, 120, 2))
    for seed in range(40):
        path = grown(tmp_path / str(seed), seed)
        if not without_compacting(path, tmp_path / "copy.db", gone) & gone:
            continue
        with closing(Store.open(path.parent, lambda problem: None)) as store:
            for number in gone:
                store.delete_chat(number)
            assert store.flush(30)
            assert secrets(path.parent) == set(range(2, 120, 2))
        return
    pytest.fail("no copy was left behind, so nothing was tested")
