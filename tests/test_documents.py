"""What README, ARCHITECTURE and the other pages name is really there: files, words, flags, keys."""

import functools
import re
import shlex
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from app.arguments import parse_arguments
from app.models.command_table import every_command
from app.models.flags import FLAGS
from app.settings import Settings
from engine import Origin, read_trace
from engine.terminal.arguments import parse

ROOT = Path(__file__).parents[1]
PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "RELEASING.md")
DOCUMENTS = [*(ROOT / page for page in PAGES), *sorted((ROOT / "docs").glob("*.md"))]
SOURCES = ("app", "engine")
EVERYTHING = (*SOURCES, "packaging", "tests", ".github", ".ci", "Makefile")
# Where a path that is given short may begin.
ROOTS = ("", "engine", "app", "packaging", "docs", "tests")
SUFFIXES = ("py", "md", "sh", "spec", "toml", "png", "jsonl", "svg", "plist", "txt")
# What a build, a run or a model has, and the repository has not.
MADE = {"licences.txt", "reply.jsonl", "TRACE.jsonl", "figures.json", "config.json", "window.png"}
COMMANDS = ("chat", "bench", "verify", "probe", "export")

every_document = pytest.mark.parametrize("page", DOCUMENTS, ids=lambda page: page.name)


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def code_in(line: str) -> list[str]:
    """What stands between backticks."""
    return re.findall(r"`([^`]+)`", line)


@functools.cache
def code_of(*names: str) -> str:
    """All that is written in these files and folders, but for this file."""
    files = [
        path
        for name in names
        for path in ([ROOT / name] if (ROOT / name).is_file() else (ROOT / name).rglob("*"))
        if path.suffix in ("", ".py", ".sh", ".yml", ".spec") and path.is_file()
    ]
    return "\n".join(text_of(file) for file in files if file != Path(__file__))


def help_of(capsys: pytest.CaptureFixture[str]) -> set[str]:
    """Every flag of the window and of the terminal front."""
    told = ""
    for ask in (
        lambda: parse_arguments(["--help"], Settings()),
        *((lambda command=command: parse([command, "--help"])) for command in COMMANDS),
    ):
        with pytest.raises(SystemExit):
            ask()
        told += capsys.readouterr().out
    return set(re.findall(r"--[a-z][a-z-]+", told))


def is_path(words: str) -> bool:
    return bool(re.fullmatch(rf"[\w./-]+(\.({'|'.join(SUFFIXES)})|/)", words))


def missing_paths(page: Path) -> list[str]:
    """Files and folders that a page names and nobody has; a name alone lies beside the last one."""
    missing = []
    for line in text_of(page).splitlines():
        beside: list[Path] = []
        for name in filter(is_path, code_in(line)):
            places = [*(ROOT / root / name for root in ROOTS), *(each / name for each in beside)]
            found = [place for place in places if place.exists()]
            beside += [folder for place in found for folder in (place, place.parent)]
            if not found and Path(name).name not in MADE and not name.startswith("build"):
                missing.append(name)
    return missing


@every_document
def test_every_file_it_names_exists(page):
    assert missing_paths(page) == []


@every_document
def test_every_link_and_picture_of_it_leads_somewhere(page):
    links = re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page))
    assert [link for link in links if "://" not in link and not (page.parent / link).exists()] == []


@every_document
def test_every_class_it_names_exists(page):
    named = {
        words.split(".")[0]
        for line in text_of(page).splitlines()
        for words in code_in(line)
        if re.fullmatch(r"[A-Z][a-z]+([A-Z][a-z]+)+(\.\w+)?", words)
    }
    code = code_of(*SOURCES)
    theirs = {"ArraysCache", "RotatingKVCache", "CacheList", "KVCache", "ChunkedKVCache"}
    assert {name for name in named if not re.search(rf"class {name}\b", code)} <= theirs


@every_document
def test_every_variable_it_names_is_read_somewhere(page):
    # A name in text may be the beginning of several.
    code = code_of(*EVERYTHING) + "".join(flag.variable for flag in FLAGS.values())
    named = re.findall(r"DRAFTSCOPE_[A-Z_]*[A-Z]", text_of(page))
    assert [name for name in named if name not in code] == []


@every_document
def test_every_make_target_it_names_exists(page):
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    named = re.findall(r"^\s*make ([a-z-]+)|`make ([a-z-]+)", text_of(page), re.MULTILINE)
    assert {first or second for first, second in named} <= targets


def test_every_flag_the_readme_names_exists(capsys):
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", text_of(ROOT / "README.md")))
    assert named
    assert named <= help_of(capsys)


def test_the_commands_of_the_readme_are_understood():
    """Each line of the terminal's block, word by word; what they do is tested elsewhere."""
    begin = ".venv/bin/python -m engine "
    lines = [
        line.partition("#")[0].removeprefix(begin)
        for line in text_of(ROOT / "README.md").splitlines()
        if line.startswith(begin)
    ]
    assert {parse(shlex.split(line)).command for line in lines} == set(COMMANDS)


def test_every_key_the_readme_names_is_a_commands_key():
    known = {key for entry in every_command(str) for key in entry["keys"]}
    named = re.findall(r"\b(?:Ctrl|Alt)-(?:Shift-)?(?:[A-Z][a-z]*|/)", text_of(ROOT / "README.md"))
    assert named
    assert {key.replace("-", "+") for key in named} <= known


