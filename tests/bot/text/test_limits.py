"""Discord's limits for every page in its worst case, and harmless names."""

from __future__ import annotations

import gettext
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

import discord
import pytest
from babel.messages.pofile import read_po
from simcord.components import validate_modal

from bot.art.emojis import Emojis
from bot.ids import MessageId
from bot.table.details import MessageIds
from bot.table.posts import call_lines
from bot.table.state import Game
from bot.text import LOCALES, Say
from bot.text.cards import Speaker
from cogs.pages import controls
from cogs.pages.controls import Notice, Page, read_id
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.page import hand_page
from cogs.pages.names import safe, seat_name
from cogs.pages.table.announcements import announcements
from cogs.pages.table.result import result_page
from cogs.pages.verbs import Verb
from engine import Call, Called, Event, Options, Played, card_text, indices
from tests.bot.states import chairs, state
from tests.bot.text.boards import daily_leaderboard_pages, leaderboard_pages
from tests.bot.text.challenges import challenge_pages
from tests.bot.text.club import club_pages
from tests.bot.text.daily import daily_pages
from tests.bot.text.leagues import league_pages
from tests.bot.text.lessons import lesson_pages
from tests.bot.text.lists_of_tables import tables_pages
from tests.bot.text.monthly_rankings import monthly_ranking_pages
from tests.bot.text.nudges import nudging_pages
from tests.bot.text.other_games import largest_tables, other_lobbies, other_moments
from tests.bot.text.pages import (
    BUTTON,
    ROW,
    SELECT,
    TEXT,
    Named,
    every_page,
    lobby_pages,
    parts,
    pictures,
    rules_pages,
)
from tests.bot.text.profiles import profile_pages
from tests.bot.text.puzzles import puzzle_pages
from tests.bot.text.reviews import review_pages
from tests.bot.text.samples import (
    games,
    lobbies,
    long_match,
    longest_round,
    longest_trick,
    moments,
)
from tests.bot.text.settings_pages import lobby_forms, settings_pages
from tests.bot.text.tournaments import tournament_pages
from tests.campaign import sample
from tests.engine.positions import dealt, round_of, table, top_of

NASTY = (
    "**__~~||`*_~|>#-[x](https://y.z)",
    "@everyone <@101> <@&7> <#8> 🀄🐉🔥*",
    "-# > ### 🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕🐕 *~`\\`_",
    "```{0}{name}``` <:a:1><t:1:R> _\\",
)
SAFE = tuple(map(safe, NASTY))
OTHERS = ("trichu", "tientsin", "grandseigneur")
READABLE = 32
"""Characters of a label that fit in one line where a page is 390 pixels wide."""
TWO_LINES = {
    Verb.LESSON: 48,  # an answer is a whole sentence
    Verb.LESSON_PLAY: 50,  # cards named as whole combinations
    Verb.PLAY: 50,
    Verb.LISTED: 66,  # consents name their subject
    Verb.WORLDWIDE: 54,
    Verb.OPTION: 46,  # a house rule with its penalty
    Verb.SERVER_DEFAULT: 46,
}
"""Longer label limits, by verb."""
ACTIVE = set("\\`*_~|[]()<>@#:-")


