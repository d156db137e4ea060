"""`python -m tools.dead_code`: lists unused code, and code that only tests use.

Two runs of Vulture would read every file twice. Here the product is read first, then the tests, so
one reading gives both answers. Settings are those of `tool.vulture` in pyproject.toml, which
`vulture` itself reads, too.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from itertools import chain
from pathlib import Path

from vulture.config import InputError, make_config
from vulture.core import Item, Vulture

TESTS = "tests"
"""Folder whose calls do not count at first."""


def main(argv: Sequence[str] | None = None) -> int:
    """Check the given paths, or those of the settings. Returns the exit status."""
    try:
        config = make_config(argv)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    tests = [path for path in config["paths"] if Path(path).name == TESTS]
    product = [path for path in config["paths"] if path not in tests]
    # Names are ignored afterwards, when few are left.
    vulture = Vulture(ignore_decorators=config["ignore_decorators"])

    def unused() -> dict[Item, str]:
        return {
            item: item.get_report()
            for item in vulture.get_unused_code(config["min_confidence"])
            if not any(fnmatchcase(item.name, name) for name in config["ignore_names"])
        }

    vulture.scavenge(product, config["exclude"])
    without_tests = unused()
    vulture.scavenge(tests, config["exclude"])
    everywhere = unused()
    only_tests = [
        f"{report}, but by tests"
        for item, report in without_tests.items()
        if item not in everywhere
    ]
    for line in chain(everywhere.values(), only_tests):
        print(line)
    return 1 if everywhere or only_tests or vulture.exit_code else 0


if __name__ == "__main__":
    sys.exit(main())
