"""SQL expressions that differ between backends.

`statements.py` of each backend compiles them; `bot.storage.statements` has functions to create
them.
"""

from typing import Any

from sqlalchemy.sql.functions import FunctionElement


class NumbersOf(FunctionElement[int]):
    """Rows with a `value`, one for each number of a JSON list."""

    inherit_cache = True


class NumberIn(FunctionElement[int]):
    """Numeric field of a JSON object; the arguments are the object and the field's name."""

    inherit_cache = True


class Larger(FunctionElement[Any]):
    """Larger of two values; NULL if one of them is NULL."""

    inherit_cache = True
