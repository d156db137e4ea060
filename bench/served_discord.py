"""`ForgetfulDiscord` as a server on this machine, with faults, for bots in processes of their own.

It serves the gateway and the API that discord.py uses. Discord's rules for first responses hold:
one that comes after three seconds is refused, and so is a second one. Several processes can be
connected; each receives all interactions.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections import defaultdict
from contextlib import suppress
from datetime import UTC, datetime
from time import perf_counter
from typing import Any, Self

import aiohttp
from aiohttp import web

from bench.forgetful_discord import INTERACTION, ForgetfulDiscord, Response, Time, interaction_of

START_BOT = """
import sys, yarl, discord.gateway, discord.http
discord.http.Route.BASE = f"http://{sys.argv[1]}/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(f"ws://{sys.argv[1]}/gateway")
sys.argv[1:] = ["run"]
from bot.__main__ import main
sys.exit(main())
"""
"""Python code that runs the bot against the server with this address, its only argument."""
_ANSWER_WITHIN_S = 3.0
_CONTROL = re.compile(r'"custom_id": ?"[bs]:(\d+):(\d+)(?:@\d+)?:([a-z-]+):')
"""Table, revision and verb of a control in the JSON of a message."""


class _Now(Time):
    """The real time."""

    def now(self) -> datetime:
        """Return the current time."""
        return datetime.now(UTC)


class ServedDiscord(ForgetfulDiscord):
    """The fake Discord, served at `address` inside `async with`."""

    def __init__(self, channels: int, verbs: frozenset[str]) -> None:
        super().__init__(_Now())
        self.address = ""
        self.connected = asyncio.Event()
        """Set while the bot is connected to the gateway."""
        self.first_sent: dict[int, float] = {}
        """Time of the first attempt to answer, by interaction, by `perf_counter`."""
        self.delivered: dict[int, float] = {}
        """Time of delivery, by interaction."""
        self.accepted_at = 0.0
        """Time of the last accepted answer."""
        self.accepted: dict[int, float] = {}
        """Time of the accepted first response, by interaction."""
        self.answered_by: dict[int, set[str]] = defaultdict(set)
        """Processes with accepted responses, by interaction."""
        self.revisions: dict[int, int] = {}
        """Highest revision of each table on a shown control with one of the `verbs`."""
        self.interruptions: list[float] = []
        """Times at which the bot lost its connection or ended."""
        self.fails = False
        """True while each request is answered with the status 503."""
        self.silence = asyncio.Event()
        """Cleared while no request is answered."""
        self.silence.set()
        self.latency_s = 0.0
        """Time until each request is answered, in seconds."""
        self._channels = channels
        self._verbs = verbs
        self._gateways: list[web.WebSocketResponse] = []
        """Connections with a session."""
        self._sequence = 0
        self._runner: web.AppRunner | None = None

    async def __aenter__(self) -> Self:
        application = web.Application(client_max_size=1 << 26)
        application.router.add_get("/{process}/gateway", self._serve_gateway)
        application.router.add_route("*", "/{process}/api/v10{path:/.*}", self._serve_request)
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.address = self.address_for("0")
        return self

    def address_for(self, process: str) -> str:
        """Return the address for the process with this name."""
        assert self._runner is not None
        return "{}:{}/{}".format(*self._runner.addresses[0], process)

    async def __aexit__(self, *_: object) -> None:
        assert self._runner is not None
        await self._runner.cleanup()

    # --- gateway -------------------------------------------------------------------------------

    async def deliver(self, bot: Any, event: dict[str, Any]) -> None:
        """Send an interaction through the gateway, once the bot is connected."""
        await self.connected.wait()
        await self.send(event)

    async def send(self, event: dict[str, Any]) -> None:
        """Send an interaction to all connected processes now; without any it is lost."""
        self.delivered[int(event["id"])] = perf_counter()
        for socket in list(self._gateways):
            await self._dispatch(socket, "INTERACTION_CREATE", event)

    def note_interruption(self) -> None:
        """Record that the bot has lost its connection or ended."""
        self.connected.clear()
        self.interruptions.append(perf_counter())

    def times(self, within_s: float) -> tuple[list[float], int, int]:
        """Return the times until the first attempts to answer, and two counts of other clicks.

        The first is of clicks without an attempt, the second of those with an interruption within
        `within_s` seconds.
        """
        times, missing, interrupted = list[float](), 0, 0
        for interaction, at in self.delivered.items():
            if (sent := self.first_sent.get(interaction)) is not None:
                times.append(sent - at)
            elif any(at <= when <= at + within_s for when in self.interruptions):
                interrupted += 1
            else:
                missing += 1
        return times, missing, interrupted

    async def interrupt(self, *, keeps_session: bool) -> None:
        """Close all connections to the gateway, or declare their sessions invalid."""
        self.note_interruption()
        sockets, self._gateways = self._gateways, []
        for socket in sockets:
            if keeps_session:
                await socket.close(code=1001)
            else:
                await socket.send_json({"op": 9, "d": False})

    async def _dispatch(self, socket: web.WebSocketResponse, name: str, data: Any) -> None:
        self._sequence += 1
        with suppress(ConnectionError):  # a killed bot
            await socket.send_json({"op": 0, "t": name, "s": self._sequence, "d": data})

    async def _serve_gateway(self, request: web.Request) -> web.WebSocketResponse:
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}})
        async for message in socket:
            if message.type is not aiohttp.WSMsgType.TEXT:
                continue
            match json.loads(message.data)["op"]:
                case 1:
                    await socket.send_json({"op": 11})
                case 2:
                    await self._begin_session(socket)
                case 6:
                    await self._dispatch(socket, "RESUMED", {})
                    self._begin_events(socket)
        if socket in self._gateways:
            self._gateways.remove(socket)
            if not self._gateways:
                self.note_interruption()
        return socket

    def _begin_events(self, socket: web.WebSocketResponse) -> None:
        self._gateways.append(socket)
        self.connected.set()

    async def _begin_session(self, socket: web.WebSocketResponse) -> None:
        """Send the events that follow a login."""
        await asyncio.sleep(self.latency_s)
        guild = self.server(self._channels)
        user = self.answer("GET", "/users/@me", None).body
        ready = {
            "v": 10,
            "user": json.loads(user),
            "guilds": [{"id": guild["id"], "unavailable": True}],
            "session_id": "session",
            "resume_gateway_url": f"ws://{self.address}/gateway",
            "application": {"id": json.loads(user)["id"], "flags": 0},
            "shard": [0, 1],
        }
        await self._dispatch(socket, "READY", ready)
        await self._dispatch(socket, "GUILD_CREATE", guild)
        self._begin_events(socket)

    # --- requests ------------------------------------------------------------------------------

    async def _serve_request(self, request: web.Request) -> web.Response:
        path = request.match_info["path"]
        body = await _json_of(request)
        interaction = INTERACTION.fullmatch(path)
        await asyncio.sleep(self.latency_s)
        now = perf_counter()
        if interaction is not None:
            self.first_sent.setdefault(int(interaction[1]), now)
        if self.fails:
            return answer({"message": "injected fault"}, 503)
        await self.silence.wait()
        if path == "/gateway/bot":
            limit = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
            url = f"ws://{request.host}/{request.match_info['process']}/gateway"
            return answer({"url": url, "shards": 1, "session_start_limit": limit})
        if interaction is not None:
            delivered = self.delivered.get(int(interaction[1]), 0.0)
            if now - delivered > _ANSWER_WITHIN_S:
                return answer({"message": "Unknown interaction", "code": 10062}, 404)
            if int(interaction[1]) in self.accepted:
                message = "Interaction has already been acknowledged."
                return answer({"message": message, "code": 40060}, 400)
            self.accepted_at = self.accepted[int(interaction[1])] = now
        if number := interaction_of(path):
            self.answered_by[number].add(request.match_info["process"])
        try:
            found: Response = self.answer(request.method, path, body)
        except RuntimeError as error:
            print(error, file=sys.stderr)
            return answer({"message": "unknown", "code": 0}, 404)
        for table, revision, verb in _CONTROL.findall(json.dumps(body)):
            if verb in self._verbs:
                known = self.revisions.get(int(table), 0)
                self.revisions[int(table)] = max(known, int(revision))
        return answer(found.body, found.status)


def answer(body: Any, status: int = 200) -> web.Response:
    """Return a response; discord.py wants the type of JSON without a charset."""
    if status == 204:
        return web.Response(status=status)
    text = body if isinstance(body, str) else json.dumps(body)
    headers = {"Content-Type": "application/json"}
    return web.Response(body=text.encode(), status=status, headers=headers)


async def _json_of(request: web.Request) -> Any:
    """Return the JSON of a request, from its body or its form."""
    if request.content_type.startswith("multipart/"):
        return json.loads(str((await request.post()).get("payload_json", "null")))
    text = await request.text()
    return json.loads(text) if text else None
