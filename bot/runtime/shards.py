"""Shards (connections to Discord) of a process, and the servers that belong to them.

Discord assigns each server to a shard by its id. With few servers one process has all shards. With
many servers, several processes share the shards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_SHARD_BIT: Final = 22
"""Number of low bits of a server id that do not affect its shard."""
_LONGEST: Final = 1000
"""Maximum length of a list."""
_PART: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Shards:
    """Shards of one process."""

    ids: tuple[int, ...]
    """Their numbers, sorted."""
    count: int
    """Number of shards in all processes."""

    def of(self, guild_id: int) -> int:
        """Return the shard of a server. Direct messages, with id 0, belong to shard 0."""
        return (guild_id >> _SHARD_BIT) % self.count


def read_ids(text: str) -> tuple[int, ...]:
    """Parse a list such as ``0-3,8`` into sorted numbers. Raises `ValueError`."""
    if len(text) > _LONGEST:
        raise ValueError("too long")
    ids = set[int]()
    for part in text.replace(" ", "").split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError("not a list of numbers")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise ValueError("not a range")
        ids.update(range(first, last + 1))
    return tuple(sorted(ids))


def format_ids(ids: Iterable[int]) -> str:
    """Format sorted numbers as the shortest list for `read_ids`, such as ``0-3,8``."""
    ranges: list[list[int]] = []
    for number in ids:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ",".join("-".join(map(str, each)) for each in ranges)
