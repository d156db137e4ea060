"""Rules of Discord that SimCord does not enforce.

`be_strict` applies all rules to the worlds of a test. Facts are cited from Discord's documentation
(discord/discord-api-docs, under `developers/`), or from an issue (`#n`) or pull request there;
"reported" means that somebody saw it, but Discord does not document it. SimCord itself ends tokens
after 15 minutes and refuses a first answer after 3 s (interactions/receiving-and-responding.mdx).
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import pytest
from simcord import ResponseMessage
from simcord.actors import MemberActor
from simcord.backend import Backend, serializers
from simcord.backend.errors import BackendError, SetupError
from simcord.enums import CallbackType, MessageType
from simcord.http import router
from simcord.http.router import Handler, RequestContext

LONGEST_NONCE = 25
NONCE_KNOWN_FOR = timedelta(minutes=3)
"""Lifetime of a nonce: "a few minutes" (resources/message.mdx, "Create Message")."""
OLD = timedelta(hours=1)
OLD_EDITS, OLD_EDITS_IN = 3, timedelta(seconds=20)
"""Number of edits of messages older than `OLD` that a channel accepts, and the period (reported).
"""
_MANAGE_THREADS = 1 << 34

Refused = Callable[[RequestContext], None]


class _Created(NamedTuple):
    channel_id: int
    message_id: int
    at: datetime


class Strictness:
    """State of the rules for one simulated Discord."""

    def __init__(self) -> None:
        self.breaches: list[str] = []
        """Deprecated or useless requests that Discord accepts."""
        self.created: dict[str, _Created] = {}
        self.old_edits: dict[int, deque[datetime]] = defaultdict(deque)


_known: WeakKeyDictionary[Backend, Strictness] = WeakKeyDictionary()


def strictness(backend: Backend) -> Strictness:
    """Return the state of this simulated Discord."""
    return _known.setdefault(backend, Strictness())


def be_strict(patch: pytest.MonkeyPatch) -> None:
    """Apply all rules to every simulated Discord of this process."""
    patch.setattr(serializers, "message_payload", _without_shown_files)
    patch.setattr(serializers, "guild_create_payload", _without_archived_threads)
    for name in ("click", "select"):
        patch.setattr(MemberActor, name, _sent_by_clients(getattr(MemberActor, name)))
    stricter: dict[tuple[str, str], Callable[[Handler], Handler]] = {
        ("POST", "channels/{channel_id}/messages"): _creating,
        ("PATCH", "channels/{channel_id}/messages/{message_id}"): _after(
            _thread_open, _not_too_old, _files_listed
        ),
        ("POST", "interactions/{interaction_id}/{token}/callback"): _answering,
        ("PUT", "channels/{channel_id}/thread-members/{user_id}"): _adding,
        ("POST", "webhooks/{webhook_id}/{token}"): _after(_no_followup_to_deferred),
        ("PATCH", "webhooks/{webhook_id}/{token}/messages/@original"): _after(_files_listed),
        ("PATCH", "webhooks/{webhook_id}/{token}/messages/{message_id}"): _after(_files_listed),
    }
    for method in {method for method, _ in stricter}:
        routes = [
            (template, stricter.get((method, "/".join(template)), _unchanged)(handler))
            for template, handler in router._ROUTES[method]
        ]
        patch.setitem(router._ROUTES, method, routes)


def _unchanged(handler: Handler) -> Handler:
    return handler


def _after(*checks: Refused) -> Callable[[Handler], Handler]:
    """Return a decorator that runs these checks before a handler."""

    def wrapped(handler: Handler) -> Handler:
        def checked(ctx: RequestContext) -> Any:
            for check in checks:
                check(ctx)
            return handler(ctx)

        return checked

    return wrapped


# --- clients --------------------------------------------------------------------------------------


def _sent_by_clients(used: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """Raise `SetupError` for requests that web and mobile clients do not send.

    In an archived thread these clients first open the thread, which only its members may do (#8474,
    reported; topics/threads.mdx, "Editing & Deleting Threads").
    """

    async def sent(member: MemberActor, message: ResponseMessage, *given: Any, **named: Any) -> Any:
        channel = member._env.backend.get_channel(message._message.channel_id)
        metadata = channel.thread_metadata
        if metadata is not None and metadata.archived and member.id not in channel.thread_members:
            raise SetupError(f"{member.name} is no member of this archived thread")
        return await used(member, message, *given, **named)

    return sent


# --- threads --------------------------------------------------------------------------------------

_server_payload = serializers.guild_create_payload


def _without_archived_threads(backend: Backend, guild: Any) -> Any:
    """List only active threads of a guild (topics/threads.mdx, "Gateway Events")."""
    payload: dict[str, Any] = dict(_server_payload(backend, guild))
    threads = [t for t in payload["threads"] if not t["thread_metadata"]["archived"]]
    return {**payload, "threads": threads}


def _adding(handler: Handler) -> Handler:
    """Post the notice about a new thread member (topics/threads.mdx, "New Message Types")."""

    def added(ctx: RequestContext) -> Any:
        _thread_open(ctx)
        backend, thread_id, user_id = ctx.backend, ctx.int_arg("channel_id"), ctx.int_arg("user_id")
        is_new = user_id not in backend.get_thread(thread_id).thread_members
        answer = handler(ctx)
        if is_new:
            kind, bot_id = MessageType.RECIPIENT_ADD, backend.bot_user.id
            backend.create_system_message(thread_id, kind, bot_id, recipient_id=user_id)
        return answer

    return added


# --- attachments ----------------------------------------------------------------------------------

_plain_payload = serializers.message_payload


def _without_shown_files(backend: Backend, message: Any, **given: Any) -> Any:
    """List only files that no component refers to (resources/message.mdx, "attachments"; #8277).

    The id of a picture is in its gallery item (components/reference.mdx, "Unfurled Media Item").
    """
    payload = _plain_payload(backend, message, **given)
    shown = set(_shown_files(payload["components"]))
    listed = [file for file in payload["attachments"] if str(file["id"]) not in shown]
    return {**payload, "attachments": listed}


def _shown_files(components: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the ids of the attachments that these components show."""
    for component in components:
        items = [component, *component.get("items", ())]
        media = [item.get("media") or item.get("file") or {} for item in items]
        yield from (str(found["attachment_id"]) for found in media if "attachment_id" in found)
        yield from _shown_files(component.get("components", ()))


def _files_listed(ctx: RequestContext) -> None:
    """Refuse an edit that adds files without listing them.

    It would remove the older files (#5170, API v10), which is never intended.
    """
    if ctx.files and "attachments" not in (ctx.json or {}):
        raise BackendError(400, 50035, "Invalid Form Body: attachments: a new file is not listed")


def _may_attach(ctx: RequestContext) -> None:
    """Refuse files in a channel without Attach Files (topics/permissions.mdx)."""
    if ctx.files and ctx.backend.get_channel(ctx.int_arg("channel_id")).guild_id is not None:
        ctx.require_channel_permissions(ctx.int_arg("channel_id"), "attach_files")


# --- answers to interactions ----------------------------------------------------------------------


def _answering(handler: Handler) -> Handler:
    """Remove the files on UPDATE_MESSAGE without a list of attachments (#6277, reported)."""

    def answered(ctx: RequestContext) -> Any:
        body = ctx.json or {}
        if body.get("type") == CallbackType.UPDATE_MESSAGE and not ctx.files:
            ctx.json = {**body, "data": {"attachments": [], **(body.get("data") or {})}}
        return handler(ctx)

    return answered


def _no_followup_to_deferred(ctx: RequestContext) -> None:
    """Record a follow-up that completes a deferred answer, which is deprecated.

    `@original` should be edited (interactions/receiving-and-responding.mdx, "Create Followup").
    """
    backend, token = ctx.backend, ctx.args["token"]
    if token in backend.interaction_tokens and backend.interaction_by_token(token).loading:
        strictness(backend).breaches.append("a follow-up has completed a deferred answer")


# --- messages of channels -------------------------------------------------------------------------


def _creating(handler: Handler) -> Handler:
    """Check a new message: files, nonces, closed threads."""

    def created(ctx: RequestContext) -> Any:
        body, known = ctx.json or {}, strictness(ctx.backend).created
        nonce = str(body["nonce"]) if body.get("enforce_nonce") else None
        if len(str(body.get("nonce") or "")) > LONGEST_NONCE:
            raise BackendError(400, 50035, "Invalid Form Body: nonce")
        if nonce in known and ctx.backend.clock.now() - known[nonce].at <= NONCE_KNOWN_FOR:
            return _created_before(ctx, known[nonce])
        _may_attach(ctx)
        _open_thread(ctx)
        answer = handler(ctx)
        if nonce is not None:
            channel_id, message_id = ctx.int_arg("channel_id"), int(answer["id"])
            known[nonce] = _Created(channel_id, message_id, ctx.backend.clock.now())
        return answer

    return created


def _created_before(ctx: RequestContext, before: _Created) -> Any:
    """Return the message that was created with the same nonce.

    If it was deleted meanwhile that is 404/10008, by design (#6647).
    """
    message = ctx.backend.messages.get(before.channel_id, {}).get(before.message_id)
    if message is None:
        raise BackendError(404, 10008, "Unknown Message")
    return dict(serializers.message_payload(ctx.backend, message))


def _thread_open(ctx: RequestContext) -> None:
    """Refuse edits and new members in an archived thread.

    The code is 50083 (topics/opcodes-and-status-codes.mdx, topics/threads.mdx).
    """
    metadata = ctx.backend.get_channel(ctx.int_arg("channel_id")).thread_metadata
    if metadata is not None and metadata.archived:
        raise BackendError(400, 50083, "Thread is archived")


def _open_thread(ctx: RequestContext) -> None:
    """Open an archived thread for a message (topics/threads.mdx), unless it is locked (160005)."""
    backend = ctx.backend
    channel = backend.get_channel(ctx.int_arg("channel_id"))
    metadata = channel.thread_metadata
    if metadata is None or not metadata.archived:
        return
    assert channel.guild_id is not None
    may = backend.compute_permissions(channel.guild_id, backend.bot_user.id, channel.id)
    if metadata.locked and not may & _MANAGE_THREADS:
        raise BackendError(403, 160005, "Thread is locked")
    backend.edit_channel(channel.id, {}, thread_metadata={"archived": False})


def _not_too_old(ctx: RequestContext) -> None:
    """Refuse many edits of messages that are older than an hour.

    The code is 30046 (topics/opcodes-and-status-codes.mdx) with the status 429 (reported).
    """
    channel_id, now = ctx.int_arg("channel_id"), ctx.backend.clock.now()
    message = ctx.backend.messages.get(channel_id, {}).get(ctx.int_arg("message_id"))
    if message is None or now - datetime.fromisoformat(message.timestamp) <= OLD:
        return
    edits = strictness(ctx.backend).old_edits[channel_id]
    while edits and now - edits[0] > OLD_EDITS_IN:
        edits.popleft()
    if len(edits) >= OLD_EDITS:
        raise BackendError(429, 30046, "Maximum number of edits to messages older than 1 hour")
    edits.append(now)
