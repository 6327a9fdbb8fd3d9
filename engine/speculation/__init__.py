"""Drafting, verifying and rolling back: how one forward pass emits several tokens."""
