"""Deletes a model from the disk: out of the hub's cache, or into the system's trash."""

import os
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QFile

from app.fetching.found import FetchError
from app.fetching.hub_library import hub_errors, hub_library
from app.models.model_title import model_title


def delete_snapshot(snapshot: Path) -> str:
    """Take one snapshot out of a cache, with what no other one needs; a sentence if it stays.

    It is done as the hub's own programs do it, who share the cache. A copy of a repository may have
    the same commits as the original, so only this repository is shown to them.
    """
    name = model_title(str(snapshot))
    try:
        library, not_found = hub_library(), hub_errors().CacheNotFound
    except FetchError as error:
        return f"{name} cannot be deleted: {error.details}; check HF_ENDPOINT."
    try:
        cache = library.scan_cache_dir(snapshot.parents[2])
        here = [
            (repository, revision)
            for repository in cache.repos
            for revision in repository.revisions
            if os.path.realpath(revision.snapshot_path) == os.path.realpath(snapshot)
        ]
        if not here:
            return (
                f"{name} cannot be deleted: the hub's cache is damaged there; delete the folder "
                f"{snapshot.parents[1]} yourself."
            )
        repository, revision = here[0]
        only = replace(cache, repos=frozenset((repository,)))
        only.delete_revisions(revision.commit_hash).execute()
    except (OSError, RuntimeError, ValueError, not_found) as error:
        return f"{name} cannot be deleted: {error}."
    if snapshot.exists():
        return f"{name} cannot be deleted: {snapshot} is not yours to change."
    return ""


def move_to_trash(folder: Path) -> str:
    """Move a folder to the system's trash; a sentence if it stays."""
    if not folder.exists():
        return ""
    if QFile(str(folder)).moveToTrash() and not folder.exists():
        return ""
    return f"{folder.name} could not be moved to the trash; move {folder} there yourself."
