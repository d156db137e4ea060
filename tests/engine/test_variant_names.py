"""Variants hold every difference between games: no code compares their names.

Code asks the variant for the difference instead (`scored`, `dealer_opposes_all`, `receivers`, ...),
so that a new variant is one new object. Import-linter keeps the classes of variants out of other
packages. `bot/text` may key texts by the name of a variant.
"""

from __future__ import annotations

import re
from pathlib import Path

from engine import VARIANTS
from tests.cases import each

ROOT = Path(__file__).parents[2]
NAMES = "|".join(VARIANTS)
COMPARISON = re.compile(
    rf"""(?:==|!=|case|in\ [(\[{{]) .* ["'](?:{NAMES})["']
    | ["'](?:{NAMES})["'] \s* (?:==|!=|:)
    | dict\( (?:{NAMES}) =
    | \b(?:variant\.name|game\.name|options\.variant|rules\.variant)
      (?: \s* (?:==|!=|in\b) | \[ | \.\w+with)""",
    re.VERBOSE,
)
"""Comparison with a variant's name, or a mapping by name."""


@each("package", ("engine", "players", "bot", "cogs"))
def test_no_code_compares_names_of_variants(package: str) -> None:
    """O1."""
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path in sorted((ROOT / package).rglob("*.py"))
        if not {ROOT / "bot" / "text", ROOT / "engine" / "variants"} & {*path.parents}
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if COMPARISON.search(line)
    ]
    assert found == []
