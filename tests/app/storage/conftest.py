"""Stores in a folder of their own, closed after the test; and what they complained of."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.storage import Store
from app.storage.schema import MIGRATIONS


class Problems(list[str | None]):
    """What `on_problem` was told, in order."""


@pytest.fixture
def problems() -> Problems:
    """Of all stores of the test."""
    return Problems()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where the stores are."""
    return tmp_path / "data"


@pytest.fixture
def make_store(folder: Path, problems: Problems) -> Iterator[Callable[..., Store]]:
    """Opens stores."""
    stores: list[Store] = []

    def make(migrations=MIGRATIONS, **options) -> Store:
        store = Store.open(folder, problems.append, migrations, **options)
        stores.append(store)
        return store

    yield make
    for store in stores:
        store.close()


@pytest.fixture
def store(make_store: Callable[..., Store]) -> Store:
    """A new one."""
    return make_store()
