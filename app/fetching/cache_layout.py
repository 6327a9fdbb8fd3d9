"""How the hub's cache names things: models--owner--name, and in it snapshots/<commit>."""

from pathlib import Path

PREFIX = "models--"
SNAPSHOTS = "snapshots"


def repository_name(repo: str) -> str:
    """The name of the folder of `owner/name`."""
    return f"{PREFIX}{repo.replace('/', '--')}"


def snapshot_folder(cache: Path, repo: str, commit: str) -> Path:
    """Where the files of a repository lie, at one commit."""
    return cache / repository_name(repo) / SNAPSHOTS / commit
