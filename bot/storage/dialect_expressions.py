"""Expressions that each kind of database writes in its own words.

The file with the statements of each kind says how; who needs one calls a function of
`statements.py`.
"""

from typing import Any

from sqlalchemy.sql.functions import FunctionElement


class NumbersOf(FunctionElement[int]):
    """The numbers of a JSON list, as rows with a `value`."""

    inherit_cache = True


class NumberIn(FunctionElement[int]):
    """A number that is a field of an object in JSON: the object, and the name of the field."""

    inherit_cache = True


class Larger(FunctionElement[Any]):
    """The larger of two values; NULL if one of them is."""

    inherit_cache = True
