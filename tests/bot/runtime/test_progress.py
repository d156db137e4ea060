"""Progress bars, shown only at a terminal."""

from __future__ import annotations

import io

import pytest

from bot.runtime.progress import bar, print_line, progress


class Terminal(io.StringIO):
    """A stderr that is a terminal."""

    def isatty(self) -> bool:
        """Return true."""
        return True


def test_shows_nothing_without_a_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert list(progress(["a", "b"], "letters")) == ["a", "b"]
    with bar("steps") as steps:
        steps.update(3)
    print_line("said")
    assert capsys.readouterr() == ("said\n", "")


def test_terminal_shows_title_count_and_end(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    with bar("steps", unit="tables", total=7) as steps:
        steps.update(3)
        steps.refresh()
    assert "steps: " in screen.getvalue()
    assert "3/7" in screen.getvalue()
    assert "tables" in screen.getvalue()


def test_collections_have_a_total(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    assert list(progress("abc", "letters")) == ["a", "b", "c"]
    assert "/3" in screen.getvalue()
    assert list(progress(iter("abc"), "letters")) == ["a", "b", "c"]