class Longest(gettext.NullTranslations):
    """Language whose every text is the longest translation of the bot."""

    def gettext(self, message: str) -> str:
        """Return the longest translation of a message."""
        return longest().get(("", message), message)

    def pgettext(self, context: str, message: str) -> str:
        """Return the longest translation of a message with a context."""
        return longest().get((context, message), message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        """Return the longest form in any language."""
        return self.gettext(msgid2)


@cache
def longest() -> Mapping[tuple[str, str], str]:
    """Return the longest translation of each message, by context and text (the plural's)."""
    found: dict[tuple[str, str], str] = {}
    for file in LOCALES.glob("*/LC_MESSAGES/*.po"):
        with file.open("rb") as source:
            for message in read_po(source):
                text, strings = message.id, message.string
                if not isinstance(text, str):
                    text = text[-1]
                every = (strings,) if isinstance(strings, str) else tuple(strings or ())
                key = message.context or "", text
                found[key] = max((found.get(key, text), *every), key=len)
    assert found, "there are no translations"
    return found


def worst_tables() -> Iterator[Game]:
    yield from sample(moments(NASTY), 20)
    seats = chairs(NASTY)
    for match in (longest_round(), longest_trick(), long_match(40)):
        newest = MessageIds(table=MessageId(2**62))
        yield state(match, chairs=seats, id=10**9, revision=10**6, messages=newest)
    yield from sample((at for seed in range(3) for at in games(seed, 400, NASTY, every=19)), 4)
    yield from sample(other_moments(NASTY), 12)
    yield from largest_tables(NASTY)
    for variant in OTHERS:
        yield from sample(games(1, 500, NASTY, variant, every=37), 2)


def worst_pages(to: Speaker, tables: Iterable[Game]) -> Named:
    yield from rules_pages(to)
    yield from lesson_pages(to)
    yield from puzzle_pages(to, NASTY[0])
    yield from challenge_pages(to)
    yield from club_pages(NASTY, to)
    yield from tournament_pages(NASTY, to)
    yield from league_pages(NASTY, to)
    yield from daily_pages(NASTY, to)
    yield from profile_pages(NASTY, to)
    yield from settings_pages(to)
    yield from leaderboard_pages(NASTY, to)
    yield from daily_leaderboard_pages(NASTY, to)
    yield from tables_pages(NASTY, to)
    yield from monthly_ranking_pages(to)
    yield from nudging_pages(NASTY, to)
    yield from review_pages(NASTY, to)
    for lobby in (*lobbies(NASTY), *other_lobbies(NASTY)):
        yield from lobby_pages(lobby, to)
    for at, name, page in every_page(tables, to):
        yield f"{at.options.variant}, {len(at.chairs)}, {at.phase}: {name}", page


@pytest.mark.slow
async def test_every_page_fits_and_escapes_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """Truncation must not be needed with short names."""
    cut, needed = controls.cut, set[str]()

    def watched(words: str, most: int) -> str:
        if len(with_short_names(words)) > most:
            needed.add(words)
        return cut(words, most)

    monkeypatch.setattr(controls, "cut", watched)
    wordy = Speaker(Say("en", Longest()), pictures())
    pages = worst_pages(wordy, worst_tables())
    assert {name: found for name, page in pages if (found := too_much(page))} == {}
    assert needed == set()


def with_short_names(words: str) -> str:
    """Return the words with short names instead."""
    for name in (*NASTY, *SAFE):
        words = words.replace(name, "Ada")
    return words


def test_forms_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(controls, "cut", fits)
    to = Speaker(Say("en", Longest()), pictures())
    for lobby in (*lobbies(NASTY), *other_lobbies(NASTY)):
        for _, form in lobby_forms(lobby, to):
            validate_modal(form.to_dict())


def fits(text: str, limit: int) -> str:
    """Return a text that need not be cut."""
    assert len(text) <= limit
    return text


@pytest.mark.slow
async def test_every_page_fits_in_english_without_pictures() -> None:
    """A sample, because the longest texts occur in other languages with pictures."""
    plain = Speaker(Say("en", gettext.NullTranslations()), Emojis.plain())
    pages = worst_pages(plain, sample(worst_tables(), 4))
    assert {name: found for name, page in pages if (found := too_much(page))} == {}


def too_much(page: Page | Notice) -> list[str]:
    """Return violations of Discord's limits, and names it would read as markdown."""
    found = []
    everything = parts(page)
    if isinstance(page, Notice) and len(page.content) > 2000:
        found.append(f"{len(page.content)} characters in a notice")
    if len(everything) > 40:
        found.append(f"{len(everything)} components")
    texts = [part["content"] for part in everything if part["type"] == TEXT]
    if sum(map(controls.length, texts)) > 4000:
        found.append(f"{sum(map(controls.length, texts))} characters")
    if not all(text.strip() for text in texts):
        found.append("an empty text")
    found += [f"{raw} stands raw" for raw in NASTY for text in texts if raw in text]
    ids = Counter(part["custom_id"] for part in everything if "custom_id" in part)
    found += [f"{name} stands twice" for name, count in ids.items() if count > 1]
    found += [f"{name} is too long" for name in ids if len(name) > 100]
    for part in everything:
        if part["type"] == ROW:
            found += _row(part["components"])
        elif part["type"] == BUTTON:
            label = part.get("label", "")
            if not ("emoji" in part or label) or len(label) > 80:
                found.append(f"the label {label!r}")
            if len(with_short_names(label)) > _readable(part):
                found.append(f"more than one line on a phone: {label!r}")
            if "url" in part:
                if not 0 < len(part["url"]) <= 512:
                    found.append(f"the address {part['url']}")
            elif not read_id(part["custom_id"]):
                found.append(f"nobody finds {part['custom_id']}")
        elif part["type"] == SELECT:
            found += _select(part)
    return found


def _readable(button: Mapping[str, Any]) -> int:
    """Return the length at which a label is readable on a phone."""
    id_ = read_id(button.get("custom_id"))
    return TWO_LINES.get(Verb(id_["verb"]), READABLE) if id_ else READABLE


def _row(items: list[Mapping[str, Any]]) -> list[str]:
    buttons = sum(item["type"] == BUTTON for item in items)
    selects = len(items) - buttons
    return [] if (0 < buttons <= 5 and not selects) or (selects == 1 and not buttons) else ["a row"]


def _select(part: Mapping[str, Any]) -> list[str]:
    options, least, most = part["options"], part["min_values"], part["max_values"]
    values = [option["value"] for option in options]
    checks = {
        "options": 1 <= len(options) <= 25,
        "values": len(set(values)) == len(values) and all(0 < len(v) <= 100 for v in values),
        "labels": all(0 < len(option["label"]) <= 100 for option in options),
        "descriptions": all(len(option.get("description") or "") <= 100 for option in options),
        "placeholder": 0 < len(part["placeholder"]) <= 150,
        "choices": 1 <= least <= most <= len(options),
        "defaults": sum(bool(option.get("default")) for option in options) <= most,
        "id": read_id(part["custom_id"]),
    }
    return [f"{what} of {part['custom_id']}" for what, right in checks.items() if not right]


def english() -> Speaker:
    return Speaker(Say("en", gettext.NullTranslations()), pictures())


async def test_all_cards_of_a_hand_can_be_chosen(subtests: pytest.Subtests) -> None:
    for size in (14, 13, 5, 1):
        with subtests.test(size=size):
            cards = "DRAGON PHOENIX J2 P2 S4 T5 J6 P7 S8 T9 J10 PJ SQ TK"
            hand = cards.split(maxsplit=size)[:size]
            at = state(table("LEAD A", hands={"A": " ".join(hand)}))
            held = round_of(at.match).hands[0].cards
            for draft in (Draft(), Draft(chosen=held), Draft(chosen=held & -held)):
                page = hand_page(at, 0, english(), draft)
                (select,) = (part for part in parts(page) if ":cards:" in part.get("custom_id", ""))
                offered = [option["value"] for option in select["options"]]
                assert sorted(offered) == sorted(map(card_text, indices(held)))
                assert select["max_values"] == size
                chosen = {option["value"] for option in select["options"] if option.get("default")}
                assert chosen == set(map(card_text, indices(draft.chosen)))


async def test_announcements_fit_into_a_message() -> None:
    bomb = top_of(longest_trick())
    events: list[Event] = [Called(seat, Call.GRAND) for seat in range(4)]
    events += [Called(0, Call.TICHU, reopened=True), Played(0, bomb), Played(1, bomb)]
    at = state(dealt(), chairs=chairs(NASTY))
    assert len("\n".join(announcements(at, list(call_lines(events)), english()))) <= 2000


async def test_score_of_many_rounds_is_one_aligned_table() -> None:
    page = result_page(state(long_match(40), status="finished"), english())
    *_, scores = (part["content"] for part in parts(page) if "```" in part.get("content", ""))
    rows = scores.strip("`\n").splitlines()
    assert len(rows) == 1 + 30
    assert len(set(map(len, rows))) == 1
    assert rows[0].split() == ["Ada+Cleo", "Ben+Dan"]
    assert rows[-1].split() == ["40", "−1,240", "4,940"]


async def test_score_of_trichu_has_a_column_for_the_table() -> None:
    match = long_match(30, Options(variant="trichu", rounds=30))
    page = result_page(state(match, chairs=chairs(NASTY[:3]), status="finished"), english())
    *_, scores = (part["content"] for part in parts(page) if "```" in part.get("content", ""))
    rows = scores.strip("`\n").splitlines()
    assert len(rows) == 1 + 30
    assert len(set(map(len, rows))) == 1
    assert rows[0].split()[-1] == "Table"
    assert rows[-1].split() == ["30", "−1230", "4930", "30", "−30"]


def test_names_are_escaped(subtests: pytest.Subtests) -> None:
    for name in NASTY:
        with subtests.test(name=name):
            shown = safe(name)
            assert re.sub(r"\\([^a-zA-Z0-9\s])", r"\1", shown) == name
            assert not ACTIVE & set(re.sub(r"\\.", "", shown))
            assert seat_name(state(chairs=chairs([name] * 4)), 2, english()) == shown


def test_nasty_names_have_the_longest_allowed_length() -> None:
    assert {len(name) for name in NASTY} == {32}
    assert discord.utils.escape_markdown(NASTY[0]) != NASTY[0]
