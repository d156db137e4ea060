"""Checks the built documentation: `python -m tools.site`, after `zensical build --strict`.

Zensical checks links to pages and headings. This checks links to all other files, such as
pictures, and that pages and style sheets load nothing from other hosts.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

SITE = Path(__file__).parents[1] / "site"
_FOREIGN = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//[^"')\s]+""")
"""A reference to another host in a style sheet."""


class _References(HTMLParser):
    """Addresses in a page, each with its tag."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, str]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses of a tag."""
        self.found += ((tag, value) for name, value in attrs if name in {"href", "src"} and value)


def faults(site: Path) -> Iterator[str]:
    """Yield the dead links and foreign resources of all pages and style sheets."""
    for page in sorted(site.rglob("*.html")):
        name = page.relative_to(site).as_posix()
        for tag, address in _References(page.read_text("utf-8")).found:
            parts = urlsplit(address)
            if parts.netloc and tag != "a":
                yield f"{name}: loads {address}"
            elif parts.path and not parts.scheme and not parts.netloc:
                base = site if parts.path.startswith("/") else page.parent
                if not (base / unquote(parts.path).lstrip("/")).exists():
                    yield f"{name}: {address} does not exist"
    for sheet in sorted(site.rglob("*.css")):
        for reference in _FOREIGN.findall(sheet.read_text("utf-8")):
            yield f"{sheet.relative_to(site).as_posix()}: loads {reference}"


def main() -> int:
    """Print each fault. Return the exit status."""
    found = list(faults(SITE))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
