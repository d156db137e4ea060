"""A fake Discord that answers at once and keeps only the newest messages.

For measurements of the bot's memory, where a simulator that keeps all messages would grow, too. The
bot's own discord.py reads the events and makes the requests; only the connection is replaced. The
measurement sets the time.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
import json
import re
import zlib
from collections import defaultdict
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple, Self
from urllib.parse import unquote

import discord

_GUILD, _BOT, _OWNER = 1, 2, 3
_FIRST_CHANNEL = 10
_ALL = str(discord.Permissions.all().value)
_PRIVATE, _V2 = 1 << 6, 1 << 15
_KEPT = 4
"""The number of newest messages kept of a channel, and of each person's private ones in it."""
_COMMAND, _COMPONENT = 2, 3
_NEW_MESSAGE, _EDIT = 4, 7
_PATH = re.compile(r"https://discord\.com/api/v\d+(.*)")
INTERACTION = re.compile(r"/interactions/(\d+)/([\d.]+)/callback")
"""Path of the first response to an interaction, with its id and token."""
_TOKEN = re.compile(rf"/webhooks/{_BOT}/([\d.]+)(?:/messages/(@original|\d+))?")
_MEMBER = re.compile(r"/guilds/\d+/members/(\d+)")
_CHANNEL = re.compile(r"/channels/(\d+)/messages(?:/(\d+))?")


