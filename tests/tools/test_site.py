"""Checks of the built documentation."""

from __future__ import annotations

from pathlib import Path

from tools.site import faults


def test_finds_dead_links_and_foreign_resources(tmp_path: Path) -> None:
    (tmp_path / "a b.png").touch()
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text(
        '<a href="https://example.org/">elsewhere</a> <a href="#part">here</a>'
        '<img src="../a%20b.png"> <img src="/a b.png"> <img src="missing.png">'
        '<script src="//example.org/script.js"></script>'
    )
    (tmp_path / "style.css").write_text("p { background: url('https://example.org/p.png') }")
    assert list(faults(tmp_path)) == [
        "pages/page.html: missing.png does not exist",
        "pages/page.html: loads //example.org/script.js",
        "style.css: loads url('https://example.org/p.png",
    ]
