"""Users in a SimCord world: clicks and visible messages for the Discord tests.

A control is found by its function, never by its label: by the verb in its id and, where several
have the same verb, by its arguments or their end. So texts may change without a test:

    await ada.press(Verb.JOIN)                       # on the newest message that Ada sees with it
    await ada.press(Verb.REPLAY, ".on", on=page)     # the one whose arguments end so, on this page
    await ada.choose(Verb.SWAP, "0", "2", on=page)   # values of a select, not their labels
    ada.sees(Verb.START)                             # may Ada press it?
    has(page, Verb.START), verbs(page)               # controls that a page offers now
    with_verb(page, Verb.GIFT)                       # those controls: their arguments and options

Only enabled controls can be pressed and count as offered; `controls` returns all of them. Of a page
a test reads the values, not the text around them:

    assert shown(page, "Ada", "Ben", "Cai") == ["Ben", "Ada"]      # which of them, in what order
    assert numbers(line_with(page, "Ben")) == [1, 100, 340]        # the numbers of one line
    assert rows(page)[-1] == ["40", "-1240", "4940"]               # a table, row by row

Only the tests of texts (`tests/bot/text`) compare sentences. This module knows messages, controls,
requests and locales, but no game.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

import discord
from simcord import (
    ChannelHandle,
    Env,
    GuildHandle,
    HttpLogEntry,
    InteractionResult,
    MemberActor,
    ResponseMessage,
    SetupError,
)
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from cogs.pages.verbs import Verb

T = TypeVar("T")
_NUMBER = re.compile(r"(?<![\w.,])[-+−]?\d[\d,]*(?:\.\d+)?")
_BLOCK = re.compile(r"```\w*\n(.*?)\n?```", re.DOTALL)
_MARKUP = re.compile(r"<[^<>\s]*>")  # emojis, mentions, timestamps: their ids are no numbers
_BUTTON = 2
_SELECTS = (3, 5, 6, 7, 8)
_TEXT = 10
_EPHEMERAL = 1 << 6

PATIENCE = 3600.0
"""Real seconds that SimCord waits at most for the bot to settle, enough for any machine."""


@dataclass(frozen=True)
class Option:
    """An option of a select: label, value and description."""

    label: str
    value: str
    description: str
    emoji: str


@dataclass(frozen=True)
class Control:
    """A visible button or select; `label` of a select is its placeholder."""

    label: str
    custom_id: str
    enabled: bool
    emoji: str = ""
    options: tuple[Option, ...] = ()
    least: int = 1
    most: int = 1
    url: str = ""

    @property
    def is_select(self) -> bool:
        """Return whether it is a select and not a button."""
        return bool(self.options)

    @property
    def verb(self) -> str:
        """The verb in its id; empty for a link."""
        return self.custom_id.rpartition(":")[0].rpartition(":")[2]

    @property
    def args(self) -> str:
        """The arguments: the last part of its id."""
        return self.custom_id.rpartition(":")[2]


@dataclass(frozen=True)
class Sent:
    """A request of the bot; `reader` is the only user who can see it, `None` is the channel."""

    at: datetime
    method: str
    path: str
    body: Any
    reader: int | None


def _walk(components: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    for component in components:
        yield component
        yield from _walk(component.get("components") or ())
        if isinstance(component.get("accessory"), Mapping):
            yield from _walk((component["accessory"],))


def _parts(message: ResponseMessage) -> Iterator[Mapping[str, Any]]:
    """Yield every component of a message, without the copies of `message.components`."""
    return _walk(message._message.components)


def _emoji(part: Mapping[str, Any]) -> str:
    emoji = part.get("emoji") or {}
    return str(emoji.get("name") or "")


def texts(message: ResponseMessage) -> list[str]:
    """Return all texts of a message in reading order: content and text displays."""
    found = [message.content] if message.content else []
    found += [str(c["content"]) for c in _parts(message) if c.get("type") == _TEXT]
    return found


def text(message: ResponseMessage) -> str:
    """Return all text of a message as one string, one text display per line."""
    return "\n".join(texts(message))


def private(result: InteractionResult) -> str:
    """Return the text of the private answer to a click or command."""
    answers = [result.response, *result.followups]
    (answer,) = [answer for answer in answers if answer is not None and answer.ephemeral]
    return text(answer)


def controls(message: ResponseMessage) -> list[Control]:
    """Return all buttons and selects in reading order, including disabled ones and links."""
    found: list[Control] = []
    for part in _parts(message):
        custom_id, enabled = str(part.get("custom_id") or ""), not part.get("disabled")
        if part.get("type") == _BUTTON:
            label, url = str(part.get("label") or ""), str(part.get("url") or "")
            found.append(Control(label, custom_id, enabled, _emoji(part), url=url))
        elif part.get("type") in _SELECTS:
            options = tuple(
                Option(o["label"], o["value"], o.get("description") or "", _emoji(o))
                for o in part.get("options") or ()
            )
            label = str(part.get("placeholder") or "")
            least, most = int(part.get("min_values") or 1), int(part.get("max_values") or 1)
            found.append(Control(label, custom_id, enabled, "", options, least, most))
    return found


def enabled(message: ResponseMessage) -> list[Control]:
    """Return the enabled controls of a message in reading order, without links."""
    return [c for c in controls(message) if c.enabled and c.custom_id]


def with_verb(message: ResponseMessage, *wanted: Verb) -> list[Control]:
    """Return the enabled controls with one of these verbs, in reading order."""
    return [c for c in enabled(message) if c.verb in wanted]


def verbs(message: ResponseMessage) -> list[str]:
    """Return the verbs of all enabled controls of a message, in reading order."""
    return [c.verb for c in enabled(message)]


def has(message: ResponseMessage, *wanted: Verb) -> bool:
    """Return whether a message has an enabled control with one of these verbs."""
    return bool(with_verb(message, *wanted))


def find(message: ResponseMessage, verb: Verb, args: str = "") -> Control:
    """Return the one enabled control with this verb whose arguments are or end with `args`.

    Raises SetupError if there is none or if several match: a test must be unambiguous.
    """
    fitting = [c for c in with_verb(message, verb) if c.args.endswith(args)]
    exact = [c for c in fitting if c.args == args]
    if len(exact or fitting) != 1:
        ids = [c.custom_id for c in controls(message)]
        raise SetupError(f"not one control {verb!r} {args!r} among {ids}")
    return (exact or fitting)[0]


# --- Values of a page -------------------------------------------------------------------------


def shown(page: ResponseMessage | str, *values: str) -> list[str]:
    """Return the shown ones of these values in reading order, with repetitions.

    A value is a whole word: "Ben" is not in "Benno". Of overlapping values the longest counts.
    """
    longest_first = sorted(values, key=len, reverse=True)
    either = "|".join(map(re.escape, longest_first))
    return re.findall(rf"(?<!\w)(?:{either})(?!\w)", _text_of(page)) if values else []


def numbers(page: ResponseMessage | str) -> list[float]:
    """Return the numbers on a page in reading order; 1,234 is one number, a mention is none."""
    found = _NUMBER.findall(_MARKUP.sub(" ", _text_of(page)))
    return [float(number.replace(",", "").replace("−", "-")) for number in found]


def line_with(page: ResponseMessage | str, *values: str) -> str:
    """Return the only line of a page that shows all these values; else raise SetupError."""
    lines = [line for line in _text_of(page).splitlines() if set(values) <= {*shown(line, *values)}]
    if len(lines) != 1:
        raise SetupError(f"{len(lines)} lines show {values}: {lines}")
    return lines[0]


def rows(page: ResponseMessage | str) -> list[list[str]]:
    """Return the words of each row of the table in the page's only code block."""
    blocks = _BLOCK.findall(_text_of(page))
    if len(blocks) != 1:
        raise SetupError(f"there are {len(blocks)} blocks with a table")
    return [line.split() for line in blocks[0].splitlines()]


