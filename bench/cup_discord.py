"""The served Discord of `bench.cup`, with threads and nonces; it counts mentions and requests."""

from __future__ import annotations

import asyncio
import json
import re
from collections import Counter, defaultdict
from typing import Any, Final

from bench.forgetful_discord import Response
from bench.level import MOVES
from bench.served_discord import ServedDiscord
from cogs.pages.verbs import Verb

_PUBLIC_THREAD: Final = 11
_PRIVATE: Final = 1 << 6
_MENTION = re.compile(r"<@(\d+)>")
_MESSAGES = re.compile(r"/channels/(\d+)/messages")
_THREADS = re.compile(r"/channels/(\d+)/threads")
_CHANNEL = re.compile(r"/channels/(\d+)")
_MEMBER = re.compile(r"/channels/(\d+)/thread-members/(\d+)")
_KINDS: Final = {
    "first responses": re.compile(r"POST /interactions/.*"),
    "further responses": re.compile(r"\w+ /webhooks/.*"),
    "messages": re.compile(r"POST /channels/\d+/messages"),
    "edits": re.compile(r"PATCH /channels/\d+/messages/\d+"),
    "threads": re.compile(r"POST /channels/\d+/threads"),
}


class CupDiscord(ServedDiscord):
    """The fake Discord with one channel, in which threads can be created."""

    def __init__(self, latency_s: float) -> None:
        super().__init__(1, MOVES)
        self.latency_s = latency_s
        self.patience_s = 10.0
        self.threads: dict[int, dict[str, Any]] = {}
        """Threads by id, as Discord sends them."""
        self.invited: dict[int, list[int]] = {}
        """People whom the lobbies in each thread mention."""
        self.mentioned: dict[int, Counter[int]] = defaultdict(Counter)
        """Number of other mentions of each person, by channel."""
        self.requests = Counter[str]()
        """Number of requests by kind."""
        self._by_nonce: dict[tuple[int, str], Response] = {}
        self._tasks = set[asyncio.Task[None]]()

    def server(self, channels: int) -> Any:
        """Return the server with its threads."""
        return {**super().server(channels), "threads": list(self.threads.values())}

    async def deliver(self, bot: Any, event: dict[str, Any]) -> None:
        """Send an interaction from a channel or a thread."""
        event["channel"] = self.threads.get(int(event["channel_id"]), event["channel"])
        await super().deliver(bot, event)

    def answer(self, method: str, path: str, body: Any) -> Response:
        """Answer one request of the bot; a message with a known nonce is not posted again."""
        request = f"{method} {path}"
        kinds = (kind for kind, pattern in _KINDS.items() if pattern.fullmatch(request))
        self.requests[next(kinds, "others")] += 1
        if path.endswith("/scheduled-events"):
            return Response({"message": "Missing Permissions", "code": 50013}, 403)
        if found := _THREADS.fullmatch(path):
            return self._create_thread(int(found[1]), body)
        if _MEMBER.fullmatch(path):
            return Response(None, 204)
        if found := _CHANNEL.fullmatch(path):
            return self._thread(method, int(found[1]))
        found = _MESSAGES.fullmatch(path)
        if found is None or method != "POST":
            return super().answer(method, path, body)
        channel_id, nonce = int(found[1]), body.get("nonce")
        if nonce is not None and (known := self._by_nonce.get((channel_id, nonce))):
            return known
        self._note_mentions(channel_id, body)
        response = super().answer(method, path, body)
        if nonce is not None:
            self._by_nonce[channel_id, nonce] = response
        return response

    def _note_mentions(self, channel_id: int, body: Any) -> None:
        """Note whom a new message mentions, which is written and allowed."""
        text, allowed = json.dumps(body), body.get("allowed_mentions", {"parse": ["users"]})
        users = [int(each) for each in allowed.get("users", ())]
        written = sorted({int(each) for each in _MENTION.findall(text)})
        found = [each for each in written if each in users or "users" in allowed.get("parse", ())]
        if f":{Verb.CHECK_IN}:" in text:
            self.invited.setdefault(channel_id, []).extend(found)
        else:
            self.mentioned[channel_id].update(found)

    def _create_thread(self, parent_id: int, body: Any) -> Response:
        """Create a thread and announce it to the connected processes."""
        number, user = self._new_id(), json.loads(super().answer("GET", "/users/@me", None).body)
        now = self.time.now().isoformat()
        self.threads[number] = thread = {
            "id": str(number),
            "guild_id": self.server(0)["id"],
            "parent_id": str(parent_id),
            "owner_id": user["id"],
            "name": body["name"],
            "type": _PUBLIC_THREAD,
            "message_count": 0,
            "member_count": 1,
            "thread_metadata": {
                "archived": False,
                "locked": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": now,
                "create_timestamp": now,
            },
        }
        for socket in list(self._gateways):
            task = asyncio.create_task(self._dispatch(socket, "THREAD_CREATE", thread))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        return Response(thread)

    def _thread(self, method: str, number: int) -> Response:
        """Answer a request about a thread: return, change or delete it."""
        thread = self.threads.get(number)
        if thread is None:
            return Response({"message": "Unknown Channel", "code": 10003}, 404)
        if method == "DELETE":
            del self.threads[number]
        return Response(thread)
