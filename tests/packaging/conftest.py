"""The scripts of packaging/ are no package: tests import them from their folder."""

import sys
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parents[2] / "packaging"))

from facts import Facts

from tests.packaging.trees import SYSTEMS, make_facts, make_tree


@pytest.fixture
def facts(tmp_path: Path) -> Facts:
    """What the bundle of a test is measured by."""
    return make_facts(tmp_path)


@pytest.fixture(params=SYSTEMS)
def system(request: pytest.FixtureRequest) -> str:
    """Each of the two systems."""
    return str(request.param)


@pytest.fixture
def root(tmp_path: Path, system: str) -> Path:
    """A sound bundle of it."""
    return make_tree(tmp_path / "bundle", system)
