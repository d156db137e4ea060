"""Pages without words from outside the catalogue, and coverage of all page messages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import chain, product
from typing import Any, get_args

import pytest

from bot.art.emojis import Emojis
from bot.ids import UserId
from bot.runtime.settings import languages
from bot.table.computer_names import NAMES as NAMES_BY_MANNER
from bot.table.options import Pace, TableOptions
from bot.table.posts import AwayLine, call_lines, seat_lines
from bot.table.state import Game
from bot.text import Say, language_name, speech
from bot.text.cards import Speaker
from bot.text.computers import explanation_text, manners
from bot.text.options import computers
from bot.text.people import unnamed
from cogs.pages.club.private import with_place
from cogs.pages.controls import Form, Notice, Page
from cogs.pages.hand.hints import hint_text
from cogs.pages.history.verify import added_word_line
from cogs.pages.names import copy_offer
from cogs.pages.table.announcements import announcements
from cogs.pages.table.deal_lines import stopped_deal_line
from cogs.pages.table.page import table_page
from demo.serve import PEOPLE, SECOND_CHANNEL
from demo.welcome import command_text, welcome_text
from engine import (
    VARIANTS,
    BombsReturned,
    Call,
    Called,
    CallsOpened,
    CardsPassed,
    DragonGiven,
    Event,
    LeadGiven,
    Passed,
    Phase,
    Played,
    RoundDealt,
    TrickTaken,
    Waive,
    WentOut,
    Withdrawn,
    read_cards,
    readings,
)
from players.levels import LEVELS, Advice
from players.reasons import Cause, Explanation
from tests.bot.decided_rounds import bombed, tichu
from tests.bot.states import HOST, chairs, state
from tests.bot.text.boards import daily_leaderboard_pages, leaderboard_pages
from tests.bot.text.challenges import challenge_pages
from tests.bot.text.club import BEGINS, ZONE, club_pages
from tests.bot.text.daily import daily_pages
from tests.bot.text.leagues import league_pages
from tests.bot.text.lessons import NOT_SAID, lesson_pages
from tests.bot.text.lists_of_tables import tables_pages
from tests.bot.text.monthly_rankings import monthly_ranking_pages
from tests.bot.text.nudges import nudging_pages
from tests.bot.text.other_games import other_lobbies, other_moments
from tests.bot.text.pages import (
    BUTTON,
    deal_words,
    every_page,
    explaining_pages,
    lobby_pages,
    parts,
    pictures,
    replay_pages,
    rules_pages,
    words,
)
from tests.bot.text.profiles import profile_pages
from tests.bot.text.pseudo import Pseudo, bare
from tests.bot.text.puzzles import OPPONENTS, puzzle_pages
from tests.bot.text.reviews import review_pages
from tests.bot.text.samples import SEALED, called_at_once, games, lobbies, longest_round, moments
from tests.bot.text.settings_pages import lobby_forms, settings_pages
from tests.bot.text.template import asked_on_pages, keys
from tests.bot.text.tournaments import tournament_pages
from tests.campaign import sample
from tests.engine.positions import dealt, table, top_of

Parts = list[Mapping[str, Any]]

NAMES = ("1001", "1002", "1003", "1004")
"""Names without letters, so that all letters are words of the bot."""
GALLERY = 12
"""Discord's media type number for attached pictures."""
BOMBS = ("S8 T8 P8 J8", "S2 S3 S4 S5 S6")
FILES = {"CSV", "JSON"}
MONTHS = {"April", "May", "June", "July", "August", "September"}
"""Month names from the locale."""
DURATIONS = {"day", "days", "hour", "hours", "minute", "minutes"}
"""Units of time from the locale."""
DATES = {word for begin in BEGINS for word in bare(with_place(begin, ZONE, "en"))}
"""Words of dates with the place of a time zone."""
LANGUAGES = {word for language in languages() for word in bare(language_name(language))}
"""Names of languages in themselves."""
TEAMS = set("ABCDEF")
"""Letters of teams in a lobby, the same in every language."""
DRAMA: tuple[Event, ...] = (
    Called(0, Call.TICHU, reopened=True),
    Called(1, Call.GRAND),
    Withdrawn(2, Call.TICHU),
    Withdrawn(3, Call.GRAND),
    Played(0, top_of(table("WINDOW B", trick="A S8,P8,J8,T8"))),
)


def speaker(art: Emojis) -> tuple[Speaker, Pseudo]:
    pseudo = Pseudo()
    return Speaker(Say("en", pseudo), art), pseudo


