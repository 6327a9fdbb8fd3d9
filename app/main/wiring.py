"""Connects what the window asks for with the controllers that answer; one function an area."""

from functools import partial

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.controllers.attaching import Attacher
from app.controllers.chat import ChatController
from app.controllers.compare import CompareController
from app.controllers.counting import TokenCounter
from app.controllers.examples import ExampleController
from app.controllers.keeping import Keeper
from app.controllers.porting import ChatFormat, PortingController
from app.controllers.spelling import TokenSpeller
from app.controllers.traces import TraceController
from app.controllers.turns import TurnController
from app.models.chat_settings import ChatSettings
from app.models.chats import Chats
from app.models.conversation import Conversation
from app.models.exchange import Exchange
from app.models.question import Question
from app.views.chat_dialogs import ask_export, ask_import
from app.views.examples import Example
from app.views.flags.excluded import ExtraField
from app.views.window import MainWindow


def connect_asking(window: MainWindow, asking: ChatController, turns: TurnController) -> None:
    """What is asked of the model, and what is done with its answers."""
    intents, composer = window.conversation.intents, window.composer
    window.send_requested.connect(asking.send)
    window.retry_requested.connect(asking.retry)
    window.stop_requested.connect(asking.stop)
    window.reload_requested.connect(asking.loader.reload)
    asking.running_changed.connect(window.set_running)
    intents.regenerate_requested.connect(asking.regenerate)
    intents.regenerate_with_requested.connect(asking.regenerate_with)
    intents.resume_requested.connect(asking.resume)
    intents.edit_requested.connect(asking.edit)
    intents.choose_requested.connect(turns.choose)
    intents.delete_requested.connect(turns.remove)
    intents.undo_requested.connect(turns.undo)
    intents.first_cleared.connect(turns.send_all_again)
    intents.settings_requested.connect(lambda _exchange: composer.settings.open())
    composer.leave_out_requested.connect(turns.leave_out)
    composer.new_chat_requested.connect(turns.new_chat_with)
    window.conversation.floating.link.opened.connect(_open_link)


def connect_examples(window: MainWindow, examples: ExampleController) -> None:
    """An example that cannot be asked now is put where it can be asked later."""

    def start(example: Example) -> None:
        if not examples.start(example.prompt, example.follow_up):
            window.composer.set_text(example.prompt)

    window.example_chosen.connect(start)
    examples.said.connect(window.say)


def connect_chats(
    window: MainWindow, chats: Chats, asking: ChatController, porting: PortingController
) -> None:
    """Which chat is open, chats in and out of files."""
    sidebar = window.sidebar
    sidebar.new_requested.connect(asking.new_chat)
    sidebar.chat_chosen.connect(asking.open_chat)
    asking.answered.connect(sidebar.note_answer)
    porting.said.connect(window.say)

    def export(chat: Conversation, kind: ChatFormat) -> None:
        name = porting.suggested_name(chat, kind)
        ask_export(window, name, lambda path: porting.export_chat(chat, kind, path))

    def show_hit(chat: Conversation, message: int | None) -> None:
        asking.open_chat(chat)
        if message is not None:
            asking.when_whole(chat, partial(_show_message, window, chat, message))

    sidebar.export_requested.connect(export)
    sidebar.import_requested.connect(lambda: ask_import(window, porting.import_file))
    sidebar.hit_chosen.connect(show_hit)


def connect_composer(
    window: MainWindow,
    chats: Chats,
    asking: ChatController,
    attacher: Attacher,
    counter: TokenCounter,
) -> None:
    """What is being typed: the open chat's draft and settings, files, sizes."""
    composer = window.composer

    def keep_draft(draft: Question) -> None:
        # The window shows another chat only after it has the last word of this one's draft.
        chat = window.chat
        if chat is not None and not chat.is_read_only:
            chat.set_draft(draft)

    def keep_edit(exchange: Exchange, text: str | None) -> None:
        if window.chat is not None and not window.chat.is_read_only:
            window.chat.set_edit(exchange.id, text)

    def use_settings(settings: ChatSettings) -> None:
        chats.current.set_settings(settings)

    composer.draft_changed.connect(keep_draft)
    window.conversation.intents.edit_typed.connect(keep_edit)
    composer.settings.settings_changed.connect(use_settings)
    composer.files_chosen.connect(attacher.read)
    composer.reading_cancelled.connect(attacher.cancel)
    attacher.attached.connect(composer.attach)
    attacher.readings_changed.connect(composer.show_readings)
    attacher.said.connect(window.say)
    composer.count_requested.connect(counter.ask)
    counter.counted.connect(composer.show_counts)
    counter.outdated.connect(composer.forget_counts)
    asking.running_changed.connect(counter.set_running)


def connect_inspector(
    window: MainWindow,
    chats: Chats,
    traces: TraceController,
    compare: CompareController,
    speller: TokenSpeller,
) -> None:
    """Comparisons, traces opened and saved, and what the tokenizer is asked for."""
    window.compare.run_requested.connect(compare.start)
    window.compare.stop_requested.connect(compare.stop)
    window.trace_opened.connect(traces.open_file)
    traces.said.connect(window.say)
    for field in window.flags.findChildren(ExtraField):
        field.wanted.connect(speller.find)
        field.unnamed.connect(speller.name)
        speller.found.connect(field.take)
        speller.unanswered.connect(field.explain)
        speller.named.connect(field.name)
    menu = window.header.traces
    menu.suggest = lambda kind: traces.suggested_name(chats.current, kind)


def connect_keeping(
    window: MainWindow, chats: Chats, keeper: Keeper, asking: ChatController
) -> None:
    """Tokens that lie on disk come when they are looked at."""

    def bring_back(exchange: Exchange) -> None:
        asking.look_into(chats.current, exchange)

    window.conversation.intents.tokens_wanted.connect(bring_back)
    keeper.said.connect(window.warn)


def _show_message(window: MainWindow, chat: Conversation, message: int) -> None:
    """The turn of a message, on the branch that it lies on."""
    for exchange in chat.every_exchange():
        variant = next((each for each in exchange.variants if each.id == message), None)
        if exchange.id == message or variant is not None:
            chat.show(exchange, variant)
            window.conversation.show_exchange(exchange)
            return


def _open_link(target: QUrl) -> None:
    QDesktopServices.openUrl(target)
