"""The side bar: new chat, the chats of this run, the model and its memory."""

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QProgressBar,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from app.models.conversation import Chats, Conversation
from app.models.model_state import ModelState
from app.models.summary import gigabytes
from app.theme import Theme, sans
from app.views.controls import ElidedLabel, IconButton
from app.views.header import HEADER_HEIGHT

SIDEBAR_WIDTH = 232
_ROW = 46


class ChatDelegate(QStyledItemDelegate):
    """Title over a line of facts, on a rounded ground when chosen."""

    def __init__(self, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        return QSize(160, _ROW)

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        colors, rect = self._theme.palette, option.rect
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if is_chosen or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colors.selected if is_chosen else colors.hover))
            painter.drawRoundedRect(QRectF(rect).adjusted(0, 1, 0, -1), 6, 6)
        font = sans(13)
        font.setWeight(font.Weight.DemiBold if is_chosen else font.Weight.Normal)
        words = rect.adjusted(12, 6, -12, -6)
        flags = Qt.AlignmentFlag
        for text, style, color, place in (
            (index.data(Qt.ItemDataRole.DisplayRole), font, colors.text, flags.AlignTop),
            (index.data(Qt.ItemDataRole.UserRole), sans(11), colors.muted, flags.AlignBottom),
        ):
            painter.setFont(style)
            painter.setPen(QColor(color))
            metrics = painter.fontMetrics()
            shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, words.width())
            painter.drawText(words, place | flags.AlignLeft, shown)
        painter.restore()


class Sidebar(QWidget):
    """Emits which chat is asked for."""

    new_requested = Signal()
    chat_chosen = Signal(object)

    def __init__(
        self, theme: Theme, chats: Chats, model: ModelState, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedWidth(SIDEBAR_WIDTH)
        self._model, self._chats = model, chats
        self._rows: dict[Conversation, QListWidgetItem] = {}
        self.new = IconButton("plus", self.tr("New chat"), theme, self)
        self.new.clicked.connect(self.new_requested)
        self.list = QListWidget(self)
        self.list.setObjectName("chats")
        self.list.setAccessibleName(self.tr("Chats"))
        self.list.setMouseTracking(True)
        self.list.setItemDelegate(ChatDelegate(theme, self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.currentItemChanged.connect(self._on_chosen)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._head())
        middle = QVBoxLayout()
        middle.setContentsMargins(8, 6, 8, 8)
        middle.addWidget(self.list)
        column.addLayout(middle, 1)
        column.addWidget(self._foot())
        for chat in reversed(chats.items):
            self._add(chat)
        chats.added.connect(self._add)
        chats.current_changed.connect(self._follow_current)
        model.changed.connect(self._follow_model)
        self._follow_model()
        self._follow_current(chats.current)

    def _head(self) -> QWidget:
        head = QWidget(self)
        head.setFixedHeight(HEADER_HEIGHT)
        name = QLabel("Draftscope", head)
        name.setObjectName("app_name")
        row = QHBoxLayout(head)
        row.setContentsMargins(20, 0, 12, 0)
        row.addWidget(name)
        row.addStretch(1)
        row.addWidget(self.new)
        return head

    def _foot(self) -> QWidget:
        foot = QWidget(self)
        foot.setObjectName("sidebar_foot")
        self.model_name = ElidedLabel("", foot)
        self.model_facts = ElidedLabel("", foot)
        self.model_facts.setObjectName("small")
        self.progress = QProgressBar(foot)
        self.progress.setTextVisible(False)
        self.progress.setRange(0, 100)
        column = QVBoxLayout(foot)
        column.setContentsMargins(20, 11, 16, 12)
        column.setSpacing(3)
        for widget in (self.model_name, self.model_facts, self.progress):
            column.addWidget(widget)
        return foot

    def _add(self, chat: Conversation) -> None:
        item = QListWidgetItem()
        self._rows[chat] = item
        self.list.insertItem(0, item)
        chat.title_changed.connect(lambda: self._describe(chat))
        chat.exchange_added.connect(lambda _exchange: self._describe(chat))
        self._describe(chat)

    def _describe(self, chat: Conversation) -> None:
        item, turns = self._rows[chat], len(chat.exchanges)
        item.setText(chat.title)
        item.setToolTip(chat.title)
        count = self.tr("1 turn") if turns == 1 else self.tr("{0} turns").format(turns)
        maker = self.tr("Trace") if chat.is_read_only else self._model.label
        facts = f"{maker} · {count}" if turns else self.tr("Nothing said yet")
        item.setData(Qt.ItemDataRole.UserRole, facts)

    def _follow_current(self, chat: Conversation) -> None:
        self.list.setCurrentItem(self._rows[chat])

    def _on_chosen(self, item: QListWidgetItem | None) -> None:
        for chat, row in self._rows.items():
            if row is item:
                self.chat_chosen.emit(chat)

    def _follow_model(self) -> None:
        model, info = self._model, self._model.info
        is_none = model.stage == "none" and not model.name
        self.model_name.set_full_text(self.tr("No model loaded") if is_none else model.label)
        self.progress.setVisible(model.stage == "loading")
        self.progress.setValue(int(model.fraction * 100))
        if model.stage == "failed":
            facts = self.tr("could not be loaded")
        elif info is not None:
            bits = f" · {info.bits}-bit" if info.bits else ""
            memory = self.tr("{0} in memory").format(gigabytes(info.memory_bytes))
            facts = f"{memory}{bits} · {info.device}"
        elif is_none:
            facts = self.tr("A new chat loads one")
        else:
            facts = self.tr("Loading: {0}").format(model.doing)
        self.model_facts.set_full_text(facts)
