"""`python -m tools.dead_code`: what nothing calls, and what only tests still call.

Vulture answers one question in one run, and reads every file for it. Here the storeys are read
first, then the tests: both answers come from one reading. Settings are those of `tool.vulture` in
pyproject.toml; `vulture` by itself understands them, too.
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
"""The folder whose calls do not count at first."""


def main(argv: Sequence[str] | None = None) -> int:
    """Look into the paths that are named, otherwise into those of the settings; the exit status."""
    try:
        config = make_config(argv)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    tests = [path for path in config["paths"] if Path(path).name == TESTS]
    storeys = [path for path in config["paths"] if path not in tests]
    # Names are left out afterwards: there are few to look at then.
    vulture = Vulture(ignore_decorators=config["ignore_decorators"])

    def unused() -> dict[Item, str]:
        return {
            item: item.get_report()
            for item in vulture.get_unused_code(config["min_confidence"])
            if not any(fnmatchcase(item.name, name) for name in config["ignore_names"])
        }

    vulture.scavenge(storeys, config["exclude"])
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
