"""The sheet of a chat's settings, and its parts."""

from app.views.chat_sheet.sheet import ChatSheet

__all__ = ["ChatSheet"]
