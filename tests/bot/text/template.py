"""What extraction finds in the code; found once, because that takes half a second."""

from __future__ import annotations

from functools import cache

from babel.messages.catalog import Catalog

from tools.messages import extracted


@cache
def template() -> Catalog:
    """The messages of the code as they are now; not to be changed."""
    return extracted()


@cache
def keys() -> dict[tuple[str, ...], frozenset[str]]:
    """All messages, each as its English text or as its two forms, with the files they are in."""
    return {
        (message.id,) if isinstance(message.id, str) else tuple(message.id): frozenset(
            file for file, _ in message.locations
        )
        for message in template()
        if message.id
    }
