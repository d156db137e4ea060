"""The connections to Discord (shards) that a process has, and which servers belong to them.

Discord gives each server to one shard by its number. With few servers one process has all shards;
with many, several processes have some each.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_SHARD_BIT: Final = 22
"""The lower bits of a server's number do not tell its shard."""
_PART: Final = re.compile(r"(\d{1,5})(?:-(\d{1,5}))?")


@dataclass(frozen=True, slots=True)
class Shards:
    """Some of the shards of a bot."""

    ids: tuple[int, ...]
    """Their numbers, each once, in order."""
    count: int
    """How many the bot has in all its processes."""

    def of(self, guild_id: int) -> int:
        """The number of the shard of a server. Direct messages, as 0, belong to shard 0."""
        return (guild_id >> _SHARD_BIT) % self.count


def read_ids(written: str) -> tuple[int, ...]:
    """The numbers that a list such as ``0-3,8`` names, in order. Raises `ValueError`."""
    found = set[int]()
    for part in written.replace(" ", "").split(","):
        match = _PART.fullmatch(part)
        if match is None:
            raise ValueError("not a list of numbers")
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise ValueError("not a range")
        found.update(range(first, last + 1))
    return tuple(sorted(found))


def written(ids: Iterable[int]) -> str:
    """These numbers, in order, as `read_ids` reads them: the shortest list, such as ``0-3,8``."""
    ranges: list[list[int]] = []
    for number in ids:
        if ranges and ranges[-1][-1] == number - 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    return ",".join("-".join(map(str, each)) for each in ranges)
