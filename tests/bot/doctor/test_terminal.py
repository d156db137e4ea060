"""Line-by-line input of the operator."""

from __future__ import annotations

import os

from bot.doctor.terminal import Terminal


async def test_lines_are_read_one_by_one() -> None:
    reading, writing = os.pipe()
    terminal = Terminal(lambda _: None, lambda: os.read(reading, 4096))
    os.write(writing, b"first\nsec")
    assert await terminal.line() == "first"
    os.write(writing, "ond \u00e9\n".encode())
    assert await terminal.line() == "second \u00e9"
    os.close(writing)
    assert await terminal.line() is None
    assert await terminal.line() is None, "the end stays"
    os.close(reading)


async def test_a_question_is_asked_until_it_is_answered() -> None:
    typed, shown = [b"maybe\nYes\n", b"n\n\n"], list[str]()
    terminal = Terminal(shown.append, lambda: typed.pop(0) if typed else b"")
    assert await terminal.ask("So?") is True
    assert len(shown) == 2
    assert await terminal.ask("So?") is False
    assert await terminal.ask("So?") is None
    assert await terminal.ask("So?") is None, "nobody is there any more"
