"""Rows of a large library come, go, change and move singly; what is looked at stays."""

import random
from dataclasses import replace

import pytest
from PySide6.QtCore import QPersistentModelIndex
from PySide6.QtTest import QAbstractItemModelTester

from app.models.library import ModelHabits
from app.views.library.row_painter import ROW_HEIGHT
from app.views.library.rows import MOST_RUNS, ModelRows
from tests.app.library_views.made import demo, faulty, hybrid, parts_of, put_to_use

MODELS = tuple(hybrid(number) for number in range(120))
STRICT = QAbstractItemModelTester.FailureReportingMode.Fatal


def targets(rows):
    return [rows.target_at(place) for place in range(rows.rowCount())]


def heard_of(rows):
    """What a view is told from now on, in short."""
    told = []
    rows.modelReset.connect(lambda: told.append("reset"))
    rows.layoutChanged.connect(lambda: told.append("moved"))
    rows.rowsRemoved.connect(lambda _parent, first, last: told.append(("gone", first, last)))
    rows.rowsInserted.connect(lambda _parent, first, last: told.append(("come", first, last)))
    rows.dataChanged.connect(lambda a, b, _roles: told.append(("other", a.row(), b.row())))
    return told


def test_only_what_changed_is_told():
    parts = parts_of(*MODELS)
    rows = ModelRows(parts)
    told = heard_of(rows)
    library = parts.library
    library.set_models([*MODELS[:50], *MODELS[53:]])
    rows.refresh()
    library.set_models(MODELS)
    rows.refresh()
    other = replace(MODELS[7], habits=ModelHabits(used=1.0))
    library.set_models([*MODELS[:7], other, *MODELS[8:]])
    rows.refresh()
    assert rows.row(rows.index(7)).model is other
    other = replace(other, survey=replace(other.survey, fault="It is damaged."))
    library.set_models([*MODELS[:7], other, *MODELS[8:]])
    rows.refresh()
    rows.refresh()
    last = len(MODELS) - 1
    moves = ["moved", ("other", last, last)]
    assert told == [("gone", 50, 52), ("come", 50, 52), ("other", 7, 7), *moves]
    assert targets(rows) == [each.target for each in MODELS if each is not MODELS[7]] + [
        other.target
    ]


def test_a_filter_that_tears_many_rows_out_is_told_once():
    parts = parts_of(*MODELS)
    rows = ModelRows(parts)
    told = heard_of(rows)
    keep = [each for each in MODELS if each.target.endswith(("1", "3", "5", "7", "9"))]
    assert len(keep) > MOST_RUNS
    parts.library.set_models(keep)
    rows.refresh()
    assert told == ["reset"]
    assert targets(rows) == [each.target for each in keep]


def test_a_title_that_becomes_ambiguous_is_told(open_sheet):
    one, two = hybrid(name="maker/model"), hybrid(name="other/model")
    parts = parts_of(one)
    rows = ModelRows(parts)
    assert rows.row(rows.index(0)).title == "model"
    parts.library.set_models([one, two])
    rows.refresh()
    assert [rows.row(rows.index(n)).title for n in (0, 1)] == ["maker/model", "other/model"]


@pytest.mark.parametrize("seed", range(8))
def test_whatever_becomes_of_the_library_every_row_is_right(seed, qapp):
    chance = random.Random(seed)
    parts = parts_of(*MODELS[:40])
    rows = ModelRows(parts)
    tester = QAbstractItemModelTester(rows, STRICT)
    for _ in range(30):
        kept = {QPersistentModelIndex(index): rows.target_at(index.row())
                for index in (rows.index(n) for n in range(0, rows.rowCount(), 3))}  # fmt: skip
        now = list(chance.sample(MODELS, chance.randrange(60)))
        if chance.random() < 0.6:
            now.sort(key=MODELS.index)
        if now and chance.random() < 0.5:
            now[0] = replace(now[0], survey=replace(now[0].survey, fault="It is damaged."))
        rows.filter = chance.choice(("", "", "qwen", "4bit-1"))
        count = []
        rows.modelReset.connect(lambda count=count: count.append(1))
        parts.library.set_models(now)
        rows.refresh()
        now = parts.library.models
        usable = [each for each in now if each.survey.fault is None]
        wanted = [each.target for each in (*usable, *(e for e in now if e not in usable))
                  if rows.filter in each.target.casefold() or rows.filter == ""]  # fmt: skip
        if rows.filter != "qwen":  # a fault takes the family out of what is looked through
            assert targets(rows) == wanted
        assert [rows.index_of(each).row() for each in targets(rows)] == list(range(rows.rowCount()))
        if not count:
            for index, target in kept.items():
                assert not index.isValid() or rows.target_at(index.row()) == target
    tester.deleteLater()


def test_what_is_in_use_is_marked_however_it_is_named(qapp):
    model = hybrid(3, name="maker/model")
    parts = parts_of(demo(), model, hybrid(4))
    rows = ModelRows(parts)
    put_to_use(parts, "maker/model")
    told = heard_of(rows)
    rows.follow_use()
    rows.follow_use()
    assert told == [("other", 1, 1)]
    assert rows.row(rows.index(1)).mark == "in use"
    put_to_use(parts, "demo")
    rows.follow_use()
    assert [rows.row(rows.index(n)).mark for n in range(3)] == ["in use", "", ""]


def test_what_is_looked_at_stays_where_it_is(open_sheet, qtbot):
    parts = parts_of(*MODELS[20:])
    here = open_sheet(parts).here
    bar = here.list.verticalScrollBar()
    bar.setValue(30 * ROW_HEIGHT + 11)
    here.select(MODELS[52].target)
    before = here.list.visualRect(here.rows.index_of(MODELS[52].target)).top()
    parts.library.set_models(MODELS)
    assert here.list.visualRect(here.rows.index_of(MODELS[52].target)).top() == before
    parts.library.set_models([*MODELS[5:40], *MODELS[41:]])
    assert here.list.visualRect(here.rows.index_of(MODELS[52].target)).top() == before
    assert here.detail.model is MODELS[52]
    bar.setValue(0)
    parts.library.set_models(MODELS)
    assert bar.value() == 0


def test_what_is_in_use_is_in_sight_when_the_sheet_opens(open_sheet):
    parts = parts_of(*MODELS)
    put_to_use(parts, MODELS[100].target)
    here = open_sheet(parts).here
    place = here.list.visualRect(here.list.currentIndex())
    assert here.list.viewport().rect().contains(place)


def test_a_selected_row_that_leaves_hands_on_to_the_one_in_use(open_sheet):
    models = [demo(), *MODELS[:5], faulty()]
    parts = parts_of(*models)
    put_to_use(parts, MODELS[4].target)
    here = open_sheet(parts).here
    here.select(MODELS[1].target)
    here.detail.loading.load.setFocus()
    parts.library.set_models([each for each in models if each is not MODELS[1]])
    assert here.detail.model is MODELS[4]
    assert here.window().focusWidget() is here.list
    parts.library.set_models(models)
    assert here.detail.model is MODELS[4]
