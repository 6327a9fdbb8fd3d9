"""Chats as files: what is told of them, in which forms, and back. Pure; no file is touched."""
