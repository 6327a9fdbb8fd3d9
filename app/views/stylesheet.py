"""The window's style sheet, written from the palette."""

import re
from dataclasses import asdict

from app.theme import DARK, LIGHT, Palette
from app.views.flags.sheet import flags_sheet

_RULE = re.compile(r"([^{}]+)\{([^}]*)\}\s*")
# What holds for the window itself.
_OWN = "{mark} {{ font-size: 13px; color: {text}; background: {main}; }}\n"

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
#saying {{ background: {raised}; border: 1px solid {border}; border-radius: 12px; }}
#lasting {{ background: {caution_soft}; color: {caution}; padding: 7px 20px;
    border-bottom: 1px solid {border}; }}
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
QMenu {{ background: {raised}; border: 1px solid {control_border}; border-radius: 8px;
    padding: 5px; }}
QMenu::item {{ padding: 5px 18px; border-radius: 5px; }}
QMenu::item:selected {{ background: {selected}; }}
QMenu::item:disabled {{ background: transparent; color: {muted}; }}
QMenu::separator {{ background: {border}; height: 1px; margin: 5px 8px; }}
QProgressBar {{ background: {hover}; border: 0; border-radius: 2px; max-height: 4px; }}
QProgressBar::chunk {{ background: {accent}; border-radius: 2px; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 2px; }}
QScrollBar::handle:vertical {{ background: {control_border}; border-radius: 3px;
    min-height: 28px; }}
QScrollBar::add-line, QScrollBar::sub-line {{ height: 0; width: 0; }}
QScrollBar::add-page, QScrollBar::sub-page {{ background: transparent; }}
#palette {{ background: {raised}; border: 1px solid {control_border}; border-radius: 12px; }}
QLineEdit#palette_field {{ background: transparent; border: 0; border-bottom: 1px solid {border};
    border-radius: 0; font-size: 16px; padding: 8px 10px 12px 10px; }}
QListView#palette_list {{ background: transparent; border: 0; outline: 0; }}
#palette_nothing {{ color: {muted}; padding: 14px 12px; }}
#prefs, #prefs_body {{ background: {main}; }}
#prefs_title {{ font-size: 17px; font-weight: 600; }}
#prefs_card {{ background: {raised}; border: 1px solid {border}; border-radius: 10px; }}
#prefs_line {{ background: {border}; }}
#prefs_key {{ background: {main}; border: 1px solid {control_border}; border-radius: 5px;
    color: {muted}; font-size: 11px; padding: 2px 6px; }}
QPushButton#segment {{ padding: 4px 12px; }}
QPushButton#segment:checked {{ background: {selected}; border-color: {accent}; font-weight: 600; }}
QPushButton#segment:focus {{ border: 2px solid {accent}; padding: 3px 11px; }}
#composer[target="true"] {{ border-color: {accent}; background: {bubble}; }}
#attachment {{ background: {bubble}; border: 1px solid {border}; border-radius: 15px; }}
QPushButton#attachment_name {{ background: transparent; border: 2px solid transparent;
    border-radius: 11px; padding: 1px 4px 1px 7px; font-size: 12px; text-align: left; }}
QPushButton#attachment_name:hover {{ color: {accent}; }}
QPushButton#attachment_name:focus {{ border-color: {accent}; }}
QPushButton#attachment_name:disabled {{ color: {muted}; }}
QPushButton#chat_settings {{ background: transparent; border: 2px solid transparent;
    border-radius: 7px; color: {muted}; padding: 2px 6px; font-size: 12px; }}
QPushButton#chat_settings:hover {{ background: {hover}; color: {text}; }}
QPushButton#chat_settings:focus {{ border-color: {accent}; }}
#context_choice {{ background: {caution_soft}; border-radius: 12px; }}
#context_choice QLabel {{ color: {caution}; }}
#context_choice QPushButton {{ background: {main}; }}
#context_choice QPushButton:hover {{ background: {hover}; }}
#sheet, #sheet_fields {{ background: {main}; }}
#peek_text, #sheet_text {{ background: {raised}; border: 1px solid {control_border};
    border-radius: 8px; padding: 6px; selection-background-color: {selection}; }}
#peek_text {{ font-size: 12px; }}
#sheet_text:focus, #peek_text:focus {{ border-color: {accent}; }}
#sheet_field {{ background: {raised}; border: 1px solid {control_border}; border-radius: 7px;
    padding: 4px 8px; }}
#sheet_field:focus {{ border-color: {accent}; }}
#sheet_field[refused="true"] {{ border-color: {error}; }}
#sheet_problem {{ color: {error}; font-size: 12px; }}
QLineEdit#search {{ background: {main}; border: 1px solid {border}; border-radius: 7px;
    padding: 4px 8px; selection-background-color: {selection}; selection-color: {text}; }}
QLineEdit#search:focus {{ border: 2px solid {accent}; padding: 3px 7px; }}
QLineEdit#rename {{ background: {main}; border: 2px solid {accent}; border-radius: 5px;
    padding: 0 4px; selection-background-color: {selection}; selection-color: {text}; }}
#undo_bar {{ background: {bubble}; border-top: 1px solid {border}; }}
QPushButton#undo {{ border: 0; background: transparent; color: {accent}; font-weight: 600;
    padding: 4px 8px; }}
