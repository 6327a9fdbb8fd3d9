"""The window's style sheet, written from the palette."""

from dataclasses import asdict

from app.theme import Palette

_SHEET = """
* {{ font-size: 13px; color: {text}; }}
QMainWindow, #column, #scroll_content, #messages {{ background: {main}; }}
QScrollArea {{ background: transparent; border: 0; }}
QTextEdit {{ background: transparent; border: 0; selection-background-color: {selection}; }}
QToolTip {{ background: {raised}; color: {text}; border: 1px solid {border}; padding: 4px 6px; }}
#sidebar {{ background: {sidebar}; border-right: 1px solid {border}; }}
#sidebar_foot {{ border-top: 1px solid {border}; }}
#inspector {{ background: {raised}; border-left: 1px solid {border}; }}
#header, #inspector_header {{ border-bottom: 1px solid {border}; }}
#inspector_content {{ background: {raised}; }}
#title {{ font-weight: 600; }}
#app_name {{ font-weight: 600; }}
#section {{ color: {muted}; font-size: 12px; font-weight: 600; }}
#muted {{ color: {muted}; }}
#status {{ color: {muted}; border-top: 1px solid {border}; padding: 8px 20px; }}
#small {{ color: {muted}; font-size: 12px; }}
#number {{ font-size: 30px; font-weight: 600; }}
#headline {{ font-size: 22px; font-weight: 600; }}
#pill {{ border-radius: 10px; padding: 3px 10px; font-size: 12px; font-weight: 600; }}
#pill[tone="good"] {{ background: {good_soft}; color: {good}; }}
#pill[tone="caution"] {{ background: {caution_soft}; color: {caution}; }}
#pill[tone="error"] {{ background: {error_soft}; color: {error}; }}
#pill[tone="neutral"] {{ background: {hover}; color: {muted}; }}
#bubble {{ background: {bubble}; border-radius: 14px; }}
#composer {{ background: {raised}; border: 1px solid {control_border}; border-radius: 16px; }}
#composer[active="true"] {{ border-color: {accent}; }}
#composer QPlainTextEdit {{ background: transparent; border: 0; font-size: 14px;
    selection-background-color: {selection}; }}
#error {{ background: {error_soft}; border: 1px solid {error}; border-radius: 10px; }}
#error_title {{ color: {error}; font-weight: 600; }}
#details {{ background: {main}; border: 1px solid {border}; border-radius: 6px; padding: 6px; }}
#notice {{ background: {caution_soft}; color: {caution}; border-radius: 8px; padding: 6px 10px; }}
#example {{ background: {raised}; border: 1px solid {border}; border-radius: 12px; }}
#example:hover {{ border-color: {accent}; background: {bubble}; }}
#example:focus {{ border: 2px solid {accent}; }}
#example_title {{ font-weight: 600; background: transparent; }}
QPushButton {{ background: {main}; border: 1px solid {control_border}; border-radius: 7px;
    padding: 4px 10px; }}
QPushButton:hover {{ background: {hover}; }}
QPushButton:focus {{ border: 2px solid {accent}; padding: 3px 9px; }}
QPushButton:disabled {{ color: {muted}; }}
QPushButton#tokens:checked {{ background: {selected}; border-color: {selected}; }}
QPushButton#send {{ background: {accent}; color: {on_accent}; border: 0; border-radius: 8px;
    font-weight: 600; padding: 5px 14px; min-width: 32px; }}
QPushButton#send:focus {{ border: 2px solid {text}; padding: 3px 12px; }}
QPushButton#send:disabled {{ background: {hover}; color: {muted}; }}
QPushButton#send[stops="true"] {{ background: {text}; color: {main}; }}
QPushButton#quiet {{ border: 0; background: transparent; color: {muted}; padding: 3px 4px; }}
QPushButton#quiet:hover {{ color: {text}; }}
QPushButton#quiet:focus {{ border: 2px solid {accent}; padding: 1px 2px; }}
QPushButton#chip {{ background: {bubble}; border: 1px solid {border}; border-radius: 13px;
    padding: 4px 12px; text-align: left; }}
QPushButton#chip:hover {{ border-color: {accent}; }}
QPushButton#chip:focus {{ border: 2px solid {accent}; padding: 3px 11px; }}
QToolButton#icon {{ background: transparent; border: 0; border-radius: 6px; }}
QToolButton#icon:hover {{ background: {hover}; }}
QToolButton#icon:focus {{ border: 2px solid {accent}; }}
QToolButton#tab {{ background: transparent; border: 2px solid transparent; border-radius: 6px;
    color: {muted}; padding: 4px 7px; }}
QToolButton#tab:hover {{ color: {text}; }}
QToolButton#tab:checked {{ background: {selected}; color: {text}; font-weight: 600; }}
QToolButton#tab:focus {{ border-color: {accent}; }}
#chats {{ background: transparent; border: 0; outline: 0; }}
#chats:focus {{ border: 2px solid {accent}; border-radius: 8px; }}
QMenu {{ background: {raised}; border: 1px solid {border}; padding: 4px; }}
QMenu::item {{ padding: 4px 18px; border-radius: 5px; }}
QMenu::item:selected {{ background: {selected}; }}
QProgressBar {{ background: {hover}; border: 0; border-radius: 2px; max-height: 4px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {control_border}; border-radius: 3px;
    min-height: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
"""


def style_sheet(palette: Palette) -> str:
    """The sheet for a palette."""
    return _SHEET.format(**asdict(palette))
