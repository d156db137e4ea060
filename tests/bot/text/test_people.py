"""Names in texts: right-to-left letters, control characters and invisible names."""

from __future__ import annotations

import gettext
import re
from collections.abc import Iterator
from unicodedata import bidirectional

import pytest
from bidi import get_display

from bot.ids import UserId
from bot.text import Say
from bot.text.cards import Speaker
from bot.text.people import isolated, person_name, visible
from cogs.pages.controls import LONGEST_LABEL, Notice, Page, cut
from cogs.pages.names import safe
from cogs.pages.table.page import table_page
from tests.bot.states import chairs, state
from tests.bot.text.boards import leaderboard_pages
from tests.bot.text.lists_of_tables import tables_pages
from tests.bot.text.nudges import nudging_pages
from tests.bot.text.pages import Named, every_page, lobby_pages, parts, pictures
from tests.bot.text.profiles import profile_pages
from tests.bot.text.samples import games, lobbies, moments
from tests.campaign import sample
from tests.engine.positions import dealt

HEBREW = ("אבי", "דוד", "Ben בן 14", "שרה")
OVERRIDE, FIRST_STRONG, POP = "\u202e", "\u2068", "\u2069"
INVISIBLE = ("\u2800", "\u200b", "\u0301\u0302", "\u3164", "\u202e\u200d", "\u2800 \u00ad")


def speaker() -> Speaker:
    return Speaker(Say("en", gettext.NullTranslations()), pictures())


def every_text(page: Page | Notice) -> Iterator[str]:
    """Yield all texts that a page shows."""
    if isinstance(page, Notice):
        yield page.content
    for part in parts(page):
        for shown in (part, *part.get("options", ()), *part.get("components", ())):
            for key in ("content", "label", "description", "placeholder"):
                yield shown.get(key) or ""


def reorders_neighbours(text: str) -> bool:
    """Return whether a right-to-left letter is outside isolates, or an isolate is open.

    A mention counts as such a letter, because Discord shows a name in its place.
    """
    text = re.sub(r"<(@&?|#)\d+>", "א", text)
    depth = 0
    for sign in text:
        depth += {FIRST_STRONG: 1, POP: -1}.get(sign, 0)
        if not depth and bidirectional(sign) in ("R", "AL", "AN"):
            return True
    return depth != 0


def test_a_name_keeps_its_place_in_a_line() -> None:
    """An Arabic number in a name counts as well, because it turns the neutral signs around it."""
    for name in ("אבי", "علي", "٣٤", "Ben אבי"):
        line = f"🔵you 5 🔶{isolated(name)} 11 🔵{isolated('דוד')} 3 🔶Ben 14"
        shown = get_display(line, base_dir="L").replace(FIRST_STRONG, "").replace(POP, "")
        places = [shown.index(part) for part in ("you 5", " 11 🔵", " 3 🔶", "Ben 14")]
        assert places == sorted(places)


def test_a_name_of_plain_letters_is_not_isolated() -> None:
    for name in ("Ada", "Ольга", "小林", "12", "Zoë 🐉", "-- 3 --", ""):
        assert isolated(name) == name


def test_control_characters_are_removed_and_joiners_kept() -> None:
    assert visible("\u202eneB\u202c\x00\x1b\x85\u061c\u200e\u2067\u2069\u2028") == "neB"
    assert visible("👩\u200d💻") == "👩\u200d💻"
    assert visible("می\u200cخواهم") == "می\u200cخواهم"
    assert safe(f"Ada{OVERRIDE}") == "Ada"


def test_an_invisible_name_becomes_that_of_its_seat() -> None:
    for name in INVISIBLE:
        assert person_name(speaker().say, name, UserId(1), 2) == "Player 3"


def test_an_invisible_name_shows_its_seat_at_the_table() -> None:
    for name in INVISIBLE:
        page = table_page(state(dealt(), chairs=chairs(["Ada", name, "Cleo", "Dan"])), speaker())
        assert "Player 2" in "".join(every_text(page))


@pytest.mark.slow
async def test_no_page_lets_a_name_reorder_its_neighbours() -> None:
    to = speaker()
    found = {
        name: text
        for name, page in pages(to)
        for text in every_text(page)
        if reorders_neighbours(text)
    }
    assert found == {}


def pages(to: Speaker) -> Named:
    """Yield a sample of all pages with Hebrew names."""
    yield from profile_pages(HEBREW, to)
    yield from leaderboard_pages(HEBREW, to)
    yield from tables_pages(HEBREW, to)
    yield from nudging_pages(HEBREW, to)
    for lobby in lobbies(HEBREW):
        yield from lobby_pages(lobby, to)
    tables = [*sample(moments(HEBREW), 20), *sample(games(1, 400, HEBREW, every=19), 4)]
    tables += sample(games(1, 500, HEBREW, "trichu", every=37), 2)
    for at, name, page in every_page(tables, to):
        yield f"{at.options.variant}, {at.phase}: {name}", page


def test_a_cut_label_ends_its_isolate() -> None:
    label = cut("x" * (LONGEST_LABEL - 3) + isolated("אבגדה"), LONGEST_LABEL)
    assert len(label) == LONGEST_LABEL
    assert not reorders_neighbours(label)
