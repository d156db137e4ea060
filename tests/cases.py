"""Many small cases in one test: faster than a test for each, and a failing one is named."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any

Test = Callable[..., None]

LONGEST = 300
"""Maximum length of a case's name in characters."""


def each(names: str, cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Return a decorator that runs a test for every case in one go.

    `names` are the parameters of a case, separated by commas; a case is a tuple of their values, or
    the value itself for one name, as in `pytest.mark.parametrize`. The first failing case ends the
    test and is named below its error. Stacked decorators run every combination of their cases. Use
    `pytest.mark.parametrize` where a case takes long.
    """
    wanted = [name.strip() for name in names.split(",")]
    everything = list(cases)
    if not everything:
        raise ValueError(f"no case of {names}: such a test proves nothing")

    def decorate(test: Test) -> Test:
        @wraps(test)
        def run(*given: Any, **others: Any) -> None:
            for case in everything:
                values = (case,) if len(wanted) == 1 else tuple(case)
                chosen = dict(zip(wanted, values, strict=True))
                try:
                    test(*given, **others, **chosen)
                except BaseException as error:
                    shown = ", ".join(f"{name}={value!r}" for name, value in chosen.items())
                    error.add_note(f"in the case {shown[:LONGEST]}")
                    raise

        signature = inspect.signature(test)
        left = [value for name, value in signature.parameters.items() if name not in wanted]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return decorate
