"""An app that lives until it is killed: `python -m tests.app.victim FOLDER SEED [MOMENT]`.

Types, asks, streams, edits, regenerates and deletes as chance has it, and tells on its standard
output what a person has seen for that moment: one JSON object a line. With a moment it says so,
after a while, and does that: pastes, attaches, imports or exports, again and again.
"""

import asyncio
import json
import random
import sys
import time
import zlib
from pathlib import Path
from typing import Literal, get_args

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.main.storing import Trouble, open_store
from app.models.conversation import Conversation
from app.models.porting.native import FORMAT, VERSION
from app.models.question import Attachment, Question
from app.settings import Settings
from tests.fakes.scripted_worker import ScriptedWorker, reply_events, steps_of, tokens_of

Moment = Literal["paste", "attach", "import", "export"]
MOMENTS: tuple[Moment, ...] = get_args(Moment)
WORDS = "the quick brown fox jumps over a lazy dog and 東京 is far away "
# The chats of an import, and what each of them holds.
NUM_IMPORTED, NUM_MESSAGES = 60, 12
IMPORTED, MOST_CHATS = "Imported", 500
EXPORTED = "exported.json"
_QUIET_SECONDS = 1.0


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    moment = next((each for each in MOMENTS if each in sys.argv[3:]), None)
    app = QApplication(["victim"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        arguments = parse_arguments(["--data-dir", str(folder)], Settings())
        trouble = Trouble()
        steps = steps_of(tokens_of(WORDS * 40))
        worker = ScriptedWorker(lambda job, asked: reply_events(job, asked, steps), pace=0.004)
        session = Session(arguments, Settings(), worker, open_store(arguments, trouble), trouble)
        loop.run_until_complete(live(session, folder, random.Random(seed), moment))


async def live(
    session: Session, folder: Path, chance: random.Random, moment: Moment | None
) -> None:
    """Do things in the running app until the end, from its first moment on."""
    running = asyncio.ensure_future(session.run())
    begin, is_told = time.monotonic(), False
    while not running.done():
        if moment is not None and time.monotonic() > begin + _QUIET_SECONDS:
            if not is_told:
                say({"doing": moment})
                is_told = True
            await do(session, folder, chance, moment)
        else:
            await act(session, chance)
        tell(session)
        await asyncio.sleep(chance.random() * 0.06)


async def act(session: Session, chance: random.Random) -> None:
    chat, controller = session.chats.current, session.controller
    # What was brought in stays as it came, so that it can be told whether all of it is there.
    own = [each for each in session.chats.items if each.title != IMPORTED]
    deed = chance.random()
    if deed < 0.5:
        session.window.composer.edit.insertPlainText(chance.choice(WORDS.split()) + " ")
    elif deed < 0.65 and not controller.is_busy:
        session.window.composer.submit()
    elif deed < 0.72 and chat.exchanges and not controller.is_busy:
        exchange = chance.choice(chat.exchanges)
        controller.edit(exchange, Question(exchange.prompt + "!"))
    elif deed < 0.79 and chat.exchanges and not controller.is_busy:
        controller.regenerate(chance.choice(chat.exchanges))
    elif deed < 0.82 and chat.exchanges and not controller.is_busy:
        session.turns.remove(chance.choice(chat.exchanges))
    elif deed < 0.86:
        controller.new_chat()
    elif deed < 0.9:
        controller.open_chat(chance.choice(own))
    elif deed < 0.94:
        controller.stop()


async def do(session: Session, folder: Path, chance: random.Random, moment: Moment) -> None:
    """What the process is killed during."""
    text = WORDS * chance.randrange(2_000, 8_000)
    if moment == "paste":
        mime = QMimeData()
        mime.setText(text)
        session.window.composer.take(mime)
    elif moment == "attach":
        path = folder / f"attached {chance.randrange(3)}.txt"
        path.write_text(text, encoding="utf-8")
        await session.attacher.attach(session.chats.current, [path])
    elif moment == "export":
        await session.porting.export(session.chats.items, "json", folder / EXPORTED)
    elif len(session.chats.items) < MOST_CHATS:
        path = folder / "import.json"
        path.write_text(chats_file(), encoding="utf-8")
        await session.porting.take_in(path)
    if moment in ("paste", "attach") and len(session.window.composer.question.attachments) > 3:
        session.window.composer.submit()


def chats_file() -> str:
    """Chats to import, all alike."""
    messages = [
        {
            "id": n, "parent": n - 1 if n else None, "role": "assistant" if n % 2 else "user",
            "text": f"{n} {WORDS * 20}", "created": 1.0,
        }
        for n in range(NUM_MESSAGES)
    ]  # fmt: skip
    chat = {"title": IMPORTED, "created": 1.0, "choice": 0, "messages": messages}
    return json.dumps({"format": FORMAT, "version": VERSION, "chats": [chat] * NUM_IMPORTED})


def tell(session: Session) -> None:
    """What is on screen now."""
    chat, typed = session.chats.current, session.window.composer.question
    say(
        {
            "at": time.monotonic(),
            "chat": chat.id,
            "draft": typed.text,
            "attached": list(map(told_attachment, typed.attachments)),
            "path": path_of(chat),
        }
    )


def say(what: dict[str, object]) -> None:
    """One line, at once."""
    sys.stdout.write(json.dumps(what) + "\n")
    sys.stdout.flush()


def told_attachment(attachment: Attachment) -> list[object]:
    """An attachment in short."""
    return [attachment.name, digest(attachment.text)]


def path_of(chat: Conversation) -> list[list[object]]:
    """Of each exchange that is shown: its numbers, question and reply."""
    return [
        [each.id, each.variant.id, digest(each.prompt), each.reply.text] for each in chat.exchanges
    ]


def digest(text: str) -> int:
    """Tells a long text from another one."""
    return zlib.crc32(text.encode())


if __name__ == "__main__":
    main()
