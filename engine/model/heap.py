"""The C allocator's free memory, handed back to the system: it keeps pages that a model has left.

glibc and macOS each have a call for it; elsewhere nothing is done, and nothing needs to be.
"""

import ctypes
import sys


def release_free_memory() -> None:
    """Give freed pages back; takes some milliseconds, without Python's lock."""
    library = ctypes.CDLL(None)
    try:
        if sys.platform == "darwin":
            library.malloc_zone_pressure_relief(None, ctypes.c_size_t(0))
        elif sys.platform == "linux":
            library.malloc_trim(ctypes.c_size_t(0))
    except AttributeError:
        # Another C library: it has no such call, and keeps less.
        return
