"""How much of the code of computer players is compiled: only counted here, in numbers.

It needs no numba, so that it can be asked before that is loaded.
"""

from __future__ import annotations

from collections.abc import Callable

_functions: list[Callable[[], bool]] = []
"""For each function that can be compiled: says whether it is."""


def can_be_compiled(is_compiled: Callable[[], bool]) -> None:
    """Count one function more; `is_compiled` says whether it is compiled, or read from disk."""
    _functions.append(is_compiled)


def compiled_functions() -> tuple[int, int]:
    """The number of functions that are compiled, and of all that are known so far."""
    known = tuple(_functions)
    return sum(is_compiled() for is_compiled in known), len(known)
