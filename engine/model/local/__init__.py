"""Local rollback: a recurrent state rebuilt from what its layer saw, without a second forward.

A recurrent layer folds each token into its state, so a rejected draft cannot be cut off it. But the
forward that verified the draft computed everything the fold takes: the recurrence's inputs, one row
a token, and the rows its convolution ran over. `local` keeps those, for the length of one verify
forward, and after a rejection makes the state after exactly the first m tokens of the block:

    a recurrence          mlx-lm's own function again, on the first m rows, from the state before
    a convolution window  a slice of the rows the convolution ran over
    a shifted token       row m - 1 of what the layer saw
    m = 0                 the arrays from before the block

What that costs is the recurrence alone, no projection, no attention, no expert. None of it is a
copy of model code, and nothing is computed before the next forward asks for it.

    rollback.py    the seam: `LocalRollback` of a model, asked when it is loaded
    watch.py       `BlockWatch` over one forward
    recording.py   how calls inside a layer are heard, and how all of that is gone afterwards
    slots.py       how one array of a layer's cache is made again
    gated_delta.py, gated_linear.py, mamba1.py, mamba2.py, short_conv.py, rwkv7.py, rg_lru.py,
    shifted.py     one file a family: which layers of mlx-lm belong to it, and their slots
    layers.py      all families together, by layer class
    attention.py   the attention caches beside them, rotating ones past their wrap too
    self_check.py  what is tried on the loaded weights before any of this is used

A model's layers are known by class, not by resemblance. A layer class not listed, a function that
is gone or takes other arguments, a state that does not come out the same at load: the model is
refused with the reason, and `carry` takes its place.
"""