def _text_of(page: ResponseMessage | str) -> str:
    return page if isinstance(page, str) else text(page)


def shown_files(message: ResponseMessage) -> list[str]:
    """Return the names of the files in a message's galleries."""
    named = {str(file["id"]): file["filename"] for file in message._message.attachments}
    items = [item for part in _walk(message._message.components) for item in part.get("items", ())]
    return [named[str(item["media"]["attachment_id"])] for item in items]


def messages(env: Env, channel: ChannelHandle, viewer: int | None = None) -> list[ResponseMessage]:
    """Return the messages that a user (`None`: the public) sees in a channel, oldest first."""
    stored = sorted(env.backend.messages.get(channel.id, {}).values(), key=lambda m: m.id)
    return [ResponseMessage(env, m) for m in stored if m.visible_to(viewer)]


class Person:
    """A member in one channel, who finds controls by their function.

    For a thread, make another Person of the same member with the thread as the channel.
    """

    def __init__(self, env: Env, member: MemberActor, channel: ChannelHandle) -> None:
        self.env = env
        self.member = member
        self.channel = channel

    @property
    def id(self) -> int:
        """The user id."""
        return self.member.id

    def private(self) -> list[ResponseMessage]:
        """Return the ephemeral messages only this person sees, oldest first."""
        return [m for m in messages(self.env, self.channel, self.id) if m.ephemeral]

    def public(self) -> list[ResponseMessage]:
        """Return the messages everybody in the channel sees, oldest first."""
        return messages(self.env, self.channel)

    def latest_private(self, containing: str = "") -> ResponseMessage:
        """Return the newest ephemeral message, or the newest whose text has `containing`.

        Raises SetupError if there is none.
        """
        for message in reversed(self.private()):
            if containing in text(message):
                return message
        raise SetupError(f"{self.member.name} has no private message with {containing!r}")

    def sees(self, verb: Verb) -> bool:
        """Return whether a visible message has an enabled control with this verb."""
        return any(has(message, verb) for message in messages(self.env, self.channel, self.id))

    def holding(self, verb: Verb) -> ResponseMessage:
        """Return the newest visible message with an enabled control of this verb.

        Raises SetupError if there is none.
        """
        for message in reversed(messages(self.env, self.channel, self.id)):
            if has(message, verb):
                return message
        raise SetupError(f"{self.member.name} sees no control {verb!r}")

    async def slash(self, name: str, **options: Any) -> InteractionResult:
        """Run a slash command, e.g. `slash("group sub", number=3)`."""
        return await self.member.slash(self.channel, name, **options)

    async def press(
        self, verb: Verb, args: str = "", *, on: ResponseMessage | None = None
    ) -> InteractionResult:
        """Press the button with this verb whose arguments are or end with `args`.

        The default message is the newest with such a verb. Raises SetupError if the button is
        missing or disabled, as a real user could not press it.
        """
        message = on or self.holding(verb)
        return await self.member.click(message, custom_id=find(message, verb, args).custom_id)

    async def choose(
        self, verb: Verb, *values: str, args: str = "", on: ResponseMessage | None = None
    ) -> InteractionResult:
        """Choose options by their values in the select with this verb, found as by `press`."""
        message = on or self.holding(verb)
        select = find(message, verb, args)
        return await self.member.select(message, values, custom_id=select.custom_id)

    async def submit(self, opened: InteractionResult, **values: object) -> InteractionResult:
        """Submit the form that a click has opened.

        `values` replace the preselected values of the inputs with these names: a value or a list.
        """
        assert opened.modal is not None
        inputs = [label["component"] for label in opened.modal["components"]]
        preselected = {
            each["custom_id"]: [o["value"] for o in each["options"] if o.get("default")]
            for each in inputs
        }
        chosen = {name: [v] if isinstance(v, str) else v for name, v in values.items()}
        return await self.member.submit_modal(opened, {**preselected, **chosen})


