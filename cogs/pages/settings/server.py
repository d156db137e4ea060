"""The pages of ``/tichu settings`` for managers of the server: Tables, People and Look.

The fourth one, Defaults, is in `server_defaults.py`. Each setting shows its current effect.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import discord

from bot.ids import ChannelId, RoleId
from bot.records import ServerSettings
from bot.table.options import TableOptions
from bot.table.server_options import WITH_PAUSED
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.people import channel_mention, role_mention
from cogs.pages.controls import (
    MOST_CHOSEN,
    POSTABLE,
    Controls,
    Page,
    Part,
    line,
    option,
    row,
    text,
)
from cogs.pages.settings.card_styles import card_select, card_styles
from cogs.pages.settings.languages import language_select
from cogs.pages.settings.sections import ServerSection, section_buttons
from cogs.pages.verbs import Verb

_CONTROLS = Controls()
_KINDS = (
    *POSTABLE,
    discord.ChannelType.voice,
    discord.ChannelType.stage_voice,
    discord.ChannelType.forum,
)
"""The channels in which, or in whose threads, a table may be opened."""
BOT_DEFAULT = "usual"
"""The select's value for the bot's default."""
_TURN_BASED_EACH = (0, 1, 2, 3, 5, 10, 15, 20, 30, 50)
_COOLDOWNS_S = (600, 1800, 3600, 2 * 3600, 6 * 3600, 12 * 3600, 86400, 7 * 86400)
_NUDGES_S = (10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
"""Values that can be chosen with one tap."""


class RankingChannel(NamedTuple):
    """The channel of the monthly ranking; `trouble` is why the bot cannot write there."""

    channel_id: ChannelId | None = None
    trouble: str = ""


class ServerView(NamedTuple):
    """The facts about a server that the pages show."""

    settings: ServerSettings
    """The settings chosen by its managers."""
    options: TableOptions
    """The options of a table for which its host has chosen none."""
    most_each: int
    """The bot's limit of tables per person."""
    ranking: RankingChannel
    """The channel of the monthly ranking."""
    gone: frozenset[int] = frozenset()
    """The chosen channels and roles that no longer exist."""
    troubles: tuple[str, ...] = ()
    """Warnings for managers about channels and roles, in words."""


def server_page(section: ServerSection, speaker: Speaker, parts: Iterable[Part], note: str) -> Page:
    """Return a page of server settings; `note` is a refusal, if any."""
    say = speaker.say
    privacy_text = say("Only you see this.")
    words = [f"-# {_effect_text(section, say)} {privacy_text}", note]
    return Page(
        text("## " + say("Settings")),
        *section_buttons(section, say, manages=True),
        text("\n".join(filter(None, words))),
        *parts,
    )


def _effect_text(section: ServerSection, say: Say) -> str:
    """Return the sentence which says when choices on a page take effect."""
    if section == "people":
        return say("Invitation changes apply at once, the rest from the next table.")
    if section == "look":
        return say("Picture changes apply from the next table.")
    return say("Changes apply from the next table.")


# --- Tables --------------------------------------------------------------------------------------


def tables_page(view: ServerView, speaker: Speaker, note: str = "", page: int = 0) -> Page:
    """Return the settings for channels of tables and for hints.

    Each `page` (counted from 0) shows up to 25 channels. If all are full, one more page is empty,
    so that more channels can be chosen.
    """
    say, settings = speaker.say, view.settings
    hints = (
        say("Tables may have hints. Rounds with hints don't count towards ratings.")
        if settings.hints
        else say("No table may have hints.")
    )
    parts = [
        *_channels(view, page, say),
        line(),
        text("### " + say("Hints") + "\n" + hints),
        row(_CONTROLS.switch(Verb.SERVER_SET, say("Hints"), "hints", on=settings.hints)),
    ]
    return server_page("tables", speaker, parts, note)


def channel_pages(channels: Sequence[ChannelId]) -> int:
    """Return the number of pages of channels; the last one has room for another channel."""
    return len(channels) // MOST_CHOSEN + 1


def channels_on_page(channels: Sequence[ChannelId], page: int) -> Sequence[ChannelId]:
    """Return the channels on this page."""
    return channels[page * MOST_CHOSEN : (page + 1) * MOST_CHOSEN]


def channels_digest(channels: Sequence[ChannelId]) -> str:
    """Return 16 letters and digits that change when a page of channels does."""
    return hashlib.blake2b(repr(tuple(channels)).encode(), digest_size=8).hexdigest()


