"""Downloads as they are kept on disk, and back."""

from app.models.downloads import Download, Stage
from app.storage import DownloadRecord, DownloadStage

_KEPT: dict[Stage, DownloadStage] = {"paused": "paused", "failed": "failed", "done": "done"}


def download_record(download: Download) -> DownloadRecord:
    """As it is kept: one that is under way waits for the next start."""
    return DownloadRecord(
        id=download.id,
        repo=download.repo,
        commit=download.commit,
        stage=_KEPT.get(download.stage, "waiting"),
        position=download.position,
        total_bytes=download.total_bytes,
        done_bytes=download.done_bytes,
        sentence=download.sentence if download.stage == "failed" else "",
        loads=download.loads,
    )


def download_from(record: DownloadRecord) -> Download:
    """As it was kept."""
    total = max(record.total_bytes, 0)
    return Download(
        id=record.id,
        repo=record.repo,
        stage=record.stage,
        commit=record.commit,
        position=record.position,
        done_bytes=min(max(record.done_bytes, 0), total),
        total_bytes=total,
        sentence=record.sentence,
        loads=record.loads,
    )
