"""All pages of ``/tichu settings`` that differ in words or controls."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import product
from typing import TypeAlias, get_args

from bot.ids import ChannelId, RoleId
from bot.records import NudgeWay, PersonalSettings, ServerSettings, Sorting
from bot.score_records import Preferences
from bot.table.server_options import usual_options
from bot.table.state import Lobby
from bot.text.cards import Speaker
from cogs.pages.controls import Form, Page
from cogs.pages.settings.nudges import nudges_page
from cogs.pages.settings.page import forget_page, forgotten_page, settings_page
from cogs.pages.settings.server import (
    RankingChannel,
    ServerView,
    look_page,
    people_page,
    tables_page,
)
from cogs.pages.settings.server_defaults import defaults_form, defaults_page
from cogs.pages.table.lobby_options import options_form
from engine import VARIANTS

Named: TypeAlias = Iterator[tuple[str, Page]]
TROUBLE = "⚠️ 1"
NOON = datetime(2031, 11, 12, 12, tzinfo=UTC)
LAST = RoleId(10**18)
"""The highest id: channels and roles count down from it."""
MANY = ServerSettings(
    channels=tuple(map(ChannelId, range(LAST, LAST - 60, -1))),
    pictures=False,
    hints=False,
    threads=True,
    computers=3,
    opener_role_id=LAST,
    tables_each=2,
    turn_based_each=7,
    invitation_role_id=LAST,
    invitation_cooldown_s=90 * 60,
    nudge_s=45,
    language="en",
)
"""Guild settings with every value chosen."""


def settings_pages(to: Speaker) -> Named:
    """Yield the settings pages of people and managers in all states."""
    yield from _own_pages(to)
    for game, limit in ((game, limit) for game in VARIANTS for limit in ("20", "86400")):
        chosen = ServerSettings(defaults={"variant": game, "turn_limit_s": limit})
        yield f"settings: defaults, {game}, {limit}", defaults_page(view_of(chosen), to)
    for settings in (ServerSettings(), MANY):
        for gone in (frozenset[int](), frozenset({LAST, LAST - 1})):
            view = view_of(settings, gone=gone, troubles=(TROUBLE,) * 3)
            for page in (0, 2):
                yield f"settings: tables {view}", tables_page(view, to, TROUBLE, page)
            yield f"settings: people {view}", people_page(view, to, TROUBLE)
            yield f"settings: defaults {view}", defaults_page(view, to, TROUBLE)
    for ranking in (
        RankingChannel(),
        RankingChannel(ChannelId(LAST)),
        RankingChannel(ChannelId(LAST), TROUBLE),
    ):
        yield f"settings: {ranking}", look_page(view_of(MANY, ranking=ranking), to, TROUBLE)
    yield "settings: with pictures", look_page(view_of(ServerSettings()), to)
    lively = view_of(ServerSettings(turn_based_each=0))
    yield "settings: no turn-based tables", people_page(lively, to)


def view_of(
    settings: ServerSettings,
    *,
    ranking: RankingChannel = RankingChannel(),  # noqa: B008 - a tuple
    gone: frozenset[int] = frozenset(),
    troubles: tuple[str, ...] = (),
) -> ServerView:
    """Return what the pages show of a guild with these settings."""
    return ServerView(settings, usual_options(settings), 3, ranking, gone, troubles)


def _own_pages(to: Speaker) -> Named:
    for hidden, worldwide, manages in product((False, True), repeat=3):
        wanted = Preferences(hidden, worldwide)
        page = settings_page(PersonalSettings(), wanted, to, manages=manages)
        yield f"settings: {wanted}, {manages}", page
    for compared in (False, True):
        shown = PersonalSettings(accuracy=True, accuracy_compared=compared)
        yield f"settings: {compared}", settings_page(shown, Preferences(), to, manages=True)
    for sorting in get_args(Sorting):
        all_on = PersonalSettings(cards="text", sorting=sorting, auto_pass=True, more_time=True)
        yield f"settings: {sorting}", settings_page(all_on, Preferences(), to, manages=False)
    for way in get_args(NudgeWay):
        for quiet in (None, (22 * 60, 7 * 60)):
            own = PersonalSettings(
                nudge_way=way, invitations=quiet is None, zone="1/2", quiet=quiet
            )
            yield f"settings: {way}, {quiet}", nudges_page(own, NOON, to, manages=True)
    for own in (
        PersonalSettings(daily_reminder=22 * 60, zone="1/2", quiet=(22 * 60, 7 * 60)),
        PersonalSettings(reminder_refused=True, zone="1/2"),
    ):
        yield f"settings: reminder, {own}", nudges_page(own, NOON, to, manages=True)
        yield f"settings: {own}", settings_page(own, Preferences(), to, manages=True)
    for tables in (0, 1, 3):
        yield f"settings: forget me at {tables} tables", forget_page(tables, to)
    for known in (True, False):
        yield f"settings: forgotten, known: {known}", forgotten_page(to, had_data=known)


def lobby_forms(state: Lobby, to: Speaker) -> Iterator[tuple[str, Form]]:
    """Yield the forms with the options of a lobby, and with the server's defaults."""
    yield "form of options", options_form(state, to)
    yield "form of defaults", defaults_form(state.options, to)
