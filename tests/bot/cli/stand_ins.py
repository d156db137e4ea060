"""Stand-ins for the client in tests of commands, in this process or another one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, ClassVar, Self

from bot.runtime.settings import Settings

ROOT = Path(__file__).parents[3]
TOKEN = "MTA.Gx1.not-a-real-token"
VARIABLES = {name.upper() for name in Settings.model_fields}

STAND_IN = """
import asyncio, sys, types
client = types.ModuleType("bot.client")
class TichuBot:
    def __init__(self, settings): pass
    async def __aenter__(self): return self
    async def __aexit__(self, *problem):
        print("closing", flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print("closed", flush=True)
    async def start(self, token):
        print("started", flush=True)
        await asyncio.Event().wait()
client.TichuBot = TichuBot
sys.modules["bot.client"] = client
from bot.__main__ import main
sys.exit(main([]))
"""


class TichuBot:
    """Stand-in for the client: fails to start with the given problem and records its calls."""

    problem: ClassVar[BaseException | None] = None
    passes_after: ClassVar[int | None] = None
    """Number of starts that fail with the problem; `None` means all of them."""
    done: ClassVar[list[str]] = []

    def __init__(self, settings: Settings) -> None:
        self.done.append("made")

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.done.append("closed")

    async def start(self, token: str) -> None:
        await self.login(token)

    async def login(self, token: str) -> None:
        assert token == TOKEN
        fails = self.passes_after is None or self.done.count("closed") < self.passes_after
        if self.problem is not None and fails:
            raise self.problem
        self.done.append("logged in")

    async def sync_commands(self) -> int:
        self.done.append("synced")
        return 11


@contextmanager
def stand_in(environment: dict[str, str], folder: Path) -> Iterator[subprocess.Popen[str]]:
    """Run a bot in a process of its own that waits for a line before it closes."""
    with subprocess.Popen(
        [sys.executable, "-c", STAND_IN],
        cwd=folder,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def line(stream: IO[str] | None) -> str:
    """Return the next line that a process writes."""
    assert stream is not None
    return stream.readline()