async def _no_settling(**_: Any) -> None:
    """Replace the settling of an action without yielding to the event loop."""


async def fire_all(env: Env, actions: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Let many people act at the same instant, then settle once.

    `actions` are un-awaited coroutines of `Person` or `MemberActor` (clicks, choices, commands).
    Nothing of the bot runs between them, so each is aimed at the world before the first. Returns
    their results, which are complete by then.
    """
    settle = env._settle_internal
    env._settle_internal = _no_settling  # type: ignore[method-assign]
    try:
        results = [await action for action in actions]
    finally:
        env._settle_internal = settle  # type: ignore[method-assign]
    await env.settle()
    return results


def quicken(env: Env, idle: float = 0.001) -> None:
    """Make every settling of `env` patient, and check again after `idle` seconds instead of 50 ms.

    Virtual time is not changed. Called before the start, it also replaces the start's limit of five
    seconds, which a busy machine may need.
    """
    settle = env._settle_internal

    async def quick(**options: Any) -> None:
        if options.get("idle", 0.05) == 0.05:
            options["idle"] = idle
        options.pop("timeout", None)
        deadline = options.pop("_deadline", None) or asyncio.get_running_loop().time() + PATIENCE
        await settle(**options, _deadline=deadline)

    env._settle_internal = quick  # type: ignore[method-assign]


def virtual_sleep(_: object = None) -> Callable[[float], Coroutine[Any, Any, None]]:
    """Return a sleep for the bot's clock that only `env.advance_time` ends.

    Clicks never wait for it. It finds the world of the sleeping task itself, so the bot can be
    built before the world.
    """

    async def sleep(seconds: float) -> None:
        await from_outside(asyncio.sleep(seconds), "the clock of the bot")

    return sleep


async def from_outside(awaited: Awaitable[T], what: str) -> T:
    """Wait, as the bot, for an outside result, which settling does not wait for."""
    from simcord._runtime import _BOT_SCOPE

    scope = _BOT_SCOPE.get()
    assert scope is not None, "only the bot waits for what comes from outside"
    came: T = await scope[0].external_wait(awaited, reason=what)
    return came


def speak(env: Env, languages: Mapping[int, str]) -> None:
    """Give users their own client language (user id -> locale, e.g. "de"; others "en-US").

    The guild's language becomes the `preferred_locale` of its creation. `languages` is read at each
    interaction, so it may be changed later. Survives `env.restart_bot`.
    """
    emit = env.backend.emit

    def localised(event: str, payload: Mapping[str, Any]) -> None:
        if event == "INTERACTION_CREATE":
            user = (payload.get("member") or payload)["user"]
            payload = {**payload, "locale": languages.get(int(user["id"]), "en-US")}
            if "guild_id" in payload:
                guild = env.backend.get_guild(int(payload["guild_id"]))
                payload["guild_locale"] = guild.preferred_locale
        emit(event, payload)

    env.backend.emit = localised  # type: ignore[method-assign]


def deny(env: Env, channel: ChannelHandle, user_id: int, *permissions: str) -> None:
    """Deny a user channel permissions (`"send_messages"`, ...); with none, restore all."""
    lost = discord.Permissions(**dict.fromkeys(permissions, True)).value
    overwrite = Overwrite(user_id, OverwriteType.MEMBER, allow=0, deny=lost)
    env.backend.set_overwrite(channel.id, overwrite)


def requests_since(env: Env, cursor: int) -> list[HttpLogEntry]:
    """Return the bot's requests after the first `cursor` ones (`len(env.http_requests)` before)."""
    return env.http_requests[cursor:]


class Wire(list[HttpLogEntry]):
    """All requests of the bot with their readers; replaces the request log of `env`.

    `sent` grows from the moment of construction. The reader is determined when the request is made,
    so it stays right when the message is deleted later.
    """

    def __init__(self, env: Env) -> None:
        super().__init__(env.http_requests)
        self.env = env
        self.sent: list[Sent] = []
        env.backend.http_requests = self

    def append(self, entry: HttpLogEntry, /) -> None:
        """Record one request."""
        super().append(entry)
        reader = self._reader(entry)
        self.sent.append(Sent(self.env.now(), entry.method, entry.path, entry.json, reader))

    def _reader(self, entry: HttpLogEntry) -> int | None:
        backend, parts = self.env.backend, entry.path.strip("/").split("/")
        body = entry.json if isinstance(entry.json, dict) else {}
        if parts[0] == "interactions":
            record = backend.interactions.get(int(parts[1]))
            data, target = body.get("data") or {}, None
            if record is not None and body.get("type") in (6, 7):
                target = record.source_message_id
            elif body.get("type") in (8, 9):  # autocomplete choices and modals: one reader
                data = {"flags": _EPHEMERAL}
        elif parts[0] == "webhooks" and len(parts) > 2:
            record = backend.interactions.get(backend.interaction_tokens.get(parts[2], 0))
            data, target = body, None
            if record is not None and (len(parts) > 4 or record.loading):
                name = parts[4] if len(parts) > 4 else "@original"
                target = record.message_id if name == "@original" else int(name)
        else:
            return None
        if record is None:
            return None
        if target is None:
            return record.user_id if int(data.get("flags") or 0) & _EPHEMERAL else None
        message = backend.messages.get(record.channel_id, {}).get(target)
        if message is None:  # deleted, and the edit is refused: nobody else has seen it
            return record.user_id
        return record.user_id if message.is_ephemeral else None


def newcomers(env: Env, guild: GuildHandle, channel: ChannelHandle, *names: str) -> list[Person]:
    """Create members of a guild with these display names, as people in `channel`."""
    people = []
    for name in names:
        user = env.create_user(name.lower().replace(" ", "_"), global_name=name)
        people.append(Person(env, guild.add_member(user), channel))
    return people
