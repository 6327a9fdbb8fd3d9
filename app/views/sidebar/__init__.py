"""The side bar: chats in their groups, search, folders, the trash."""

from app.views.sidebar.sidebar import SIDEBAR_WIDTH, Sidebar

__all__ = ["SIDEBAR_WIDTH", "Sidebar"]
