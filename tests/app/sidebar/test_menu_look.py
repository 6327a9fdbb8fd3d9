"""How menus look: what is disabled differs from what is not, and corners are round."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from app.models.grouping import Place
from app.theme import DARK, LIGHT
from app.views.popup_menu import PopupMenu
from app.views.stylesheet import style_sheet


def extreme(picture: QImage, menu: PopupMenu, number: int, *, is_dark: bool) -> int:
    """The brightness of the words of an entry."""
    rect = menu.actionGeometry(menu.actions()[number])
    levels = [
        QColor(picture.pixel(x, y)).lightness()
        for x in range(rect.left() + 8, rect.right() - 8)
        for y in range(rect.top() + 2, rect.bottom() - 1)
    ]
    return max(levels) if is_dark else min(levels)


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_disabled_entries_are_muted_and_corners_round(qtbot, palette):
    host = QWidget()
    qtbot.addWidget(host)
    host.setStyleSheet(style_sheet(palette))
    menu = PopupMenu(host)
    for words in ("Enabled", "Disabled"):
        menu.addAction(words)
    menu.actions()[1].setEnabled(False)
    menu.popup(QPoint(100, 100))
    QTest.qWait(1)
    picture = menu.grab().toImage()
    enabled, disabled = (
        extreme(picture, menu, number, is_dark=palette.is_dark) for number in (0, 1)
    )
    assert abs(enabled - disabled) > 25
    assert picture.pixelColor(0, 0).alpha() == 0
    assert picture.pixelColor(picture.width() // 2, picture.height() // 2).alpha() == 255
    menu.close()


def test_every_menu_of_the_side_bar_is_round(bench):
    chat, folder = bench.add("one"), bench.chats.add_folder("Work")
    bench.settle()
    tops = [
        bench.bar.list.menu_at(bench.index(chat)),
        bench.bar.list.menu_at(bench.index(Place("folder", folder.id))),
        bench.bar.head.menu,
    ]
    menus = [menu for top in tops for menu in (top, *top.findChildren(PopupMenu))]
    assert len(menus) == 5
    assert all(isinstance(menu, PopupMenu) for menu in menus)
