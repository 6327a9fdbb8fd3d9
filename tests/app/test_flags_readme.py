"""The README's table of environment variables lists exactly the flags, with what the table says."""

from pathlib import Path

from app.models.flags import FLAGS

README = Path(__file__).parents[2] / "README.md"


def rows():
    """The cells of each line of the table whose first column is a variable of a flag."""
    for line in README.read_text(encoding="utf-8").splitlines():
        if line.startswith("| `DRAFTSCOPE_PLD_"):
            yield [cell.strip() for cell in line.strip("|").split("|")]


def test_the_readme_lists_exactly_the_flags():
    told = {cells[0].strip("`"): cells[1:] for cells in rows()}
    known = {
        flag.variable: [flag.wanted, flag.text(flag.default), flag.does] for flag in FLAGS.values()
    }
    assert told == known
    assert len(list(rows())) == len(FLAGS)
