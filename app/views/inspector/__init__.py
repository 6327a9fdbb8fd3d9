"""The inspector: a dock of panes, and what they are made of."""
