"""`python -m tools.site`: build the documentation in site/, and check it.

Zensical reads every file below the folder of its sources, and hangs in a virtual environment. So
the published files are copied to a folder of their own first. Zensical checks links to pages and
headings. This checks links to all other files, such as pictures, that pages and style sheets load
nothing from other hosts, that all pages are in the navigation, and that they have the same lists,
code blocks and tables as on GitHub: Python-Markdown needs four spaces in a list.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from markdown_it import MarkdownIt

ROOT = Path(__file__).parents[1]
PUBLISHED = (
    *("*.md", "docs", "LICENSE", ".env.example", "compose.cluster.yaml", "litestream.yml"),
    *("engine/README.md", "bot/art/icons", "bot/lessons/texts"),
)
"""Published files and folders, as patterns of git."""
_SOURCES = ROOT / ".cache" / "site"
"""Copies of the published files, as named in zensical.toml."""
_SITE = ROOT / "site"
_BLOCKS = {"h1", "h2", "h3", "li", "ol", "pre", "table", "ul"}
_FOREIGN = re.compile(r"""(?:url\(|@import)\s*["']?(?:https?:)?//[^"')\s]+""")
"""A reference to another host in a style sheet."""


class _Page(HTMLParser):
    """Addresses in a page, each with its tag, and the number of blocks in its article."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.addresses: list[tuple[str, str]] = []
        self.blocks: Counter[str] = Counter()
        self._in_article = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect the addresses of a tag, and count it."""
        self.addresses += (
            (tag, value) for name, value in attrs if name in {"href", "src"} and value
        )
        self._in_article |= tag == "article"
        if self._in_article and tag in _BLOCKS:
            self.blocks[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """Notice the end of the article."""
        self._in_article &= tag != "article"


def faults(site: Path, sources: Path) -> Iterator[str]:
    """Yield the faults of all pages and style sheets of the site."""
    configuration = (sources / "zensical.toml").read_text("utf-8")
    for file in sorted(site.rglob("*.html")):
        name = file.relative_to(site)
        page = _Page(file.read_text("utf-8"))
        source = name.with_suffix(".md") if name.stem != "index" else name.with_name("README.md")
        found = [*_address_faults(page, file, site)]
        if (sources / source).exists():  # not for the page of errors
            found += _block_faults(page, (sources / source).read_text("utf-8"))
            if f'"{source.as_posix()}"' not in configuration and "README." not in source.stem:
                found.append("not in the navigation")
        for fault in found:
            yield f"{name.as_posix()}: {fault}"
    for sheet in sorted(site.rglob("*.css")):
        for reference in _FOREIGN.findall(sheet.read_text("utf-8")):
            yield f"{sheet.relative_to(site).as_posix()}: loads {reference}"


def _address_faults(page: _Page, file: Path, site: Path) -> Iterator[str]:
    """Yield the dead links of a page, and what it loads from other hosts."""
    for tag, address in page.addresses:
        parts = urlsplit(address)
        if parts.netloc and tag != "a":
            yield f"loads {address}"
        elif parts.path and not parts.scheme and not parts.netloc:
            base = site if parts.path.startswith("/") else file.parent
            if not (base / unquote(parts.path).lstrip("/")).exists():
                yield f"{address} does not exist"


def _block_faults(page: _Page, source: str) -> Iterator[str]:
    """Yield the blocks that CommonMark, as GitHub uses it, makes in another number."""
    html = MarkdownIt("commonmark").enable("table").render(source)
    expected = _Page(f"<article>{html}</article>").blocks
    for tag in sorted(_BLOCKS):
        if page.blocks[tag] != expected[tag]:
            yield f"{page.blocks[tag]} <{tag}>, on GitHub {expected[tag]}"


def copy_published(sources: Path) -> None:
    """Copy the published files of the repository to an empty folder, in the same layout."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--"]
    patterns = [f":(glob){each}" if "*" in each else each for each in PUBLISHED]
    listed = subprocess.run([*command, *patterns], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():  # not deleted
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / name, sources / name)


def main() -> int:
    """Build the site and print each fault. Return the exit status."""
    for folder in (_SOURCES, _SITE):
        shutil.rmtree(folder, ignore_errors=True)
    copy_published(_SOURCES)
    zensical = Path(sys.executable).with_name("zensical")
    built = subprocess.run([zensical, "build", "--strict"], cwd=ROOT, check=False)
    if built.returncode:
        return built.returncode
    found = list(faults(_SITE, ROOT))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
