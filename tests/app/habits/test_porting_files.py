"""Export and import through files: whole or not at all, one sentence for each outcome."""

import asyncio
import json
import os
import socket
import subprocess
import sys
import zipfile

import pytest

from app.controllers import chat_files
from app.controllers.failures import FailureReporter
from app.controllers.porting import PortingController, _Turn
from app.models.chats import Chats
from app.models.porting.reading import chats_in
from app.models.porting.told import built
from app.models.reply import Piece
from tests.app.habits.chatgpt_export import conversation, node, sorting


class Bench:
    """A controller over chats of its own."""

    def __init__(self, loop, data) -> None:
        self.loop = loop
        self.chats = Chats()
        self.loaded: list[str] = []
        self.controller = PortingController(
            self.chats,
            FailureReporter(self.chats),
            self.load,
            self.chats,
            chat_files.store_files(data),
        )
        self.said: list[str] = []
        self.controller.said.connect(self.said.append)

    def load(self, chat):
        self.loaded.append(chat.title)
        yield

    def chat(self, title="A chat", answer="Because."):
        chat = self.chats.new()
        exchange = chat.ask("Why?")
        chat.rename(title)
        exchange.reply.pieces = [Piece(answer, 0, (), 0)]
        exchange.reply.phase, exchange.reply.stop = "finished", "eos"
        return chat

    def export(self, chats, kind, path):
        return self.loop.run_until_complete(self.controller.export(chats, kind, path))

    def take_in(self, path):
        return self.loop.run_until_complete(self.controller.take_in(path))


@pytest.fixture
def bench(loop, tmp_path_factory):
    bench = Bench(loop, tmp_path_factory.mktemp("data"))
    yield bench
    bench.chats.deleteLater()


def test_a_chat_goes_out_and_comes_in(bench, tmp_path):
    chat = bench.chat("Sky / blue: why?")
    chat.folder = bench.chats.add_folder("Physics").id
    path = tmp_path / bench.controller.suggested_name(chat, "json")
    assert path.name == "Sky-blue-why.json"
    assert bench.export([chat], "json", path)
    assert bench.said == ["Exported as Sky-blue-why.json."]
    assert bench.loaded == ["Sky / blue: why?"]
    bench.chats.new()
    bench.chats.remove(chat)
    (made,) = bench.take_in(path)
    assert bench.said[-1] == "Imported “Sky / blue: why?”."
    assert bench.chats.current is made
    assert made.id != chat.id
    assert made.folder == chat.folder
    assert (made.created, made.changed) == (chat.created, chat.changed)
    assert [each.reply.text for each in made.exchanges] == ["Because."]
    assert [p.name for p in tmp_path.iterdir()] == ["Sky-blue-why.json"]


def test_all_chats_but_the_trash(bench, tmp_path):
    bench.chat("One")
    bench.chat("Two").set_trashed(1.0)
    bench.chat("Three")
    path = tmp_path / "all.json"
    assert bench.export(bench.controller._exported, "json", path)
    assert bench.said == ["Exported 2 chats as all.json."]
    for chat in bench.controller._exported:
        chat.set_trashed(2.0)
    before = len(bench.chats.items)
    made = bench.take_in(path)
    assert {chat.title for chat in made} == {"One", "Three"}
    assert bench.said[-1] == "Imported 2 chats."
    assert len(bench.chats.items) == before + 2


def test_without_chats_nothing_is_written(bench, tmp_path):
    assert not bench.export(bench.controller._exported, "json", tmp_path / "all.json")
    assert bench.said == ["There are no chats to export."]
    assert list(tmp_path.iterdir()) == []


def test_markdown_is_a_file_to_read(bench, tmp_path):
    path = tmp_path / "chat.md"
    assert bench.export([bench.chat("Title")], "markdown", path)
    assert path.read_text().startswith("# Title\n")


@pytest.mark.parametrize("name", ["conversations.json", "deep/conversations-000.json"])
def test_the_zip_of_chatgpt_is_opened(bench, tmp_path, name):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", "{}")
        archive.writestr(name, json.dumps([sorting()]))
    (chat,) = bench.take_in(path)
    assert chat.title == "Sorting"
    assert chat.changed == 1700000900.0


def refused(bench, path):
    before = list(bench.chats.items)
    folders = list(bench.chats.folders)
    assert bench.take_in(path) == []
    assert bench.chats.items == before
    assert bench.chats.folders == folders
    (sentence,) = bench.said
    assert sentence.endswith(".")
    return sentence


def imported(bench, path, *entries):
    """What is said of a file with these entries."""
    path.write_text(json.dumps(entries))
    made = bench.take_in(path)
    return bench.said[-1], [chat.title for chat in made]


