"""Places that SimCord does not have: servers without the bot, groups, and user installs.

`know_places` adds them with their rules to the worlds of a test; it comes after `be_strict`. Facts
are cited from Discord's documentation (discord/discord-api-docs, under `developers/`). Unknown
there: the status of an answer with the code 40094, and `app_permissions` in a server without the
bot, which the bot must not use (#7251).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import discord
import pytest
from simcord import ChannelHandle, Env, GuildHandle
from simcord import actors as simcord_actors
from simcord import interactions as simcord_interactions
from simcord.actors import MemberActor
from simcord.backend import Backend, access, command_access
from simcord.backend.errors import BackendError
from simcord.backend.models import EPHEMERAL_FLAG, Interaction
from simcord.backend.ops import base, commands
from simcord.builders import UserHandle
from simcord.enums import CallbackType, ChannelType
from simcord.gateway import FakeGateway
from simcord.http import router
from simcord.http.router import Handler, RequestContext

from tests.strict_discord import strictness

FOLLOW_UPS = 5
"""Number of follow-ups to an interaction where only its user has the app installed."""
GUILD, BOT_DM, PRIVATE_CHANNEL = range(3)
"""Interaction contexts (interactions/receiving-and-responding.mdx)."""
GUILD_INSTALL, USER_INSTALL = range(2)
"""Installation contexts (resources/application.mdx)."""
_FAR = 1 << 30
"""Distance of ids that SimCord does not give by itself."""
_GROUP = discord.ChannelType.group.value
_EXTERNAL_APPS = discord.Permissions.use_external_apps.flag
_PUBLIC = discord.Permissions.send_messages.flag | _EXTERNAL_APPS
_IN_PRIVATE = discord.Permissions(attach_files=True, embed_links=True, mention_everyone=True)


class Places:
    """Servers without the bot, and users with the app, of one simulated Discord."""

    def __init__(self) -> None:
        self.foreign: set[int] = set()
        self.installed: set[int] = set()


_known: WeakKeyDictionary[Backend, Places] = WeakKeyDictionary()


def _places(backend: Backend) -> Places:
    return _known.setdefault(backend, Places())


def install(env: Env, user_id: int) -> None:
    """Install the app for a user."""
    _places(env.backend).installed.add(user_id)


def foreign_server(env: Env, name: str, *, external_apps: bool = True) -> GuildHandle:
    """Create a server without the bot; its members may use external apps in public or not.

    The bot hears nothing of it (events/gateway-events.mdx, "Guild Create"), and may do nothing
    there, because it is no member.
    """
    backend = env.backend
    guild_id = backend.snowflake() + _FAR
    _places(backend).foreign.add(guild_id)
    guild, stored = env.create_guild(name, id=guild_id), backend.guilds[guild_id]
    del stored.members[backend.bot_user.id]
    everyone = stored.everyone_role
    everyone.permissions &= ~_EXTERNAL_APPS
    if external_apps:
        everyone.permissions |= _EXTERNAL_APPS
    return guild


def group(env: Env, *users: UserHandle) -> ChannelHandle:
    """Create a group conversation of these users, without the bot."""
    channel = env.backend.create_channel(None, None, type=ChannelType.DM)
    channel.type, channel.name = _GROUP, "Friends"
    channel.recipient_ids = [user.id for user in users]
    return ChannelHandle(env, None, channel)


class Visitor(MemberActor):
    """A user in a direct message or a group, in place of a member of a server."""

    def __init__(self, env: Env, user: UserHandle) -> None:
        self._env = env
        self.guild: Any = None
        self.user = user

    def _check(self, channel: ChannelHandle, *permissions: str) -> None:
        """Check no permissions; `_channel_accessible` is asked in any case."""


def know_places(patch: pytest.MonkeyPatch) -> None:
    """Add the places and their rules to every simulated Discord of this process."""
    patch.setattr(FakeGateway, "feed", _feed)
    patch.setattr(simcord_interactions, "base_payload", _payload)
    for module in (simcord_actors, commands):
        patch.setattr(module, "command_access", _command_access)
    for module in (access, base, simcord_interactions):
        patch.setattr(module, "channel_accessible", _channel_accessible)
    stricter: dict[tuple[str, str], Callable[[Handler], Handler]] = {
        ("GET", "oauth2/applications/@me"): _configured,
        ("POST", "interactions/{interaction_id}/{token}/callback"): _answering,
        ("POST", "webhooks/{webhook_id}/{token}"): _following_up,
    }
    for method in ("GET", "POST"):
        routes = []
        for template, handler in router._ROUTES[method]:
            wrap = stricter.get((method, "/".join(template)))
            routes.append((template, handler if wrap is None else wrap(handler)))
        patch.setitem(router._ROUTES, method, routes)


# --- events ---------------------------------------------------------------------------------------

_feed_all = FakeGateway.feed


def _feed(gateway: FakeGateway, event: str, payload: Mapping[str, Any]) -> None:
    """Deliver an event, unless it is one of a place without the bot; interactions always are."""
    backend = gateway._backend
    guild_id = payload.get("guild_id") or (payload["id"] if event.startswith("GUILD_") else 0)
    channel = backend.channels.get(int(payload.get("channel_id") or 0))
    is_outside = int(guild_id) in _places(backend).foreign or (
        channel is not None and channel.type == _GROUP
    )
    if event == "INTERACTION_CREATE" or not is_outside:
        _feed_all(gateway, event, payload)


_base_payload = simcord_interactions.base_payload


def _payload(
    backend: Backend, *, guild_id: int | None, user_id: int, channel_id: int, **given: Any
) -> tuple[Interaction, dict[str, Any]]:
    """Add where an interaction comes from (interactions/receiving-and-responding.mdx).

    The fields are `authorizing_integration_owners`, `context`, `guild`, and `app_permissions`.
    """
    record, payload = _base_payload(
        backend, guild_id=guild_id, user_id=user_id, channel_id=channel_id, **given
    )
    owners: dict[str, str] = {}
    if GUILD_INSTALL in _installs(backend, record):
        owners[str(GUILD_INSTALL)] = str(guild_id or 0)
    if USER_INSTALL in _installs(backend, record):
        owners[str(USER_INSTALL)] = str(user_id)
    payload |= {"authorizing_integration_owners": owners, "context": _context(backend, channel_id)}
    if guild_id is not None:
        guild = backend.get_guild(guild_id)
        payload["guild"] = {"id": str(guild_id), "locale": guild.preferred_locale, "features": []}
        if guild_id in _places(backend).foreign:
            payload["app_permissions"] = payload["member"]["permissions"]
    else:
        allowed = discord.Permissions(_IN_PRIVATE.value)
        allowed.use_external_emojis = payload["context"] == BOT_DM
        payload["app_permissions"] = str(allowed.value)
    return record, payload


def _context(backend: Backend, channel_id: int) -> int:
    """Return the interaction context of a channel."""
    channel = backend.get_channel(channel_id)
    if channel.guild_id is not None:
        return GUILD
    return PRIVATE_CHANNEL if channel.type == _GROUP else BOT_DM


def _installs(backend: Backend, record: Interaction) -> set[int]:
    """Return the installation contexts that authorize an interaction."""
    places, found = _places(backend), set[int]()
    is_private = _context(backend, record.channel_id) == PRIVATE_CHANNEL
    if not is_private and record.guild_id not in places.foreign:
        found.add(GUILD_INSTALL)
    if record.user_id in places.installed:
        found.add(USER_INSTALL)
    return found


# --- access ---------------------------------------------------------------------------------------

_accessible = access.channel_accessible


def _channel_accessible(
    backend: Backend, channel_id: int, viewer_id: int, *, history: bool = False
) -> bool:
    """Return whether a user, or the bot, can see a channel: a group only its recipients."""
    channel = backend.channels.get(channel_id)
    if channel is not None and channel.type == _GROUP:
        return viewer_id in channel.recipient_ids
    return _accessible(backend, channel_id, viewer_id, history=history)


_access = command_access.command_access


def _command_access(
    backend: Backend, command: dict[str, Any], *, user_id: int, channel_id: int
) -> command_access.Access:
    """Return whether a user is offered a command in a channel.

    The command must allow the context and one of the installations there
    (interactions/application-commands.mdx, "Contexts").
    """
    context, places = _context(backend, channel_id), _places(backend)
    guild_id = backend.get_channel(channel_id).guild_id
    allowed = command.get("integration_types") or [GUILD_INSTALL]
    by_user = USER_INSTALL in allowed and user_id in places.installed
    by_guild = GUILD_INSTALL in allowed and context != PRIVATE_CHANNEL
    if guild_id in places.foreign:
        by_guild = False
    contexts = command.get("contexts")
    if (contexts is not None and context not in contexts) or not (by_user or by_guild):
        return command_access.Access(allowed=False, reason="context")
    if by_guild:
        return _access(backend, command, user_id=user_id, channel_id=channel_id)
    return command_access.Access(allowed=True, reason=None)


# --- answers --------------------------------------------------------------------------------------


def _configured(handler: Handler) -> Handler:
    """Allow both installation contexts (resources/application.mdx, "Application Object")."""

    def configured(ctx: RequestContext) -> Any:
        return {**handler(ctx), "integration_types_config": {"0": {}, "1": {}}}

    return configured


def _is_by_user_alone(ctx: RequestContext, record: Interaction) -> bool:
    return _installs(ctx.backend, record) == {USER_INSTALL}


def _may_post(ctx: RequestContext, record: Interaction) -> bool:
    """Return whether a public first answer stays public.

    In a server without the bot its user needs Use External Apps (topics/permissions.mdx) and Send
    Messages (resources/application.mdx, "User Context").
    """
    if record.guild_id is None:
        return True
    allowed = ctx.backend.compute_permissions(record.guild_id, record.user_id, record.channel_id)
    return allowed & _PUBLIC == _PUBLIC


def _make_private(ctx: RequestContext, body: dict[str, Any]) -> dict[str, Any]:
    """Return the body of a private message, and record that it was meant to be public.

    Discord does that silently. The bot must know it before, to tell the user.
    """
    flags = int(body.get("flags") or 0)
    if flags & EPHEMERAL_FLAG:
        return body
    strictness(ctx.backend).breaches.append("Discord has made a public answer private")
    return {**body, "flags": flags | EPHEMERAL_FLAG}


def _answering(handler: Handler) -> Handler:
    """Make public answers private where the user may not post."""
    new = (
        CallbackType.CHANNEL_MESSAGE_WITH_SOURCE,
        CallbackType.DEFERRED_CHANNEL_MESSAGE_WITH_SOURCE,
    )

    def answered(ctx: RequestContext) -> Any:
        record = ctx.backend.interactions.get(ctx.int_arg("interaction_id"))
        body = ctx.json or {}
        if record is None or body.get("type") not in new:
            return handler(ctx)
        if _is_by_user_alone(ctx, record) and not _may_post(ctx, record):
            ctx.json = {**body, "data": _make_private(ctx, body.get("data") or {})}
        return handler(ctx)

    return answered


def _following_up(handler: Handler) -> Handler:
    """Limit the follow-ups where only the user has the app.

    There may be five (interactions/receiving-and-responding.mdx, "Create Followup Message"), then
    the code is 40094 (topics/opcodes-and-status-codes.mdx). In direct messages they are private
    (change-log.mdx, "User-Installable Apps Preview").
    """

    def followed_up(ctx: RequestContext) -> Any:
        backend, token = ctx.backend, ctx.args["token"]
        if token in backend.interaction_tokens:
            record = backend.interaction_by_token(token)
            if _is_by_user_alone(ctx, record) and not record.loading:
                if len(record.followup_ids) >= FOLLOW_UPS:
                    raise BackendError(400, 40094, "Maximum number of follow up messages")
                if record.guild_id is None or not _may_post(ctx, record):
                    ctx.json = _make_private(ctx, ctx.json or {})
        return handler(ctx)

    return followed_up
