"""Proxy of the database server that can lose the ends of transactions."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Literal

_SOCKET = ".s.PGSQL.5432"
_COMMIT = b"COMMIT"


class Way:
    """Forwards traffic between the bot and the server."""

    def __init__(self, server: Path) -> None:
        self._server = server
        self.loses: Literal["nothing", "question", "answer"] = "nothing"
        """Part of the next COMMIT that is lost, together with the connection."""

    async def passes(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one connection to its end."""
        from_server, to_server = await asyncio.open_unix_connection(self._server)
        back = asyncio.create_task(_passes(from_server, writer))
        try:
            while said := await reader.read(65536):
                loses, self.loses = (
                    (self.loses, "nothing") if _COMMIT in said else ("nothing", self.loses)
                )
                if loses == "question":
                    break
                if loses == "answer":
                    back.cancel()
                    await asyncio.wait([back])
                to_server.write(said)
                if loses == "answer":
                    await from_server.read(65536)
                    break
        finally:
            back.cancel()
            for side in (to_server, writer):
                side.close()
                with suppress(OSError):
                    await side.wait_closed()


async def _passes(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while said := await reader.read(65536):
        writer.write(said)
    writer.close()


@asynccontextmanager
async def way(url: str) -> AsyncIterator[tuple[Way, str]]:
    """Yield a proxy to the server of this URL, and the URL to use."""
    address, _, server = url.partition("?host=")
    made = Way(Path(server) / _SOCKET)
    async with await asyncio.start_server(made.passes, "127.0.0.1", 0) as listening:
        port = listening.sockets[0].getsockname()[1]
        yield made, address.replace("@/", f"@127.0.0.1:{port}/")
