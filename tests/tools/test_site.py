"""Checks of the built documentation."""

from __future__ import annotations

from pathlib import Path

from tools.site import faults


def test_finds_dead_links_and_foreign_resources(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").touch()
    (tmp_path / "a b.png").touch()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text(
        '<a href="https://example.org/">elsewhere</a> <a href="#part">here</a>'
        '<img src="../a%20b.png"> <img src="/a b.png"> <img src="missing.png">'
        '<script src="//example.org/script.js"></script>'
    )
    (tmp_path / "style.css").write_text("p { background: url('https://example.org/p.png') }")
    assert list(faults(tmp_path, tmp_path)) == [
        "pages/page.html: missing.png does not exist",
        "pages/page.html: loads //example.org/script.js",
        "style.css: loads url('https://example.org/p.png",
    ]


def test_finds_lists_that_differ_from_those_on_github(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text('nav = ["README.md"]')
    (tmp_path / "README.md").write_text("- one\n  - nested\n")
    page = tmp_path / "index.html"
    page.write_text("<ul></ul><article><ul><li>one</li><li>nested</li></ul></article><ul></ul>")
    assert list(faults(tmp_path, tmp_path)) == ["index.html: 1 <ul>, on GitHub 2"]


def test_finds_pages_without_navigation(tmp_path: Path) -> None:
    (tmp_path / "zensical.toml").write_text('nav = ["README.md"]')
    for name in ("README.md", "index.html", "README.de.md", "README.de.html", "new.md", "new.html"):
        (tmp_path / name).touch()
    assert list(faults(tmp_path, tmp_path)) == ["new.html: not in the navigation"]
