"""What a bundle runs: the program, or a helper process that multiprocessing asks for."""

import multiprocessing
import os

from app.main import command

# A library may start this executable for a tracker of semaphores; that is no second window.
multiprocessing.freeze_support()

# The bundle's libraries are for this process: a compiler or browser started from it has its own.
theirs = os.environ.pop("LD_LIBRARY_PATH_ORIG", None)
if theirs is None:
    os.environ.pop("LD_LIBRARY_PATH", None)
else:
    os.environ["LD_LIBRARY_PATH"] = theirs

# Draftscope starts itself for its self-test: that one finds its libraries anew.
os.environ["PYINSTALLER_RESET_ENVIRONMENT"] = "1"

command()
