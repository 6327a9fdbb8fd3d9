"""The room where models are found on the hub and fetched: no Qt, threads of its own.

hub.py          what the hub says: a search, a model's files
connection.py   requests, and one sentence for every refusal
selection.py    which files are needed, and what cannot be run here
fetcher.py      the queue: one thread, one model at a time; what is asked in, frozen events out
model_fetch.py  one model, with patience
transfer.py     one file: resumed, checked;  body.py its bytes as they come
verifying.py    what is here already, compared with its checksums;  checksum.py of one file
cache_layout.py how the hub's cache names things
repository_folder.py  the hub's cache as it lies on the disk;  meter.py how far and how fast
halt.py         calling off what blocks
token.py        the person's key for gated models, kept by the system's keyring
"""
