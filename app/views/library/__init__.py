"""Models: those on this machine, those to be had, those on their way."""