class Time:
    """A clock that is moved forward by hand, and the pending sleeps."""

    def __init__(self) -> None:
        self._now = datetime.now(UTC)
        self._sleeps: list[tuple[datetime, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()

    def now(self) -> datetime:
        """Return the simulated time."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Sleep until the clock has moved by `seconds` seconds."""
        over: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        when = self._now + timedelta(seconds=max(0.0, seconds))
        heapq.heappush(self._sleeps, (when, next(self._numbers), over))
        await over

    def advance(self, seconds: float) -> None:
        """Move the clock and end the sleeps that are over."""
        self._now += timedelta(seconds=seconds)
        while self._sleeps and (self._sleeps[0][0] <= self._now or self._sleeps[0][2].done()):
            over = heapq.heappop(self._sleeps)[2]
            if not over.done():
                over.set_result(None)
        self._sleeps = [sleep for sleep in self._sleeps if not sleep[2].done()]
        heapq.heapify(self._sleeps)


class Shown(NamedTuple):
    """A message as shown on a screen."""

    id: int
    private: bool
    packed: bytes
    """Its components, compressed so that they hardly count in the memory of the process."""

    @property
    def components(self) -> list[dict[str, Any]]:
        """Its components."""
        found: list[dict[str, Any]] = json.loads(zlib.decompress(self.packed))
        return found

    def controls(self) -> Iterator[dict[str, Any]]:
        """Return its enabled buttons and selects."""
        return (part for part in _walk(self.components) if _usable(part))


class _Token(NamedTuple):
    """Contents of an interaction token: person, channel, interaction, message (0 for none)."""

    user_id: int
    channel_id: int
    interaction_id: int
    message_id: int

    @property
    def text(self) -> str:
        """The token, which contains all fields, so that none have to be stored."""
        return ".".join(map(str, self))

    @classmethod
    def parse(cls, token: str) -> Self:
        """Return the contents of a token."""
        return cls(*map(int, token.split(".")))

    @property
    def answer_id(self) -> int:
        """The id of a message that answers the interaction."""
        return self.interaction_id + 1


class Response:
    """The answer to one request in the form of aiohttp's."""

    def __init__(self, body: Any, status: int = 200) -> None:
        self.status = status
        self.reason = ""
        self.headers = {"Content-Type": "application/json", "content-type": "application/json"}
        self.body = json.dumps(body)

    async def text(self, **_: Any) -> str:
        """Return the body."""
        await asyncio.sleep(0)
        return self.body

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        return None


class ForgetfulDiscord:
    """The server, its channels and people, as far as a screen shows them.

    It replaces discord.py's `aiohttp.ClientSession`.
    """

    def __init__(self, time: Time) -> None:
        self.time = time
        self.patience_s = 600.0
        """The longest wait for an answer, in real seconds."""
        self._numbers = itertools.count(2, 4)
        self._public: dict[int, dict[int, Shown]] = defaultdict(dict)
        self._private: dict[tuple[int, int], dict[int, Shown]] = defaultdict(dict)
        self._waiting: dict[int, asyncio.Future[None]] = {}

    def __call__(self, *_: Any, **__: Any) -> Self:
        """Return the object itself in place of a new session."""
        return self

    async def close(self) -> None:
        """Close nothing."""

    # --- people ----------------------------------------------------------------------------------

    def screen(self, user_id: int, channel_id: int) -> list[Shown]:
        """Return the messages a person sees in a channel: private ones first, each newest first."""
        private = self._private[channel_id, user_id].values()
        return [*reversed(private), *reversed(self._public[channel_id].values())]

    def channel_id(self, number: int) -> int:
        """Return the id of a channel by its number from 0."""
        return _FIRST_CHANNEL + number

    def invite(self, bot: discord.Client, channels: int) -> None:
        """Add the bot to the server, which has `channels` channels."""
        bot._connection._add_guild_from_data(self.server(channels))  # noqa: SLF001 - as the gateway does

    def server(self, channels: int) -> Any:
        """Return the server with this number of channels, as the gateway sends it."""
        numbers = range(_FIRST_CHANNEL, _FIRST_CHANNEL + channels)
        return {
            "id": str(_GUILD),
            "name": "Bench",
            "owner_id": str(_OWNER),
            "preferred_locale": "en-US",
            "roles": [{"id": str(_GUILD), "name": "@everyone", "permissions": _ALL, "position": 0}],
            "channels": [_channel(number) for number in numbers],
            "members": [_member(_BOT)],
            "member_count": 1,
        }

    async def click(
        self, bot: Any, user_id: int, channel_id: int, on: Shown, custom_id: str,
        values: list[str] | None = None,
    ) -> None:  # fmt: skip
        """Press a button or choose in a select; return when the bot has answered."""
        kind = 2 if values is None else 3
        data = {"custom_id": custom_id, "component_type": kind, "values": values or []}
        await self._interact(bot, _COMPONENT, user_id, channel_id, data, on)

    async def slash(
        self, bot: Any, user_id: int, channel_id: int, name: str, **options: Any
    ) -> None:
        """Use a command of ``/tichu``; return when the bot has answered."""
        kinds = {str: 3, int: 4, bool: 5}
        given = [{"name": k, "type": kinds[type(v)], "value": v} for k, v in options.items()]
        inner = {"name": name, "type": 1, "options": given}
        data = {"id": "7", "name": "tichu", "type": 1, "options": [inner]}
        await self._interact(bot, _COMMAND, user_id, channel_id, data, None)

    async def _interact(
        self,
        bot: Any,
        kind: int,
        user_id: int,
        channel_id: int,
        data: dict[str, Any],
        on: Shown | None,
    ) -> None:
        number = self._new_id()
        token = _Token(user_id, channel_id, number, on.id if on is not None else 0)
        event = {
            "id": str(number),
            "application_id": str(_BOT),
            "type": kind,
            "token": token.text,
            "version": 1,
            "data": data,
            "guild_id": str(_GUILD),
            "channel_id": str(channel_id),
            "channel": _channel(channel_id),
            "locale": "en-US",
            "guild_locale": "en-US",
            "entitlements": [],
            "attachment_size_limit": 10 << 20,
            "app_permissions": _ALL,
            "member": _member(user_id),
            "context": 0,
        }
        if on is not None:
            event["message"] = _message(on, channel_id)
        self._waiting[number] = answered = asyncio.get_running_loop().create_future()
        await self.deliver(bot, event)
        async with asyncio.timeout(self.patience_s):
            await answered

    async def deliver(self, bot: Any, event: dict[str, Any]) -> None:
        """Deliver an interaction to the bot."""
        # Through JSON as from the gateway, so that no objects are shared.
        bot._connection.parse_interaction_create(json.loads(json.dumps(event)))  # noqa: SLF001

    def _new_id(self) -> int:
        return discord.utils.time_snowflake(self.time.now()) + next(self._numbers) % (1 << 22)

    # --- requests --------------------------------------------------------------------------------

    def request(self, method: str, url: str, **given: Any) -> Response:
        """Answer one request of the bot."""
        found = _PATH.fullmatch(unquote(url).partition("?")[0])
        assert found is not None, url
        return self.answer(method, found[1], _body(given.get("data")))

    def answer(self, method: str, path: str, body: Any) -> Response:
        """Answer one request of the bot by method, path and JSON."""
        if found := INTERACTION.fullmatch(path):
            return self._callback(_Token.parse(found[2]), body)
        if found := _TOKEN.fullmatch(path):
            return self._follow_up(method, _Token.parse(found[1]), found[2], body)
        if found := _CHANNEL.fullmatch(path):
            return self._in_channel(method, int(found[1]), int(found[2] or 0), body)
        if found := _MEMBER.fullmatch(path):
            return Response(_member(int(found[1])))
        if path == "/users/@me":
            return Response(_user(_BOT))
        if path == "/oauth2/applications/@me":
            application = {"id": str(_BOT), "name": "", "description": "", "icon": None}
            about = {"bot_public": True, "bot_require_code_grant": False, "verify_key": ""}
            return Response(application | about | {"owner": _user(_OWNER), "flags": 0})
        if path.endswith("/commands"):
            return Response([])
        if path.endswith("/emojis"):
            emoji = {
                "id": str(self._new_id()),
                "name": (body or {}).get("name"),
                "user": _user(_BOT),
            }
            return Response(emoji if method == "POST" else {"items": []})
        raise RuntimeError(f"nobody answers {method} {path}")

    def _callback(self, token: _Token, body: Any) -> Response:
        data, kind = body.get("data") or {}, body["type"]
        interaction = {"id": str(token.interaction_id), "type": 3}
        answer: dict[str, Any] = {"interaction": interaction}
        if kind in (_NEW_MESSAGE, _EDIT):
            new = kind == _NEW_MESSAGE
            message_id = token.answer_id if new else token.message_id
            shown = self._show(token, message_id, data, new=new)
            interaction["response_message_id"] = str(message_id)
            message = _message(shown, token.channel_id)
            answer["resource"] = {"type": kind, "message": message}
        waiting = self._waiting.pop(token.interaction_id, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
        return Response(answer)

    def _follow_up(self, method: str, token: _Token, which: str | None, body: Any) -> Response:
        mine = self._private[token.channel_id, token.user_id]
        answered = token.answer_id in mine or token.answer_id in self._public[token.channel_id]
        if method == "POST":
            shown = self._show(token, self._new_id(), body, new=True)
            return Response(_message(shown, token.channel_id))
        original = token.answer_id if answered else token.message_id
        message_id = original if which in (None, "@original") else int(which or 0)
        if method == "DELETE":
            mine.pop(message_id, None)
            return Response(None, 204)
        return Response(_message(self._show(token, message_id, body or {}), token.channel_id))

    def _show(self, token: _Token, message_id: int, data: Any, *, new: bool = False) -> Shown:
        """Store a message shown by an answer, in the channel or privately, and return it."""
        pages = self._private[token.channel_id, token.user_id]
        before = pages.get(message_id) or self._public[token.channel_id].get(message_id)
        private = bool(data.get("flags", 0) & _PRIVATE) if new or not before else before.private
        if not private:
            pages = self._public[token.channel_id]
        if "components" in data or before is None:
            return _keep(pages, Shown(message_id, private, _packed(data)))
        return _keep(pages, Shown(message_id, private, before.packed))

    def _in_channel(self, method: str, channel_id: int, message_id: int, body: Any) -> Response:
        pages = self._public[channel_id]
        if method == "DELETE":
            pages.pop(message_id, None)
            return Response(None, 204)
        shown = Shown(message_id or self._new_id(), False, _packed(body))
        return Response(_message(_keep(pages, shown), channel_id, body))


def _keep(pages: dict[int, Shown], shown: Shown) -> Shown:
    """Store a message under its id, drop the oldest ones, and return it."""
    pages[shown.id] = shown
    while len(pages) > _KEPT:
        del pages[next(iter(pages))]
    return shown


def channel_of(path: str) -> int:
    """Return the channel that a request is about; 0 if there is none."""
    if found := INTERACTION.fullmatch(path):
        return _Token.parse(found[2]).channel_id
    if found := _TOKEN.fullmatch(path):
        return _Token.parse(found[1]).channel_id
    return int(found[1]) if (found := _CHANNEL.fullmatch(path)) else 0


def interaction_of(path: str) -> int:
    """Return the interaction that a request responds to; 0 if there is none."""
    if found := INTERACTION.fullmatch(path):
        return int(found[1])
    return _Token.parse(found[1]).interaction_id if (found := _TOKEN.fullmatch(path)) else 0


def _packed(body: Any) -> bytes:
    """Return the compressed components of a message, with ids of the files in its galleries."""
    components = (body or {}).get("components") or []
    for part in _walk(components):
        for item in part.get("items", ()):
            item["media"]["attachment_id"] = str(zlib.crc32(item["media"]["url"].encode()))
    return zlib.compress(json.dumps(components).encode())


def _body(data: Any) -> Any:
    """Return the JSON of a request, from its body or its form."""
    if data is None or isinstance(data, str | bytes):
        return json.loads(data) if data else None
    for options, _, value in data._fields:
        if options["name"] == "payload_json":
            return json.loads(value)
    return None


def _walk(components: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for part in components:
        yield part
        yield from _walk(part.get("components") or [])
        if accessory := part.get("accessory"):
            yield accessory


def _usable(part: dict[str, Any]) -> bool:
    return bool(part.get("custom_id")) and not part.get("disabled")


def _message(shown: Shown, channel_id: int, body: Any = None) -> dict[str, Any]:
    attached = [a for a in (body or {}).get("attachments") or [] if a.get("filename")]
    return {
        "id": str(shown.id),
        "channel_id": str(channel_id),
        "author": _user(_BOT),
        "content": (body or {}).get("content") or "",
        "timestamp": discord.utils.snowflake_time(shown.id).isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [],
        "mention_roles": [],
        "embeds": [],
        "attachments": [
            {"id": str(shown.id), "size": 1, "url": "", "proxy_url": "", "filename": a["filename"]}
            for a in attached
        ],
        "pinned": False,
        "type": 0,
        "flags": _V2 | (_PRIVATE if shown.private else 0),
        "components": shown.components,
    }


def _user(user_id: int) -> dict[str, Any]:
    name = f"user{user_id}"
    return {"id": str(user_id), "username": name, "discriminator": "0", "avatar": None}


def _member(user_id: int) -> dict[str, Any]:
    joined = "2026-01-01T00:00:00+00:00"
    about = {"roles": [], "joined_at": joined, "deaf": False, "mute": False, "flags": 0}
    return about | {"user": _user(user_id), "permissions": _ALL}


def _channel(channel_id: int) -> dict[str, Any]:
    about = {"id": str(channel_id), "type": 0, "name": f"table-{channel_id}", "position": 0}
    return about | {"guild_id": str(_GUILD), "permission_overwrites": [], "parent_id": None}
