"""Progress of compiling the computer players' code.

Does not import numba, so that a process can report its progress before numba is loaded.
"""

from __future__ import annotations

from collections.abc import Callable

_functions: list[Callable[[], bool]] = []
"""For each function to compile, a check whether it is compiled."""
_stored: list[Callable[[], bool]] = []
"""For each function, a check whether this process has compiled and stored it."""


def add_function(is_compiled: Callable[[], bool], is_stored: Callable[[], bool]) -> None:
    """Register a function to prepare.

    `is_compiled` returns whether the function is compiled or read from disk, `is_stored` whether
    this process has compiled it and written it to disk.
    """
    _functions.append(is_compiled)
    _stored.append(is_stored)


def has_compiled() -> bool:
    """Return whether this process has compiled a function and stored it on disk."""
    return any(is_stored() for is_stored in _stored)


def compiled_functions() -> tuple[int, int]:
    """Return the numbers of compiled functions and of all registered functions."""
    checks = tuple(_functions)
    return sum(is_compiled() for is_compiled in checks), len(checks)