def outside(pages: Iterable[tuple[str, Page | Notice | Form]]) -> dict[str, list[str]]:
    """Return words that do not come from the catalogue, by page."""
    found: dict[str, list[str]] = {}
    for name, page in pages:
        strange = {word for text in words(page) for word in bare(text)}
        if name == "lobby" or name.startswith("closed"):
            strange -= TEAMS
        if name.startswith("lesson"):
            strange -= NOT_SAID
        if name.startswith("puzzle"):
            strange -= OPPONENTS
        if name.startswith("settings"):
            strange -= LANGUAGES | DURATIONS
        if name.startswith(("monthly ranking", "leaderboard")):
            strange -= MONTHS | FILES
        if name.startswith("event"):
            strange -= DATES | FILES
        if strange:
            found.setdefault(name, []).extend(sorted(strange))
    return found


def tables() -> Iterator[Game]:
    yield from moments(NAMES)
    exchange = next(table for table in moments(NAMES) if table.phase is Phase.EXCHANGE)
    yield state(called_at_once(exchange.match), chairs=chairs(NAMES))
    yield state(longest_round(), chairs=chairs(["1" * 32] * 4))
    yield from (replace(at, chairs=chairs(NAMES)) for at in (tichu("A"), bombed("DRAGON")))
    yield from sample((at for seed in range(3) for at in games(seed, 400, NAMES, every=37)), 4)
    yield from other_moments(NAMES)
    for variant in VARIANTS:
        yield from sample(games(4, 400, NAMES, variant, every=37), 2)


@pytest.mark.slow
async def test_every_word_comes_from_the_catalogue() -> None:
    to, pseudo = speaker(pictures())
    assert outside(rules_pages(to)) == {}
    assert outside(explaining_pages(to)) == {}
    assert outside(lesson_pages(to)) == {}
    assert outside(puzzle_pages(to, NAMES[0])) == {}
    assert outside(challenge_pages(to)) == {}
    assert outside(club_pages(NAMES, to)) == {}
    assert outside(tournament_pages(NAMES, to)) == {}
    assert outside(league_pages(NAMES, to)) == {}
    assert outside(daily_pages(NAMES, to)) == {}
    assert outside(profile_pages(NAMES, to)) == {}
    assert outside(settings_pages(to)) == {}
    assert outside(leaderboard_pages(NAMES, to)) == {}
    assert outside(daily_leaderboard_pages(NAMES, to)) == {}
    assert outside(tables_pages(NAMES, to)) == {}
    assert outside(monthly_ranking_pages(to)) == {}
    assert outside(nudging_pages(NAMES, to)) == {}
    assert outside(review_pages(NAMES, to)) == {}
    assert bare(unnamed(to.say, UserId(1))) == bare(unnamed(to.say, None)) == []
    for told in (welcome_text(to.say), command_text(to.say)):
        assert set(bare(told)) <= {PEOPLE[0], *SECOND_CHANNEL.split("-")}
    for lobby in (*lobbies(NAMES), *other_lobbies(NAMES)):
        assert outside(lobby_pages(lobby, to)) == {}
        assert outside(lobby_forms(lobby, to)) == {}
    seen = set()
    samples = list(tables())
    assert outside((name, page) for _, name, page in every_page(samples, to)) == {}
    for at in samples:
        seen.add(at.phase)
        assert bare(stopped_deal_line(at, to) or "") == []
    for play in ("S8 T8", "S8 T8 P8", "S8 T8 P8 S3 T3", *BOMBS):
        combination = readings(read_cards(play))[0]
        assert bare(to.short(combination) + to.combination(combination)) == []
    assert bare(copy_offer("88", to.say)) == []
    said = state(details={"sealed": SEALED, "words": {HOST: "88"}}, chairs=chairs(NAMES))
    assert bare(added_word_line(said, HOST, to)) == []
    assert seen == set(Phase)
    doing_nothing = hint_text(state(dealt(), chairs=chairs(NAMES)), 0, (Advice(Waive(0), 0.0),), to)
    sentences = [explanation_text(Explanation(cause, number=88), "88", to.say) for cause in Cause]
    for level, pace in product(LEVELS, get_args(Pace)):
        sentences.append(computers(TableOptions(computers=level, pace=pace), to.say))
    assert bare("\n".join((doing_nothing, *sentences))) == []
    robots = [names[0] for names in NAMES_BY_MANNER.values()]
    lobby = state(chairs=chairs(robots, computers=range(4)))
    assert set(bare("\n".join(manners(lobby, to.say)))) <= set(robots)
    drama = announcements(state(dealt(), chairs=chairs(NAMES)), list(call_lines(DRAMA)), to)
    assert bare("\n".join(drama)) == []
    full = state(dealt(), chairs=chairs(NAMES), details={"away": (1,)})
    before = state(dealt(), chairs=chairs(("1005", *NAMES[1:]), computers=(0,)))
    forgotten = state(dealt(), chairs=chairs(("", *NAMES[1:])))
    for first, then in ((before, full), (full, before), (forgotten, before)):
        coming = [*seat_lines(first, then), AwayLine(seat=1)]
        assert bare("\n".join(announcements(then, coming, to))) == []
    assert asked_on_pages() - pseudo.asked == set(), "no page of these tests shows them"
    in_words = {key for key in pseudo.asked if re.search(r"[^\W\d_]", re.sub(r"{.*?}", "", key[0]))}
    assert in_words - keys().keys() == set(), "the template does not hold them"


