"""The look in tokens: colours for light and dark, and which fonts text is set in."""

from dataclasses import dataclass
from typing import Literal, cast

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QGuiApplication, QPalette

from engine import Origin

ThemeName = Literal["auto", "light", "dark"]

SANS = ["Inter", ".AppleSystemUIFont", "SF Pro Text", "Noto Sans", "DejaVu Sans", "sans-serif"]
MONO = ["JetBrains Mono", "SF Mono", "Menlo", "DejaVu Sans Mono", "monospace"]


@dataclass(frozen=True, slots=True)
class Palette:
    """Every colour the window uses, by purpose. Text colours keep 4.5:1 on their grounds."""

    is_dark: bool
    sidebar: str
    main: str
    raised: str
    bubble: str
    selected: str
    hover: str
    border: str
    control_border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    selection: str
    good: str
    good_soft: str
    caution: str
    caution_soft: str
    error: str
    error_soft: str
    tint_alpha: float


LIGHT = Palette(
    is_dark=False,
    sidebar="#f4f5f7",
    main="#ffffff",
    raised="#fafbfc",
    bubble="#eef3fa",
    selected="#cedce9",
    hover="#e8ebef",
    border="#e3e5e9",
    control_border="#c9cdd4",
    text="#1d2026",
    muted="#626872",
    accent="#0a6fc2",
    on_accent="#ffffff",
    selection="#bcd9f5",
    good="#00684b",
    good_soft="#ddf2ec",
    caution="#8a4200",
    caution_soft="#f9eadd",
    error="#a3230f",
    error_soft="#fcedea",
    tint_alpha=0.15,
)
DARK = Palette(
    is_dark=True,
    sidebar="#191a1d",
    main="#1e1f22",
    raised="#232428",
    bubble="#2b2d33",
    selected="#28333d",
    hover="#2b2d31",
    border="#34363c",
    control_border="#4a4d55",
    text="#e7e8ea",
    muted="#9ca0a9",
    accent="#5aa9e6",
    on_accent="#0b1a27",
    selection="#2c5378",
    good="#3fc79d",
    good_soft="#1a2f2c",
    caution="#f0a060",
    caution_soft="#38281c",
    error="#ff9a85",
    error_soft="#3a2422",
    tint_alpha=0.22,
)

# Okabe-Ito: told apart with any colour vision; the underline tells them apart without colour.
ORIGIN_COLORS: dict[Origin, str] = {
    "generated": "#8a8f99",
    "accepted": "#009e73",
    "replayed": "#0072b2",
    "corrected": "#d55e00",
    "bonus": "#56b4e9",
}
REPLAYED_ON_DARK = "#1f8fd6"


def _full(origin: Origin, palette: Palette) -> QColor:
    if origin == "replayed" and palette.is_dark:
        return QColor(REPLAYED_ON_DARK)
    return QColor(ORIGIN_COLORS[origin])


def _tint(origin: Origin, palette: Palette) -> QColor:
    color = QColor(ORIGIN_COLORS[origin])
    color.setAlphaF(palette.tint_alpha)
    return color


# Made once: a page of tokens asks for thousands.
_FULL = {p.is_dark: {o: _full(o, p) for o in ORIGIN_COLORS} for p in (LIGHT, DARK)}
_TINTS = {p.is_dark: {o: _tint(o, p) for o in ORIGIN_COLORS} for p in (LIGHT, DARK)}


def sans(pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """The interface font."""
    return _font(SANS, pixels, weight)


def mono(pixels: int) -> QFont:
    """The font of code."""
    font = _font(MONO, pixels, QFont.Weight.Normal)
    font.setStyleHint(QFont.StyleHint.Monospace)
    # A ligature would join the glyphs of several tokens, and a tint could not tell them apart.
    font.setFeature(QFont.Tag("calt"), 0)
    return font


def _font(families: list[str], pixels: int, weight: QFont.Weight) -> QFont:
    font = QFont()
    font.setFamilies(families)
    font.setPixelSize(pixels)
    font.setWeight(weight)
    return font


class Theme(QObject):
    """The palette in force; follows the system unless a theme was chosen."""

    changed = Signal()

    def __init__(self, name: ThemeName, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._name: ThemeName = name
        hints = QGuiApplication.styleHints()
        if name != "auto":
            dark = name == "dark"
            hints.setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
        hints.colorSchemeChanged.connect(self._on_scheme_changed)
        self.palette = self._choose()

    def choose(self, name: str) -> None:
        """Put another theme in force."""
        self._name = cast(ThemeName, name)
        hints = QGuiApplication.styleHints()
        if name == "auto":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if name == "dark" else Qt.ColorScheme.Light)
        self._on_scheme_changed()

    def color(self, name: str) -> QColor:
        """A colour written as in the palette."""
        return QColor(name)

    def origin(self, origin: Origin) -> QColor:
        """The full colour of an origin: underlines and bars."""
        return _FULL[self.palette.is_dark][origin]

    def tint(self, origin: Origin) -> QColor:
        """The faint ground of an origin, under text."""
        return _TINTS[self.palette.is_dark][origin]

    def qt_palette(self) -> QPalette:
        """The palette for what Qt draws itself: selections, placeholders, tooltips."""
        colors, result = self.palette, QPalette()
        roles = QPalette.ColorRole
        for role, value in (
            (roles.Window, colors.main),
            (roles.Base, colors.raised),
            (roles.Text, colors.text),
            (roles.WindowText, colors.text),
            (roles.ButtonText, colors.text),
            (roles.Button, colors.raised),
            (roles.Highlight, colors.selection),
            (roles.HighlightedText, colors.text),
            (roles.PlaceholderText, colors.muted),
            (roles.ToolTipBase, colors.raised),
            (roles.ToolTipText, colors.text),
        ):
            result.setColor(role, QColor(value))
        return result

    def _choose(self) -> Palette:
        if self._name != "auto":
            return DARK if self._name == "dark" else LIGHT
        scheme = QGuiApplication.styleHints().colorScheme()
        return DARK if scheme == Qt.ColorScheme.Dark else LIGHT

    def _on_scheme_changed(self) -> None:
        palette = self._choose()
        if palette is not self.palette:
            self.palette = palette
            self.changed.emit()
