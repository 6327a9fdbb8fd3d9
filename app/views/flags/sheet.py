"""The pane's own part of the style sheet, written from the palette."""

from dataclasses import asdict

from app.theme import Palette

_SHEET = """
#flag_line {{ background: {border}; }}
#flag_tag {{ background: {hover}; color: {muted}; border-radius: 8px; padding: 1px 7px;
    font-size: 11px; }}
#flag_tag[source="chat"] {{ background: {selected}; color: {text}; }}
#flag_aside {{ color: {muted}; font-size: 12px; padding: 1px 0; }}
#flag_problem {{ background: {error_soft}; color: {error}; border-radius: 6px;
    padding: 3px 7px; font-size: 12px; }}
QPushButton#flag_choice {{ padding: 3px 9px; }}
QPushButton#flag_choice:focus {{ border: 2px solid {accent}; padding: 2px 8px; }}
QPushButton#flag_action {{ border: 0; background: transparent; color: {accent}; padding: 2px 4px;
    font-size: 12px; }}
QPushButton#flag_action:hover {{ text-decoration: underline; background: transparent; }}
QPushButton#flag_action:focus {{ border: 2px solid {accent}; border-radius: 5px;
    padding: 0px 2px; }}
QPushButton#flag_more {{ border: 0; background: transparent; color: {accent}; padding: 2px 0px;
    font-size: 12px; }}
QPushButton#flag_more:hover {{ text-decoration: underline; background: transparent; }}
QPushButton#flag_more:focus {{ border: 2px solid {accent}; border-radius: 5px;
    padding: 0px 2px; }}
#flag_chip {{ background: {bubble}; border: 1px solid {border}; border-radius: 6px;
    padding: 1px 6px; font-size: 11px; }}
QPushButton#flag_chip {{ border-color: {control_border}; text-align: left; }}
QPushButton#flag_chip:hover {{ border-color: {accent}; background: {hover}; }}
QPushButton#flag_chip:focus {{ border: 2px solid {accent}; padding: 0px 5px; }}
QLineEdit {{ background: {main}; border: 1px solid {control_border}; border-radius: 7px;
    padding: 3px 8px; selection-background-color: {selection}; }}
QLineEdit[refused="true"] {{ border: 1px dashed {error}; }}
QLineEdit:focus {{ border: 2px solid {accent}; padding: 2px 7px; }}
QLineEdit[refused="true"]:focus {{ border: 2px dashed {error}; }}
"""


def flags_sheet(palette: Palette) -> str:
    """The sheet for a palette."""
    return _SHEET.format(**asdict(palette))
