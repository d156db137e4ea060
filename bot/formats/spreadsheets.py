"""CSV files for spreadsheets."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

_FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""Signs with which the text of a cell begins that spreadsheets compute."""


def csv_file(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return a table with a byte order mark for spreadsheets.

    A name that spreadsheets would compute begins with an apostrophe.
    """
    file = io.StringIO(newline="")
    writer = csv.DictWriter(file, columns)
    writer.writeheader()
    for each in rows:
        name = each["name"]
        is_risky = name.lstrip().startswith(_FORMULA_SIGNS) or name[:1].isspace()
        writer.writerow({**each, "name": f"'{name}" if is_risky else name})
    return file.getvalue().encode("utf-8-sig")
