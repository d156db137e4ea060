"""Forms of the table message: a picture with short lines, or text alone."""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.table.options import TableOptions
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.labels import TEAM_EMOJIS
from cogs.pages.controls import Page
from cogs.pages.table.lobby import lobby_page
from cogs.pages.table.page import table_page
from engine import Phase
from tests.bot.states import chairs, state
from tests.bot.text.pages import TEXT, parts
from tests.engine.positions import dealt, table
from tests.simcord_clicks import line_with, shown

TO = Speaker(speech("en"), Emojis.plain())
PEOPLE = ("Ada", "Ben", "Cleo", "Dan")
GALLERY, DEALT = 12, "ab" * 32


def texts(page: Page) -> str:
    """Return all text of a page."""
    return "\n".join(part["content"] for part in parts(page) if part["type"] == TEXT)


def a_trick() -> Game:
    """Return a game: Ben leads a pair, Cleo beats it; Dan has to play. Ada is out."""
    match = table("TURN D", trick="B S5,P5 | C S8,P8", out="A")
    return state(match, details={"dealt": DEALT})


def test_picture_comes_with_two_lines() -> None:
    page = table_page(a_trick(), TO, "table-7.png", "Dan is on turn.")
    (gallery,) = [part for part in parts(page) if part["type"] == GALLERY]
    (item,) = gallery["items"]
    assert item["media"]["url"] == "attachment://table-7.png"
    assert item["description"] == "Dan is on turn."
    assert len(texts(page).splitlines()) == 2
    assert GALLERY not in [part["type"] for part in parts(table_page(a_trick(), TO))]


EARLY = Speaker(speech("en"), Emojis.plain(), novices_sit_in=True)
"""Public texts while no Expert is ready."""
SIT_IN = "Novices sit in until the Experts are ready"


def test_both_forms_name_stand_ins_until_experts_are_ready() -> None:
    experts, novices = TableOptions(), TableOptions(computers="novice")
    for at, said in (
        (state(dealt(), chairs=chairs(computers=(1,)), options=experts), True),
        (state(dealt(), chairs=chairs(computers=(1,)), options=novices), False),
        (state(dealt(), options=experts), False),
        (state(dealt(), chairs=chairs(computers=(1,)), options=experts, status="stopped"), False),
    ):
        for picture in (None, "table-7.png"):
            assert (SIT_IN in texts(table_page(at, EARLY, picture))) is said
            assert SIT_IN not in texts(table_page(at, TO, picture)), "they are ready"
            over = table_page(at, EARLY, picture, buttons=False)
            assert SIT_IN not in texts(over), "nobody rewrites that of a round that is over"


def test_lobby_names_stand_ins_until_experts_are_ready() -> None:
    for at, said in (
        (state(chairs=chairs(computers=(1,))), True),
        (state(chairs=chairs(empty=(1,))), False),
    ):
        assert (SIT_IN in texts(lobby_page(at, EARLY))) is said
        assert SIT_IN not in texts(lobby_page(at, TO))


def test_open_wish_is_shown_below_the_picture_too() -> None:
    at = state(table("TURN B", trick="A MAHJONG wish=9", wish="9"))
    for page in (table_page(at, TO, "table-7.png"), table_page(at, TO)):
        assert "9" in line_with(texts(page), "Wish")


def test_text_form_has_the_team_sign_of_every_seat() -> None:
    told = texts(table_page(a_trick(), TO))
    seats = [line for line in told.splitlines() if len(shown(line, *PEOPLE)) == 1 and "**" in line]
    signs = {shown(line, *PEOPLE)[0]: line[0] for line in seats if line[0] in TEAM_EMOJIS}
    assert signs == dict(zip(PEOPLE, TEAM_EMOJIS * 2, strict=True))


def test_play_to_beat_is_large_and_its_predecessor_small() -> None:
    lines = texts(table_page(a_trick(), TO)).splitlines()
    (large,) = [line for line in lines if line.startswith("## ")]
    assert large.count("8") == 2
    before = lines[lines.index(large) - 1]
    assert before.startswith("-# ")
    assert shown(before, *PEOPLE) == ["Ben"]
    assert shown(lines[lines.index(large) + 1], *PEOPLE) == ["Cleo"]


def test_lost_call_has_a_cross() -> None:
    for out, lost in (("", False), ("A", True), ("B", False)):
        at = state(table("LEAD D", calls={"B": "tichu"}, out=out))
        told = texts(table_page(at, TO)).splitlines()
        (ben,) = [line for line in told if shown(line, *PEOPLE) == ["Ben"]]
        assert ("✗" in ben) is lost, out


def test_grand_tichu_question_says_where_to_answer() -> None:
    at = state(dealt())
    assert at.phase is Phase.GRAND
    assert "**My hand**" in texts(table_page(at, TO))


def test_deal_label_disappears_with_the_first_card() -> None:
    first = state(dealt(), details={"dealt": DEALT})
    for picture in (None, "table-7.png"):
        assert line_with(texts(table_page(first, TO, picture)), "Fair").startswith("-# 🔒")
        assert DEALT not in texts(table_page(first, TO, picture))
    later = state(table("LEAD D", past=["B S8 => B"]), details={"dealt": DEALT})
    for at in (a_trick(), later):
        assert "🔒" not in texts(table_page(at, TO))


def test_calls_stand_below_the_picture_until_somebody_is_out() -> None:
    called = state(table("LEAD A", calls={"B": "tichu"}), chairs=chairs(PEOPLE))
    assert "Ben" in line_with(texts(table_page(called, TO, "table-7.png")), "Tichu!")
