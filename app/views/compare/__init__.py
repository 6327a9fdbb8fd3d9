"""Compare: a reply run again in other ways, its table of numbers, and two texts side by side."""