def _channels(view: ServerView, page: int, say: Say) -> list[Part]:
    """Return the allowed channels on one of their pages."""
    channels, pages = view.settings.channels, channel_pages(view.settings.channels)
    page = min(page, pages - 1)
    on_page = channels_on_page(channels, page)
    existing = [channel_id for channel_id in on_page if channel_id not in view.gone]
    gone_count = len(view.gone & {*channels})
    if not channels:
        lines = [say("Tables may be opened in every channel.")]
    else:
        lines = [
            say.many(
                "Tables may be opened in {n} channel and its threads, nowhere else.",
                "Tables may be opened in {n} channels and their threads, nowhere else.",
                len(channels),
            ),
            ", ".join(map(channel_mention, existing)),
        ]
    if gone_count:
        lines.append(say.many("⚠️ {n} of them is gone.", "⚠️ {n} of them are gone.", gone_count))
    lines += view.troubles
    parts = [
        text("\n".join(filter(None, ("### " + say("Channels"), *lines)))),
        _CONTROLS.channels(
            Verb.SERVER_CHANNELS,
            say("Channels where tables may be opened…"),
            existing,
            f"{page}.{channels_digest(on_page)}",
            kinds=_KINDS,
            least=0,
            most=MOST_CHOSEN,
        ),
    ]
    buttons = []
    if pages > 1:
        number = say("Page {page} of {pages}", page=page + 1, pages=pages)
        next_page = (page + 1) % pages
        buttons.append(_CONTROLS.button(Verb.SERVER, f"{number} ▶", f"tables.{next_page}"))
    if channels:
        buttons.append(_CONTROLS.button(Verb.SERVER_SET, say("All channels"), "channels.all"))
    return [*parts, row(*buttons)] if buttons else parts


# --- People --------------------------------------------------------------------------------------


def people_page(view: ServerView, speaker: Speaker, note: str = "") -> Page:
    """Return the settings for opening tables, their limits, invitations, and nudges."""
    say, settings = speaker.say, view.settings
    parts = [
        *_openers(view, say),
        *_limits(view, say),
        line(),
        *_invitations(view, say),
        line(),
        *_nudge(settings.nudge_s, say),
    ]
    return server_page("people", speaker, parts, note)


def _openers(view: ServerView, say: Say) -> list[Part]:
    role_id = view.settings.opener_role_id
    if role_id is None:
        current = say("Everyone may open tables.")
    elif role_id in view.gone:
        current = say("⚠️ The role that may open tables is gone: only server managers can.")
    else:
        current = say(
            "Only {role} and server managers may open tables.",
            role=role_mention(role_id),
        )
    return [
        text("### " + say("Opening tables") + "\n" + current),
        _CONTROLS.role(
            Verb.SERVER_ROLE, say("Only people with a role…"), _if_exists(role_id, view), "opener"
        ),
    ]


def _limits(view: ServerView, say: Say) -> list[Part]:
    settings, bot_limit = view.settings, view.most_each
    limit = bot_limit if settings.tables_each is None else min(settings.tables_each, bot_limit)
    live_text = say.many(
        "Each person may have {n} table open at a time, or {most} including paused ones.",
        "Each person may have {n} tables open at a time, or {most} including paused ones.",
        limit,
        most=WITH_PAUSED * limit,
    )
    turn_based_text = (
        say.many(
            "Turn-based tables are counted separately: {n} per person.",
            "Turn-based tables are counted separately: {n} per person.",
            settings.turn_based_each,
        )
        if settings.turn_based_each
        else say("Nobody may open turn-based tables.")
    )
    numbers = range(1, min(bot_limit, MOST_CHOSEN - 1) + 1)
    return [
        text(f"{live_text} {turn_based_text}"),
        _numbers(
            "tables_each",
            say("Tables…"),
            settings.tables_each,
            [
                (None, say("Tables: my limit ({number})", number=bot_limit)),
                *(
                    (n, say.many("{n} table per person", "{n} tables per person", n))
                    for n in numbers
                ),
            ],
        ),
        _numbers(
            "turn_based_each",
            say("Turn-based tables…"),
            settings.turn_based_each,
            [
                (
                    n,
                    say.many(
                        "{n} turn-based table per person", "{n} turn-based tables per person", n
                    )
                    if n
                    else say("No turn-based tables"),
                )
                for n in sorted({*_TURN_BASED_EACH, settings.turn_based_each})
            ],
        ),
    ]