def test_the_readme_explains_each_origin_once_and_in_order():
    rows = re.findall(r"^\| (\w+) \| [^|]+ \| [^|]+ \|$", text_of(ROOT / "README.md"), re.MULTILINE)
    assert [row for row in rows if row != "origin"] == list(get_args(Origin))


def glossary() -> list[str]:
    """The words in bold, one by one."""
    part = text_of(ROOT / "ARCHITECTURE.md").partition("## Glossary")[2]
    bold = " / ".join(re.findall(r"\*\*([^*]+)\*\*", part))
    return [word.strip() for word in re.split(r" / |, ", bold)]


def test_every_word_of_the_glossary_is_used_in_the_code():
    code = code_of(*SOURCES).lower().replace("_", " ").replace("-", " ")
    words = [re.sub(r"[-_]", " ", word.lower()) for word in glossary()]
    assert len(words) > 40
    assert [word for word in words if not re.search(rf"\b{word}", code)] == []


def test_the_drawn_step_is_the_traces_own():
    page = text_of(ROOT / "ARCHITECTURE.md").partition("One step of `")[2]
    file, page = page.split("`", 1)
    number = int(re.search(r"it is step (\d+)", page)[1])
    steps = read_trace(ROOT / file).steps
    step, words = steps[number - 1], dict(pair for each in steps for pair in each.words)

    def drawn(name: str) -> list[str]:
        line = re.search(rf"^{name} +(.*?)  ", page, re.MULTILINE)[1]
        return [word.replace("·", " ") for word in line.split()]

    assert drawn("draft") == [words[token] for token in step.draft]
    assert drawn("emit") == [words[token] for token in step.emitted]
    assert f"{step.position} tokens of text" in page
    held = step.position - len(step.pending)
    assert f"{held} of them in the caches" in page
    assert f"caches hold {held + len(step.pending) + step.accepted}" in page
    assert (step.rollback, step.num_replayed, step.forwards) == ("local", 4, 1)


def test_the_layers_stand_in_the_architecture_in_their_order():
    """The page tells the main ones; all of them are the contracts' business."""
    contracts = tomllib.loads(text_of(ROOT / "pyproject.toml"))["tool"]["importlinter"]["contracts"]
    layers = {c["name"]: c["layers"] for c in contracts if c["type"] == "layers"}
    page = " ".join(text_of(ROOT / "ARCHITECTURE.md").split())
    for name in ("Engine layers", "App layers"):
        told = re.search(rf"{name}: `([^`]+)`", page)
        assert told is not None, name
        heights = [
            next(height for height, layer in enumerate(layers[name]) if word in layer.split(" | "))
            for part in told[1].split(" > ")
            for word in part.split(" | ")[:1]
        ]
        assert heights == sorted(set(heights))


def test_contributing_gives_a_reason_for_every_dependency_and_no_other():
    project = tomllib.loads(text_of(ROOT / "pyproject.toml"))["project"]
    more = project["optional-dependencies"].values()
    asked = [*project["dependencies"], *(each for part in more for each in part)]
    needed = {re.match(r"[\w-]+", each)[0] for each in asked}
    table = text_of(ROOT / "CONTRIBUTING.md").partition("| Package | For |")[2]
    rows = re.findall(r"^\| ([\w, -]+) \| \S.* \|$", table, re.MULTILINE)
    assert {name for row in rows for name in row.split(", ")} == needed


def test_every_picture_is_made_by_the_script_and_shown():
    script = text_of(ROOT / "packaging" / "pictures.sh") + "".join(
        text_of(path) for path in (ROOT / "packaging").glob("pictures.py")
    )
    shown = "".join(map(text_of, DOCUMENTS))
    for picture in sorted((ROOT / "docs").rglob("*.png")):
        name = picture.stem.removesuffix("-light").removesuffix("-dark")
        assert re.search(rf"\b{name}\b", script), f"nothing makes {picture.name}"
        # A walkthrough shows the light one only.
        assert f"{name}-light.png" in shown or f"{name}.png" in shown, picture.name


def test_the_readmes_figures_are_those_of_the_benchmarks():
    tasks = re.split(
        r"^(?=[a-z-]+: )", text_of(ROOT / "docs" / "benchmarks.md"), flags=re.MULTILINE
    )
    shipped = {}
    for task in tasks:
        row = re.search(
            r"^auto +\S+ \(\S+\) +(\S+) \(\S+\) +\[([^\]]+)\] +(\S+)", task, re.MULTILINE
        )
        if row is not None:
            shipped[task.partition(":")[0]] = list(row.groups())
    page = text_of(ROOT / "README.md").partition("## What it measures")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines()]
    told = {row[0].split("`")[1]: row[1:] for row in rows if len(row) == 4 and "`" in row[0]}
    assert len(told) > 5
    assert told == {name: shipped[name] for name in told}


def test_the_newest_version_stands_on_top_of_the_changelog():
    headings = re.findall(r"^## \[([^\]]+)\]", text_of(ROOT / "CHANGELOG.md"), re.MULTILINE)
    assert headings[0] == "Unreleased"
    versions = [tuple(map(int, heading.split("."))) for heading in headings[1:]]
    assert versions == sorted(versions, reverse=True)
