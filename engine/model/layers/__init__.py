"""Which caches a kind of model keeps, and how large they are, told from its configuration alone.

One file a family; each maps a module of mlx_lm.models to a function from its settings to what its
caches keep, layer by layer. A setting that is missing or makes no sense raises `Unclear`, and a
kind that is not listed has no answer: nothing here is guessed.
"""