def lamps(title="Lamp ideas"):
    nodes = [node("q", None, "user", ["A lamp?"]), node("a", "q", "assistant", ["A cone."])]
    return conversation(nodes, "a", title=title)


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ([{"title": "No mapping"}], "“No mapping” was left out: nothing in it can be read."),
        ([17], "An entry without a title was left out: nothing in it can be read."),
        (
            [{"title": "Malformed", "mapping": {"a": {"message": 5}}}],
            "“Malformed” was left out: nothing in it can be read.",
        ),
        (
            [17, {"title": "x" * 99}, None],
            f"3 entries were left out: nothing in them can be read (“{'x' * 39}…”, …).",
        ),
        ([1, 2], "2 entries were left out: nothing in them can be read."),
        (
            [{"title": "A"}, {"title": "B"}],
            "2 entries were left out: nothing in them can be read (“A”, “B”).",
        ),
    ],
)
def test_odd_entries_are_left_out_and_told(bench, tmp_path, odd, words):
    said, titles = imported(bench, tmp_path / "a.json", *odd, lamps())
    assert said == f"Imported “Lamp ideas”. {words}"
    assert titles == ["Lamp ideas"]


def test_a_file_of_nothing_but_empty_chats_names_them(bench, tmp_path):
    said, titles = imported(bench, tmp_path / "a.json", {"title": "Hm", "mapping": {}})
    assert said == "There are no chats in a.json. “Hm” was left out: nothing in it can be read."
    assert titles == []


def test_what_is_here_already_is_not_taken_in_again(bench, tmp_path):
    path, entries = tmp_path / "a.json", [sorting(), lamps(), lamps("Chairs")]
    assert imported(bench, path, *entries)[0] == "Imported 3 chats."
    assert imported(bench, path, *entries) == ("3 chats were here already.", [])
    said = "Imported “Desks”. 3 chats were here already."
    assert imported(bench, path, *entries, lamps("Desks")) == (said, ["Desks"])
    bench.chats.new()
    assert imported(bench, path, lamps())[0] == "“Lamp ideas” was here already."
    assert bench.chats.current.title == "Lamp ideas"
    more = lamps()
    more["mapping"]["a"]["message"]["content"]["parts"] = ["A cube."]
    assert imported(bench, path, more) == ("Imported “Lamp ideas”.", ["Lamp ideas"])


@pytest.mark.parametrize("created", [None, True, "yesterday", -1])
def test_a_chat_without_a_time_is_here_already_too(bench, tmp_path, created):
    path, native = tmp_path / "a.json", tmp_path / "native.json"
    entry = {**lamps(), "create_time": created}
    assert imported(bench, path, entry) == ("Imported “Lamp ideas”.", ["Lamp ideas"])
    assert imported(bench, path, entry) == ("“Lamp ideas” was here already.", [])
    bench.export([bench.chats.current], "json", native)
    values = json.loads(native.read_text())
    assert "is_dated" not in values["chats"][0]
    values["chats"][0]["created"] = created
    native.write_text(json.dumps(values))
    assert bench.take_in(native) == []
    del values["chats"][0]["created"]
    values["chats"][0]["messages"][1]["text"] = "A cube."
    native.write_text(json.dumps(values))
    assert len(bench.take_in(native)) == 1
    assert bench.take_in(native) == []


def test_of_many_without_title_and_time_each_is_looked_into_once_in_vain(bench, tmp_path):
    path, made = tmp_path / "a.json", []
    for number in range(9):
        nodes = [node("q", None, "user", [f"Number {number}?"])]
        made.append(conversation(nodes, "q", title=None, create_time=None))
    assert imported(bench, path, *made)[0] == "Imported 9 chats."
    assert imported(bench, path, *made) == ("9 chats were here already.", [])
    assert len(bench.loaded) <= 2 * 9


def test_what_is_in_the_trash_comes_again(bench, tmp_path):
    imported(bench, tmp_path / "a.json", lamps())
    bench.chats.current.set_trashed(1.0)
    assert imported(bench, tmp_path / "a.json", lamps())[1] == ["Lamp ideas"]


def test_one_bad_chat_keeps_the_good_ones_not_out(bench, tmp_path):
    path = tmp_path / "a.json"
    bench.export([bench.chat("Good"), bench.chat("Bad")], "json", path)
    bench.said.clear()
    values = json.loads(path.read_text())
    values["chats"][1]["messages"][1]["parent"] = 7
    path.write_text(json.dumps({**values, "chats": values["chats"][1:]}))
    wanted = "a.json was not imported: one of its messages hangs on none that comes before it."
    assert refused(bench, path) == wanted
    values["chats"][0] |= {"folder": "New folder", "title": "Good one"}
    path.write_text(json.dumps(values))
    assert [chat.title for chat in bench.take_in(path)] == ["Good one"]
    wanted = "Imported “Good one”. “Bad” was left out: nothing in it can be read."
    assert bench.said[-1] == wanted


