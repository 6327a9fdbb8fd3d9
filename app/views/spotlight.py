"""Shows the selection in the conversation: where the draft came from, the way there and back.

It has no selection of its own: it follows the inspection. It scrolls only to what was selected
elsewhere, or on demand, and once all that was asked for in a turn of the event loop is laid out.
"""

from PySide6.QtCore import QObject, QRect, QRectF, QTimer, Signal
from PySide6.QtWidgets import QApplication, QScrollArea, QWidget

from app.models.context_map import ContextMap, Place
from app.models.conversation import Exchange
from app.models.inspection import Inspection
from app.models.message_owners import owners
from app.models.reply import Reply
from app.models.sources import Part, parts_of, place_in_draft
from app.models.token_facts import facts_of
from app.theme import Theme
from app.views.messages import PromptBubble
from app.views.reply_text import ReplyText, SourceRange
from app.views.reply_view import ReplyView
from app.views.scrolling import lay_out, scroll_to
from app.views.token_card import TokenCard

Shower = PromptBubble | ReplyText


class Spotlight(QObject):
    """Lights for one conversation column, which says what is in it."""

    looked = Signal(bool)

    def __init__(self, area: QScrollArea, theme: Theme, inspection: Inspection) -> None:
        super().__init__(area)
        self._area, self._theme, self._inspection = area, theme, inspection
        self._shown: dict[Exchange, tuple[PromptBubble, ReplyView]] = {}
        self._lit: dict[Shower, list[SourceRange]] = {}
        self._context: tuple[Reply, ContextMap, dict[int, tuple[Exchange, bool]]] | None = None
        self._card: TokenCard | None = None
        self._is_at_source = self._is_scrolling = False
        self._wants_scroll = self._wants_card = False
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
        return self._source() is not None

    def clear(self) -> None:
        """Another chat will be shown."""
        self.close_card()
        self._shown.clear()
        self._lit.clear()
        self._context = None

    def add(self, exchange: Exchange, bubble: PromptBubble, view: ReplyView) -> None:
        """An exchange came into the column."""
        self._shown[exchange] = bubble, view
        view.text.card_requested.connect(self.open_card)
        view.text.source_requested.connect(self.jump)
        view.text.dismissed.connect(self._on_dismissed)

    def follow(self) -> None:
        """Show what the inspection looks at now."""
        for shower in self._lit:
            shower.show_source(())
        self._lit.clear()
        self._is_at_source = False
        view, step = self._view(), self._inspection.selected_step
        for _, each in self._shown.values():
            each.text.takes_escape = each is view and self._takes_escape(each)
        if view is None or step is None:
            self.close_card()
            self.looked.emit(False)
            return
        self.looked.emit(True)
        self._light_up(view, step)
        self._go(is_scroll_wanted=not view.is_choosing_by_mouse)

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
        if not self._is_at_source and self._source() is None:
            return
        self._is_at_source = not self._is_at_source
        self._go(is_scroll_wanted=True)

    def _view(self) -> ReplyView | None:
        """The view of the reply that is inspected, if it is in this chat."""
        shown = (view for _, view in self._shown.values() if view.reply is self._inspection.reply)
        return next(shown, None)

    def _takes_escape(self, view: ReplyView) -> bool:
        """While a reply streams Escape stops it, once the card is closed."""
        selects = self._inspection.selected_step is not None
        return self.card is not None or (selects and view.reply.is_over)

    def _source(self) -> Shower | None:
        """What the source is lit up in; the token's own before the draft's."""
        wanted: tuple[Part, ...] = ("token", "draft")
        for part in wanted:
            for shower, ranges in self._lit.items():
                if any(each.part == part for each in ranges):
                    return shower
        return None

    def _light_up(self, view: ReplyView, step: int) -> None:
        context, whose = self._context_of(view.reply)
        record = view.reply.log[step]
        token = self._inspection.token
        number = token - view.reply.log.first_token(step) if token is not None else -1
        for part, start, length in parts_of(context, record, place_in_draft(record, number)):
            for place in context.places(start, length):
                shower = self._shower(view, whose, place)
                if shower is not None:
                    lit = SourceRange(place.start, place.end, part)
                    self._lit.setdefault(shower, []).append(lit)
        for shower, ranges in self._lit.items():
            shower.show_source(ranges)

    def _context_of(self, reply: Reply) -> tuple[ContextMap, dict[int, tuple[Exchange, bool]]]:
        if self._context is None or self._context[0] is not reply:
            exchanges = list(self._shown)
            exchange = next(each for each in exchanges if each.reply is reply)
            messages = reply.started.messages if reply.started is not None else ()
            self._context = reply, ContextMap(reply), owners(exchanges, exchange, messages)
        return self._context[1:]

    def _shower(
        self, view: ReplyView, whose: dict[int, tuple[Exchange, bool]], place: Place
    ) -> Shower | None:
        """What shows a place; None where it is not on screen, as a template's marks are not."""
        if place.kind == "reply":
            return view.text
        if place.kind == "message":
            exchange, is_reply = whose.get(place.message, (None, False))
            if exchange is None or exchange not in self._shown:
                return None
            bubble, answer = self._shown[exchange]
            return answer.text if is_reply else bubble
        started = view.reply.started
        bubble = next(bubble for bubble, each in self._shown.values() if each is view)
        # A prompt that came as ids is shown as a whole.
        return bubble if started is not None and bubble.text == started.prompt_text else None

    def _go(self, *, is_scroll_wanted: bool) -> None:
        self._wants_scroll = self._wants_scroll or is_scroll_wanted
        self._arrival.start()

    def _arrive(self) -> None:
        """Scroll to the token or its source if need be, and put the card there."""
        wants_scroll, wants_card = self._wants_scroll, self._wants_card or self.card is not None
        self._wants_scroll = self._wants_card = False
        view = self._view()
        if view is None or self._inspection.selected_step is None:
            return
        source = self._source() if self._is_at_source else None
        if isinstance(source, PromptBubble):
            source.reveal_source()
            source = source.body
        text = source or view.text
        lay_out(self._area, text)
        rect = text.source_rect() if source is not None else view.text.selected_rect()
        if wants_scroll and not rect.isNull():
            self._is_scrolling = True
            scroll_to(self._area, text, rect)
            self._is_scrolling = False
        if wants_card and self._card is not None:
            self._fill(self._card, view, text, rect)

    def _fill(self, card: TokenCard, view: ReplyView, widget: QWidget, rect: QRectF) -> None:
        token = self._inspection.token
        if token is None:
            card.close_card()
            return
        facts = facts_of(view.reply, token, self._context_of(view.reply)[0])
        card.show_facts(facts, self.has_source, self._is_at_source)
        top_left = widget.mapTo(card.host, rect.topLeft().toPoint())
        card.place_beside(QRect(top_left, rect.size().toSize()))
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
