"""The scripts of packaging/ are no package: tests import them from their folder."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))
