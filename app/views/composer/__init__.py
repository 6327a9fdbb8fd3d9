"""Where a question is written: the composer and its parts."""

from app.views.composer.composer import Composer

__all__ = ["Composer"]