@pytest.mark.slow
async def test_every_word_comes_from_the_catalogue_without_pictures() -> None:
    to, _ = speaker(Emojis.plain())
    samples = sample((*moments(NAMES), *other_moments(NAMES)), 6)
    assert outside((name, page) for _, name, page in every_page(samples, to)) == {}


@cache
def plain_pages() -> dict[str, list[Parts]]:
    """Return the parts of many English pages without card pictures, by page name.

    The first test makes the pages, because they need an event loop.
    """
    to = Speaker(speech("en"), Emojis.plain())
    found: dict[str, list[Parts]] = {}
    for name, page in chain(
        profile_pages(NAMES, to),
        leaderboard_pages(NAMES, to),
        monthly_ranking_pages(to),
        rules_pages(to),
        lesson_pages(to),
        puzzle_pages(to, NAMES[0], 5),
        daily_pages(NAMES, to),
        [("table", table_page(state(dealt()), to, "table.webp", "All that is on it."))],
        (page[1:] for page in every_page(sample(list(tables()), 3), to)),
    ):
        found.setdefault(name, []).append(parts(page))
    return found


@pytest.mark.slow
async def test_every_picture_has_an_alternative_text() -> None:
    told = [
        item.get("description")
        for pages in plain_pages().values()
        for part in chain(*pages)
        if part["type"] == GALLERY
        for item in part["items"]
    ]
    assert len(told) > 2
    assert all(told)


@pytest.mark.slow
async def test_every_button_has_a_name_in_words() -> None:
    """Signs alone say nothing to users of a screen reader; our emojis have names like `jade_A`."""
    for name, pages in plain_pages().items():
        for part in chain(*pages):
            if part["type"] == BUTTON:
                emoji = part.get("emoji", {})
                spoken = part.get("label") or (emoji["name"] if emoji.get("id") else "")
                assert re.search(r"\w", spoken), (name, part["custom_id"])


@pytest.mark.slow
async def test_negative_numbers_have_a_minus_sign() -> None:
    seen = 0
    for name, pages in plain_pages().items():
        for page in pages:
            said = "\n".join(deal_words(page))
            seen += "−" in said
            assert not re.search(r"(?<![\w:.-])-\d", said), name
    assert seen > 20


def test_replay_mentions_no_missing_button() -> None:
    to, phases = Speaker(speech("en"), Emojis.plain()), set()
    for at in moments(NAMES):
        phases.add(at.phase)
        for name, page in replay_pages(at, to):
            assert "My hand" not in "\n".join(words(page)), name
    assert {Phase.GRAND, Phase.EXCHANGE} <= phases


def test_announces_only_bombs_and_calls_that_reopen_the_exchange() -> None:
    to, _ = speaker(pictures())
    pair = top_of(table("WINDOW B", trick="A S8,P8"))
    quiet: list[Event] = [
        RoundDealt(1, 0),
        CallsOpened(()),
        CardsPassed(1),
        Played(1, pair, fulfilled=8),
        Passed(2),
        BombsReturned((3,)),
        LeadGiven(1, 3),
        TrickTaken(0, 20),
        DragonGiven(0, 1, 25),
        WentOut(2, 1),
    ]
    assert list(announcements(state(dealt()), list(call_lines(quiet)), to)) == []
    drama = list(announcements(state(dealt()), list(call_lines(DRAMA)), to))
    assert len(drama) == len(DRAMA), "cards passed again; one call is on the table alone"