@pytest.mark.parametrize(("num", "words"), [(1, "1 message could"), (2, "2 messages could")])
def test_messages_that_are_left_out_are_told(bench, tmp_path, num, words):
    path = tmp_path / "a.json"
    bench.export([bench.chat("Good")], "json", path)
    values = json.loads(path.read_text())
    values["chats"][0] |= {"title": "Good one"}
    values["chats"][0]["messages"] += [{"role": "tool"}] * num
    path.write_text(json.dumps(values))
    assert [chat.title for chat in bench.take_in(path)] == ["Good one"]
    assert bench.said[-1].startswith(f"Imported “Good one”. {words} not be read and w")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "holds no text"),
        (b"PK\x03\x04 cut", "ZIP that cannot be opened"),
        (b'{"some": "thing"}', "neither chats of Draftscope nor of ChatGPT"),
    ],
)
def test_what_is_no_export_is_said(bench, tmp_path, content, words):
    path = tmp_path / "a.bin"
    path.write_bytes(content)
    assert words in refused(bench, path)


def test_a_zip_without_chats_or_with_damage_is_said(bench, tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("notes.txt", "x")
    assert refused(bench, path) == "There is no conversations.json in a.zip."
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("conversations.json", json.dumps([sorting()]))
    content = bytearray(path.read_bytes())
    content[60] ^= 255
    path.write_bytes(content)
    bench.said.clear()
    assert "ZIP that cannot be opened" in refused(bench, path)


def test_nothing_there_and_folders(bench, tmp_path):
    assert refused(bench, tmp_path / "none.json") == "none.json is not there any more."
    bench.said.clear()
    assert "is a folder" in refused(bench, tmp_path)


def test_too_large_is_said_with_the_limit(bench, tmp_path, monkeypatch):
    path, packed = tmp_path / "a.json", tmp_path / "a.zip"
    path.write_text(json.dumps([sorting()]))
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.write(path, "conversations.json")
    assert chat_files.MAX_BYTES == 500_000_000
    monkeypatch.setattr(chat_files, "MAX_BYTES", 1_000)
    assert "files up to that can be imported" in refused(bench, path)
    bench.said.clear()
    assert "files up to that can be imported" in refused(bench, packed)


def test_a_file_without_a_chat(bench, tmp_path):
    path = tmp_path / "a.json"
    path.write_text("[]")
    assert refused(bench, path) == "There are no chats in a.json."


def test_what_cannot_be_written_is_said_and_leaves_nothing(bench, tmp_path, monkeypatch):
    chat, path = bench.chat(), tmp_path / "a.json"
    path.write_text("before")

    def full(_descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    assert not bench.export([chat], "json", path)
    assert bench.said == ["a.json could not be written: No space left on device."]
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["a.json"]


def test_progress_is_told(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.away.WORDS_SECONDS", 0.001)
    path = tmp_path / "a.json"
    path.write_text(json.dumps([sorting() for _ in range(600)]))
    assert len(bench.take_in(path)) == 600
    assert any(words.startswith("Importing, ") for words in bench.said)
    assert bench.said[-1] == "Imported 600 chats."


def test_progress_goes_on_to_the_end(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.porting.WORDS_SECONDS", 0.0)
    path = tmp_path / "a.json"
    path.write_text(json.dumps([sorting() for _ in range(50)]))
    assert len(bench.take_in(path)) == 50
    shares = [int(words.split()[1]) for words in bench.said if words.endswith("%")]
    assert len(shares) >= 50
    assert shares == sorted(shares)
    assert shares[-1] >= 94


def test_an_import_that_is_cut_short_by_the_end_is_whole(bench, tmp_path):
    path = tmp_path / "a.json"
    path.write_text(json.dumps([sorting() for _ in range(100)]))
    before = len(bench.chats.items)

    async def cut():
        taking = asyncio.ensure_future(bench.controller.take_in(path))
        bench.chats.added.connect(lambda _chat: taking.cancel())
        await asyncio.gather(taking, return_exceptions=True)
        assert taking.cancelled()

    bench.loop.run_until_complete(cut())
    assert len(bench.chats.items) == before + 100


def test_an_export_of_all_starts_by_itself(bench, tmp_path):
    bench.chat("One")
    path = tmp_path / "all.md"

    async def wait():
        bench.controller.export_all("markdown", path)
        while not bench.said:
            await asyncio.sleep(0.005)

    bench.loop.run_until_complete(wait())
    assert bench.said == ["Exported as all.md."]


def assert_not_written(bench, path, sentence):
    bench.said.clear()
    assert not bench.export([bench.chat()], "json", path)
    assert bench.said == [sentence]


def test_an_export_replaces_only_ordinary_files(bench, tmp_path):
    chat, place = bench.chat(), tmp_path / "to"
    place.mkdir()
    (place / "folder").mkdir()
    os.mkfifo(place / "pipe")
    (place / "link").symlink_to(place / "pipe")
    assert_not_written(bench, place / "folder", "folder is a folder; choose a name for a file.")
    for name in ("pipe", "link"):
        wanted = f"{name} is no ordinary file; choose another name."
        assert_not_written(bench, place / name, wanted)
    assert (place / "pipe").is_fifo()
    assert sorted(each.name for each in place.iterdir()) == ["folder", "link", "pipe"]
    (place / "loop").symlink_to(place / "loop")
    assert not bench.export([chat], "json", place / "loop")


def test_a_socket_is_neither_read_nor_written(bench, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as made:
        made.bind("s")
        assert "no ordinary file" in refused(bench, path)
        assert_not_written(bench, path, "s is no ordinary file; choose another name.")


def test_an_export_goes_where_a_link_leads(bench, tmp_path):
    chat, there = bench.chat(), tmp_path / "there"
    there.mkdir()
    (tmp_path / "link.json").symlink_to(there / "real.json")
    for _ in range(2):
        assert bench.export([chat], "json", tmp_path / "link.json")
        assert (tmp_path / "link.json").is_symlink()
        assert [each.name for each in there.iterdir()] == ["real.json"]


@pytest.mark.parametrize(
    "name", ["chats.db", "chats.db-wal", "chats.db.damaged", "draftscope.lock", "CHATS.DB"]
)
def test_no_export_replaces_the_files_of_the_store(bench, tmp_path, name):
    data = tmp_path / "data"
    data.mkdir()
    bench.controller._is_protected = chat_files.store_files(data)
    (data / name).write_text("kept")
    (tmp_path / "link").symlink_to(data / name)
    (tmp_path / "other").symlink_to(data)
    for path in (data / name, tmp_path / "link", tmp_path / "other" / name):
        wanted = f"{path.name} is a file in which Draftscope keeps chats; choose another name."
        assert_not_written(bench, path, wanted)
    assert (data / name).read_text() == "kept"
    chat = bench.chat()
    assert bench.export([chat], "json", data / "mine.json")
    assert bench.export([chat], "json", tmp_path / name)


def test_a_pipe_is_not_waited_for(bench, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    wanted = "pipe is no ordinary file; choose the file of the export."
    assert refused(bench, tmp_path / "pipe") == wanted


def test_a_zip_made_to_fill_memory_is_refused(bench, tmp_path):
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", " " * 60_000_000)
    wanted = "a.zip would unpack to far more than an export holds; download it once more."
    assert refused(bench, path) == wanted


def test_a_long_chat_is_made_in_slices(bench, tmp_path, monkeypatch):
    monkeypatch.setattr("app.controllers.porting._TURN_SECONDS", 0.0)
    nodes = [node("0", None, "user", ["q"])]
    for number in range(1, 2_000):
        role = "assistant" if number % 2 else "user"
        nodes.append(node(str(number), str(number - 1), role, ["m"]))
    (told,) = chats_in(json.dumps([conversation(nodes, "1999")])).chats
    turns = 0

    async def twice():
        turn = _Turn()
        return [await turn.finish(built(told)) for _ in range(2)]

    async def make():
        nonlocal turns
        making = asyncio.ensure_future(twice())
        while not making.done():
            turns += 1
            await asyncio.sleep(0)
        return making.result()

    first, second = bench.loop.run_until_complete(make())
    assert turns > 40
    assert len(first.exchanges) == len(second.exchanges) == 1_000
    assert first.id != second.id
    first.deleteLater()
    second.deleteLater()


def test_what_a_killed_export_left_is_taken_away_by_the_next(tmp_path):
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = tmp_path / f".draftscope-{gone.pid}-0a1b2c3d.partial"
    other = tmp_path / f".draftscope-{os.getppid()}-0a1b2c3d.partial"
    foreign = tmp_path / ".draftscope-notes-of-mine.partial"
    for each in (left, other, foreign):
        each.write_text("half of")
    chat_files.write_whole(tmp_path / "chats.json", ["whole"])
    assert sorted(tmp_path.iterdir()) == sorted((other, foreign, tmp_path / "chats.json"))
