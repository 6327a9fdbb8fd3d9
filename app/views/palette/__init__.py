"""The command palette: one field that finds commands, chats and folders."""
