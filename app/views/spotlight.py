"""Shows the selection in the conversation: where the draft came from, the way there and back.

It has no selection of its own: it follows the inspection. It scrolls only to what was selected
elsewhere, or on demand, and once all that was asked for in a turn of the event loop is laid out.
Markdown has no tokens to outline: selecting a token, or going to a source, turns the token view on.
"""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, QRectF, QTimer, Signal
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.models.display import TokenDisplay
from app.models.exchange import Exchange
from app.models.inspection import Inspection
from app.models.token_facts import facts_of
from app.theme import Theme
from app.views.column.source_lights import Key, SourceLights
from app.views.messages import PromptBubble
from app.views.reply_text import ReplyText
from app.views.reply_view import ReplyView
from app.views.scrolling import lay_out, scroll_to
from app.views.spoken_of import rect_in, spoken_of
from app.views.token_card import TokenCard

Shower = PromptBubble | ReplyText


class Spotlight(QObject):
    """Lights for one conversation column, which says what is in it and builds what is not."""

    looked = Signal(bool)

    def __init__(
        self,
        area: QScrollArea,
        theme: Theme,
        display: TokenDisplay,
        inspection: Inspection,
        reveal: Callable[[Exchange], object],
    ) -> None:
        super().__init__(area)
        self._area, self._theme, self._display = area, theme, display
        self._inspection, self._reveal = inspection, reveal
        self._path: Sequence[Exchange] = ()
        self._shown: dict[Exchange, tuple[PromptBubble, ReplyView]] = {}
        self._sources = SourceLights()
        self._lit: set[Shower] = set()
        self._card: TokenCard | None = None
        self._is_at_source = self._is_scrolling = self._wants_scroll = self._wants_card = False
        self._arrival = QTimer(self)
        self._arrival.setSingleShot(True)
        self._arrival.setInterval(0)
        self._arrival.timeout.connect(self._arrive)
        area.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        inspection.moved.connect(self.follow)

    @property
    def card(self) -> TokenCard | None:
        """The card, if it is open."""
        return self._card if self._card is not None and not self._card.isHidden() else None

    @property
    def has_source(self) -> bool:
        """Whether the source of the selected draft is somewhere in the conversation."""
        return self._sources.first() is not None

    def clear(self) -> None:
        """Another chat will be shown."""
        self.close_card()
        self._lit.clear()
        self.show_path(())

    def show_path(self, path: Sequence[Exchange]) -> None:
        """The exchanges of the chat, in the column or not."""
        self._path = path
        self.forget()

    def forget(self) -> None:
        """Some text is another one now: where its tokens lie has to be found out again."""
        self._sources.forget()

    def add(self, exchange: Exchange, bubble: PromptBubble, view: ReplyView) -> None:
        """An exchange came into the column."""
        self._shown[exchange] = bubble, view
        view.text.card_requested.connect(self.open_card)
        view.text.source_requested.connect(self.jump)
        view.text.dismissed.connect(self._on_dismissed)
        view.body.restarted.connect(self.forget)
        self._light_up(exchange)

    def remove(self, exchange: Exchange) -> None:
        """An exchange left the column; its lights come back with it."""
        if exchange in self._shown:
            bubble, view = self._shown.pop(exchange)
            self._lit -= {bubble, view.text}

    def follow(self) -> None:
        """Show what the inspection looks at now."""
        self._put_out()
        self._is_at_source = False
        exchange, step = self._exchange(), self._inspection.selected_step
        view = self._view()
        for _, each in self._shown.values():
            each.text.takes_escape = each is view and self._takes_escape(each)
        if exchange is None or step is None:
            self.close_card()
            self.looked.emit(False)
            return
        self.looked.emit(True)
        if self._inspection.token is not None:
            self._display.set_on(True)
        self._sources.find(exchange, self._path, step, self._inspection.token)
        for lit in self._shown:
            self._light_up(lit)
        self._go(is_scroll_wanted=view is None or not view.is_choosing_by_mouse)

    def open_card(self) -> None:
        """Show the card of the selected token."""
        view = self._view()
        if view is None or self._inspection.token is None:
            return
        if self._card is None:
            self._card = TokenCard(self._theme, self._area.window())
            self._card.source_requested.connect(self.jump)
            self._card.back_requested.connect(self.jump)
            self._card.closed.connect(self._on_card_closed)
        QWidget.setTabOrder(view.text, self._card.source)
        QWidget.setTabOrder(self._card.source, self._card.back)
        self._wants_card = True
        self._go(is_scroll_wanted=False)

    def close_card(self) -> None:
        """Take the card away, if it is there."""
        if self._card is not None:
            self._card.close_card()

    def jump(self) -> None:
        """To the source of the draft; and back, if that is where we are."""
        if not self._is_at_source and not self.has_source:
            return
        self._display.set_on(True)
        self._is_at_source = not self._is_at_source
        self._go(is_scroll_wanted=True)

    def _exchange(self) -> Exchange | None:
        """Whose reply is inspected, if it is in this chat."""
        reply = self._inspection.reply
        return next((each for each in self._path if each.reply is reply), None)

    def _view(self) -> ReplyView | None:
        """The view of the reply that is inspected, if it is built."""
        exchange = self._exchange()
        return self._shown[exchange][1] if exchange in self._shown else None

    def _takes_escape(self, view: ReplyView) -> bool:
        """While a reply streams Escape stops it, once the card is closed."""
        selects = self._inspection.selected_step is not None
        return self.card is not None or (selects and view.reply.is_over)

    def _shower(self, key: Key) -> Shower | None:
        """What shows a source; None where it is not built."""
        exchange, is_reply = key
        if exchange not in self._shown:
            return None
        bubble, view = self._shown[exchange]
        return view.text if is_reply else bubble

    def _light_up(self, exchange: Exchange) -> None:
        for key, ranges in self._sources.ranges.items():
            shower = self._shower(key)
            if key[0] is exchange and shower is not None:
                shower.show_source(ranges)
                self._lit.add(shower)

    def _put_out(self) -> None:
        for shower in self._lit:
            shower.show_source(())
        self._lit.clear()
        self._sources.clear()

    def _go(self, *, is_scroll_wanted: bool) -> None:
        self._wants_scroll = self._wants_scroll or is_scroll_wanted
        self._arrival.start()

    def _arrive(self) -> None:
        """Scroll to the token or its source if need be, and put the card there."""
        wants_scroll, wants_card = self._wants_scroll, self._wants_card or bool(self.card)
        self._wants_scroll = self._wants_card = False
        exchange = self._exchange()
        is_looking = exchange is not None and self._inspection.selected_step is not None
        if exchange is None or not is_looking or not self._display.is_on:
            return
        key = self._sources.first() if self._is_at_source else None
        target = key[0] if key is not None else exchange
        if wants_scroll:
            self._reveal(target)
        if target not in self._shown:
            return
        self._shown[target][1].follow_display()
        text, rect = self._rect(key, target)
        if wants_scroll and not rect.isNull():
            self._is_scrolling = True
            scroll_to(self._area, text, rect)
            self._is_scrolling = False
        if wants_card and self._card is not None:
            self._fill(self._card, exchange, text, rect)

    def _rect(self, key: Key | None, target: Exchange) -> tuple[ReplyText, QRectF]:
        """What bounds the source, or the selected tokens, laid out."""
        bubble, view = self._shown[target]
        if key is None:
            lay_out(self._area, view.text)
            return view.text, view.text.selected_rect()
        if not key[1]:
            bubble.reveal_source()
        text = view.text if key[1] else bubble.body
        lay_out(self._area, text)
        return text, text.source_rect()

    def _fill(self, card: TokenCard, exchange: Exchange, widget: QWidget, rect: QRectF) -> None:
        token = self._inspection.token
        if token is None:
            card.close_card()
            return
        facts = facts_of(exchange.reply, token, self._sources.context_of(exchange, self._path))
        card.show_facts(facts, self.has_source, self._is_at_source)
        view = self._view()
        lit = (each.body if isinstance(each, PromptBubble) else each for each in self._lit)
        spared = spoken_of(card.host, self._area.viewport(), view.text, lit) if view else []
        card.place_beside(rect_in(card.host, widget, rect), spared)
        if view is not None:
            view.text.takes_escape = True

    def _on_card_closed(self) -> None:
        view = self._view()
        if view is not None and self._card is not None:
            view.text.takes_escape = self._takes_escape(view)
            focus = QApplication.focusWidget()
            if focus is not None and self._card.isAncestorOf(focus):
                view.text.setFocus()

    def _on_dismissed(self) -> None:
        """Escape closes the card first, then lets go of the selection."""
        if self.card is not None:
            self.close_card()
        else:
            self._inspection.follow()

    def _on_scrolled(self) -> None:
        if not self._is_scrolling:
            self.close_card()
