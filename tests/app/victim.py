"""An app that lives until it is killed: `python -m tests.app.victim FOLDER SEED`.

Types, asks, streams, edits, regenerates and deletes as chance has it, and tells on its standard
output what a person has seen for that moment: one JSON object a line.
"""

import asyncio
import json
import random
import sys
import time
from pathlib import Path

from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from app.arguments import parse_arguments
from app.main.session import Session
from app.main.storing import Trouble, open_store
from app.models.conversation import Conversation
from app.models.question import Question
from app.settings import Settings
from tests.fakes.scripted_worker import ScriptedWorker, reply_events, steps_of, tokens_of

WORDS = "the quick brown fox jumps over a lazy dog and 東京 is far away "


def main() -> None:
    folder, seed = Path(sys.argv[1]), int(sys.argv[2])
    app = QApplication(["victim"])
    app.setQuitOnLastWindowClosed(False)
    with QEventLoop(app) as loop:
        asyncio.set_event_loop(loop)
        arguments = parse_arguments(["--data-dir", str(folder)], Settings())
        trouble = Trouble()
        steps = steps_of(tokens_of(WORDS * 40))
        worker = ScriptedWorker(lambda job, asked: reply_events(job, asked, steps), pace=0.004)
        session = Session(arguments, Settings(), worker, open_store(arguments, trouble), trouble)
        session.window.show()
        session.bring_back()
        loop.run_until_complete(live(session, random.Random(seed)))


async def live(session: Session, chance: random.Random) -> None:
    """Do things until the end."""
    await session.controller.load("demo")
    while True:
        await act(session, chance)
        tell(session)
        await asyncio.sleep(chance.random() * 0.06)


async def act(session: Session, chance: random.Random) -> None:
    chat, controller = session.chats.current, session.controller
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
        controller.open_chat(chance.choice(session.chats.items))
    elif deed < 0.94:
        controller.stop()


def tell(session: Session) -> None:
    """What is on screen now."""
    chat = session.chats.current
    said = {
        "at": time.monotonic(),
        "chat": chat.id,
        "draft": session.window.composer.text,
        "path": path_of(chat),
    }
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()


def path_of(chat: Conversation) -> list[list[object]]:
    """Of each exchange that is shown: its numbers, question and reply."""
    return [[each.id, each.variant.id, each.prompt, each.reply.text] for each in chat.exchanges]


if __name__ == "__main__":
    main()
