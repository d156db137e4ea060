"""Progress bars of long work on stderr; silent if that is a file or a pipe.

Used by the commands of `bot/cli`, by `bench/`, `demo/past` and `tools/`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from tqdm import tqdm

T = TypeVar("T")


def progress(
    items: Iterable[T], title: str, *, unit: str = "", total: int | None = None
) -> Iterator[T]:
    """Yield the items, while a bar called `title` advances by one with each of them.

    `total` is the number of items. Without it, and if `items` has no length, the bar shows a count
    and a speed only.
    """
    if total is None and isinstance(items, Sized):
        total = len(items)
    with bar(title, unit=unit, total=total) as steps:
        for item in items:
            yield item
            steps.update()


def bar(title: str, *, unit: str = "", total: int | None = None) -> tqdm[Any]:
    """Return a bar that the caller advances with `update(steps)`. Use it in a `with` statement.

    It is silent unless stderr is a terminal.
    """
    # Imported here, because loading tqdm takes longer than all of `python -m bot health`.
    from tqdm import tqdm

    return tqdm(desc=title, unit=f" {unit}" if unit else "", total=total, disable=None, leave=False)


def print_line(line: str) -> None:
    """Print a line on stdout without breaking a visible bar."""
    from tqdm import tqdm

    tqdm.write(line)
