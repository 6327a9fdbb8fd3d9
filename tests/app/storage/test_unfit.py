"""One record that cannot be written does not keep the others from the disk, now or later."""

import pytest

from app.storage import DownloadRecord, ModelFolderRecord, ModelRecord, changes
from app.storage.problems import LOST
from tests.app.storage.talk import chat, message
from tests.app.storage.test_trouble import wait_for

HUGE = 10**400


def download(number: int, **figures: int) -> DownloadRecord:
    sizes = {"total_bytes": 5, "done_bytes": 0} | figures
    return DownloadRecord(number, "a/b", "", "waiting", 0.0, sentence="", loads=False, **sizes)


def broken_lines() -> bytes:
    raise ValueError("a mistake")


@pytest.mark.parametrize(
    "save",
    [
        lambda store: store.save_download(download(1, total_bytes=HUGE)),
        lambda store: store.save_download(download(1, done_bytes=2**64)),
        lambda store: store.save_chat(chat(1, title=3)),
        lambda store: store.save_chat(chat(1, created=object())),
        lambda store: store.save_message(message(9, 2, "x", choice=HUGE)),
        lambda store: store.save_model_folder(ModelFolderRecord("/x", HUGE)),
        lambda store: store.add_trace(2, 0, 0, broken_lines),
    ],
)
def test_the_others_are_written(store, problems, save):
    save(store)
    store.save_chat(chat(2, title="kept"))
    store.save_model(ModelRecord("m", 1.0, {"context": 5}))
    assert store.flush(10)
    wait_for(lambda: problems)
    assert problems == [LOST]
    assert [each.title for each in store.chats()] == ["kept"]
    assert [each.name for each in store.model_records()] == ["m"]
    store.save_chat(chat(3, title="later"))
    assert store.flush(10)
    assert len(store.chats()) == 2
    assert problems == [LOST]


def test_a_mistake_while_writing_is_tried_again(store, problems, monkeypatch):
    assert store.flush(10)

    def trip(*_rest: object) -> bool:
        raise MemoryError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(changes, "write", trip)
        store.save_chat(chat(1))
        wait_for(lambda: problems)
        assert "no room" in problems[0]
    wait_for(lambda: problems[-1] is None)
    assert store.flush(10)
    assert len(store.chats()) == 1