QPushButton#undo:hover {{ background: {hover}; }}
QPushButton#undo:focus {{ border: 2px solid {accent}; padding: 2px 6px; }}
#dragged {{ background: {raised}; border: 1px solid {accent}; border-radius: 6px;
    padding: 3px 8px; font-size: 12px; }}
#floating {{ background: {raised}; border: 1px solid {control_border}; border-radius: 10px; }}
QLineEdit#find_field {{ background: {main}; border: 1px solid {border}; border-radius: 7px;
    padding: 4px 8px; selection-background-color: {selection}; selection-color: {text}; }}
QLineEdit#find_field:focus {{ border: 2px solid {accent}; padding: 3px 7px; }}
#edit_field {{ background: transparent; border: 0;
    selection-background-color: {selection}; }}
#target {{ background: {main}; border: 1px solid {border}; border-radius: 6px; font-size: 12px;
    padding: 2px; selection-background-color: {selection}; }}
#cut_line {{ background: {control_border}; }}
QPushButton#link {{ border: 0; background: transparent; color: {accent}; font-weight: 600;
    padding: 4px 8px; }}
QPushButton#link:hover {{ background: {hover}; }}
QPushButton#link:focus {{ border: 2px solid {accent}; padding: 2px 6px; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 2px; }}
QScrollBar::handle:horizontal {{ background: {control_border}; border-radius: 3px;
    min-width: 28px; }}
QPushButton#model {{ background: transparent; border: 1px solid {border}; border-radius: 8px;
    padding: 4px 9px; text-align: left; }}
QPushButton#model:hover {{ background: {hover}; }}
QPushButton#model:focus {{ border: 2px solid {accent}; padding: 3px 8px; }}
#model_list, #model_detail, #model_detail_body {{ background: {main}; border: 0; outline: 0; }}
#models_side {{ background: {main}; border-right: 1px solid {border};
    border-top: 1px solid {border}; }}
#model_detail {{ border-top: 1px solid {border}; }}
#model_folders {{ background: {main}; border-top: 1px solid {border}; }}
#detail_title {{ font-size: 16px; font-weight: 600; }}
#confirm {{ background: {caution_soft}; border-radius: 10px; }}
#confirm_words {{ color: {caution}; font-size: 12px; }}
#fault {{ background: {error_soft}; border-radius: 10px; }}
#offer {{ background: {raised}; border: 1px solid {border}; border-radius: 10px; }}
#offer[best="true"] {{ border-color: {accent}; background: {bubble}; }}
#offer_title {{ font-weight: 600; }}
#download_words {{ color: {muted}; font-size: 12px; }}
#download_words[tone="error"] {{ color: {error}; }}
#download_words[tone="caution"] {{ color: {caution}; }}
#offer QPushButton#link {{ font-size: 12px; font-weight: 400; border: 2px solid transparent;
    border-radius: 5px; padding: 0 4px; }}
#offer QPushButton#link:focus {{ border-color: {accent}; }}
#offer[best="true"] QPushButton#get {{ background: {accent}; color: {on_accent};
    border-color: {accent}; font-weight: 600; }}
#offer[best="true"] QPushButton#get:focus {{ border-color: {text}; }}
QMessageBox, QFileDialog {{ background: {raised}; }}
QFileDialog QAbstractItemView {{ background: {main}; border: 1px solid {border};
    selection-background-color: {selection}; selection-color: {text}; }}
QFileDialog QListView#sidebar {{ background: {sidebar}; border: 1px solid {border}; }}
QFileDialog QHeaderView {{ background: {main}; border: 0; }}
QFileDialog QHeaderView::section {{ background: {main}; color: {muted}; border: 0;
    border-bottom: 1px solid {border}; padding: 4px 6px; }}
QFileDialog QLineEdit {{ background: {main}; border: 1px solid {control_border};
    border-radius: 7px; padding: 4px 8px; selection-background-color: {selection};
    selection-color: {text}; }}
QFileDialog QLineEdit:focus {{ border: 2px solid {accent}; padding: 3px 7px; }}
QFileDialog QComboBox {{ background: {main}; min-height: 24px;
    selection-background-color: {selection}; selection-color: {text}; }}
QFileDialog QToolButton {{ background: transparent; border: 2px solid transparent;
    border-radius: 6px; padding: 2px; }}
QFileDialog QToolButton:hover, QFileDialog QToolButton:checked {{ background: {selected}; }}
QFileDialog QToolButton:focus {{ border-color: {accent}; }}
"""


def style_sheet(palette: Palette) -> str:
    """The sheet for a palette."""
    return _SHEET.format(**asdict(palette)) + _under("#flags_pane", flags_sheet(palette))


def theme_mark(palette: Palette) -> str:
    """The object name that a window has while this palette is in force."""
    return "dark" if palette.is_dark else "light"


def window_sheet() -> str:
    """The sheet of a window for every palette; its object name tells which holds."""
    sheets = []
    for palette in (LIGHT, DARK):
        mark, colors = f"#{theme_mark(palette)}", asdict(palette)
        sheets += [_OWN.format(mark=mark, **colors), _under(mark, style_sheet(palette))]
    return "".join(sheets)


def _under(mark: str, sheet: str) -> str:
    """The same rules for what is in a widget of this name only."""

    def marked(rule: re.Match[str]) -> str:
        selectors = ", ".join(f"{mark} {each.strip()}" for each in rule[1].split(","))
        return f"{selectors} {{{rule[2]}}}\n"

    return _RULE.sub(marked, sheet)