def _invitations(view: ServerView, say: Say) -> list[Part]:
    settings, role_id = view.settings, view.settings.invitation_role_id
    if role_id is None:
        current = say("People at a table can invite members. No role can be invited.")
    elif role_id in view.gone:
        current = say("⚠️ The role for invitations is gone: only members can be invited.")
    else:
        current = "\n".join(
            (
                say(
                    "People at a table can invite members or everyone with {role}.",
                    role=role_mention(role_id),
                ),
                _cooldown(settings.invitation_cooldown_s, say),
            )
        )
    parts = [
        text("\n".join(("### " + say("Invitations"), current, *view.troubles))),
        _CONTROLS.role(
            Verb.SERVER_ROLE,
            say("A role that can be invited…"),
            _if_exists(role_id, view),
            "invitation",
        ),
    ]
    if role_id is not None:
        lengths = sorted({*_COOLDOWNS_S, settings.invitation_cooldown_s})
        parts.append(
            _numbers(
                "invitation_cooldown_s",
                say("Time between mentions…"),
                settings.invitation_cooldown_s,
                [(n, _cooldown(n, say)) for n in lengths],
            )
        )
    return parts


def _nudge(chosen: int | None, say: Say) -> list[Part]:
    current = (
        say(
            "A player who keeps the table waiting gets a ping after half their time, but not "
            "before 10 s and no later than 30 s."
        )
        if chosen is None
        else say(
            "A player who keeps the table waiting gets a ping after {seconds} s, or 10 s "
            "before their time is up.",
            seconds=chosen,
        )
    )
    return [
        text("### " + say("Pings") + "\n" + current),
        _numbers(
            "nudge_s",
            say("Ping after…"),
            chosen,
            [
                (None, say("After half the turn's time")),
                *((n, say("Ping after {seconds} s", seconds=n)) for n in _NUDGES_S),
            ],
        ),
    ]


def _cooldown(seconds: int, say: Say) -> str:
    """Return the pause before a role can be invited again."""
    return say("Time between mentions: {duration}", duration=say.duration(seconds))


def _numbers(
    name: str, placeholder: str, chosen: int | None, labels: Iterable[tuple[int | None, str]]
) -> Part:
    """Return a select of a number for a setting; `None` is the bot's default."""
    options = [
        option(
            label,
            f"{name}.{BOT_DEFAULT if number is None else number}",
            default=number == chosen,
        )
        for number, label in labels
    ]
    return _CONTROLS.select(Verb.SERVER_SET, placeholder, options, name)


def _if_exists(role_id: RoleId | None, view: ServerView) -> RoleId | None:
    """Return a role if it still exists, else `None`."""
    return None if role_id in view.gone else role_id


# --- Look ----------------------------------------------------------------------------------------


def look_page(view: ServerView, speaker: Speaker, note: str = "") -> Page:
    """Return the settings for pictures, cards, the language, and the monthly ranking."""
    say, on = speaker.say, view.settings.pictures
    pictures = (
        say("Tables and results come with pictures.")
        if on
        else say("Tables and results come as text only.")
    )
    parts = [
        text("### " + say("Pictures") + "\n" + pictures),
        row(_CONTROLS.switch(Verb.SERVER_SET, say("Pictures"), "pictures", on=on)),
        line(),
        text(
            "### "
            + say("Cards")
            + "\n"
            + say("How players see their hand, unless they choose otherwise.")
        ),
        card_select(
            Verb.SERVER_SET,
            say,
            card_styles(say),
            view.settings.cards,
            "cards",
            value_prefix="cards.",
        ),
        line(),
        text("### " + say("Language") + "\n" + say("What everyone reads here changes at once.")),
        language_select(
            Verb.SERVER_SET, view.settings.language, say, "language", value_prefix="language."
        ),
        line(),
        *_monthly_ranking(view.ranking, say),
    ]
    return server_page("look", speaker, parts, note)


def _monthly_ranking(ranking: RankingChannel, say: Say) -> list[Part]:
    """Return the settings of the monthly ranking: its channel, another channel or none."""
    channel_id = ranking.channel_id
    where = (
        say("Posted in {channel}.", channel=channel_mention(channel_id))
        if channel_id is not None
        else say("Off until you choose a channel.")
    )
    words = [
        "### " + say("Hall of fame"),
        say("On the 1st of each month (UTC) I post last month's best players, without pings."),
        where,
        ranking.trouble,
    ]
    chosen = [] if channel_id is None or ranking.trouble else [channel_id]
    parts = [
        text("\n".join(filter(None, words))),
        _CONTROLS.channels(Verb.RANKING_CHANNEL, say("Channel to post in…"), chosen),
    ]
    if channel_id is not None:
        parts.append(row(_CONTROLS.button(Verb.NO_RANKING_CHANNEL, say("Turn off"))))
    return parts
