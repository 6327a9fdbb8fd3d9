"""Markdown of a growing reply as plain values: its thinking, its segments, its blocks."""
