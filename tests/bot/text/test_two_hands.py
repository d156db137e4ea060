"""Hand page of Trichu's dealer, which also covers the hand that is not on turn."""

from __future__ import annotations

from bot.art.emojis import Emojis
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.hand.page import hand_page
from cogs.pages.table.page import table_page
from cogs.pages.table.result import result_page
from engine import Match, Options, StopMatch, apply
from tests.bot.positions import TRICHU, begun, declined, lords, played, position
from tests.bot.states import PEOPLE, chairs, state
from tests.bot.text.pages import parts

TO = Speaker(speech("en"), Emojis.plain())
BOMB = "S4 P4 J4 T4"


def shown(match: Match, **details: object) -> tuple[str, list[str]]:
    """Return the texts of the dealer's page, and the ids of its controls.

    The ids have no table and revision.
    """
    found = parts(hand_page(state(match, chairs=chairs(PEOPLE[:3]), details=details), 0, TO))
    words = "\n".join(part["content"] for part in found if "content" in part)
    ids = [part["custom_id"].split(":", 2)[2] for part in found if "custom_id" in part]
    return words, [name.partition("@")[1] + name.partition("@")[2] or name for name in ids]


def test_pass_of_the_other_hand_can_be_taken_back() -> None:
    """For the Table while the page shows the dealer's own turn, and the reverse."""
    own = position(TRICHU, "TURN 0", trick="2 S8")
    words, ids = shown(own, auto_pass=(3,))
    assert "The Table passes this trick." in words
    assert any(name.startswith("@3:auto-pass:off.") for name in ids)
    table = position(TRICHU, "TURN 3", trick="2 S8")
    words, ids = shown(table, auto_pass=(0,))
    assert "You pass this trick." in words
    assert any(":auto-pass:off." in name and "@" not in name for name in ids)


def test_outcome_of_the_tables_premove_is_shown() -> None:
    window = position(
        TRICHU, "WINDOW 1", f"submitted 3 {BOMB.replace(' ', ',')}", trick="0 S2", hands={3: BOMB}
    )
    assert "The Table's bomb is face down" in shown(window)[0]
    turn = position(TRICHU, "TURN 0", trick="2 S8")
    assert "your choice for The Table was taken back" in shown(turn, dropped=(3,))[0]


def test_waits_are_counted_for_the_person() -> None:
    window = position(TRICHU, "WINDOW 1", trick="2 S2", hands={3: BOMB, 0: "S5"})
    assert any("wait" in name for name in shown(window)[1])
    assert not any("wait" in name for name in shown(window, waits={0: 2})[1])


def test_dealer_is_not_asked_for_a_grand_tichu() -> None:
    """Rule T3."""
    words, ids = shown(begun(TRICHU))
    assert "The dealer can't call Grand Tichu" in words
    assert "You don't call" not in words
    assert not any("grand" in name for name in ids)
    assert "**The Table**" not in words, "its hand is not shown"
    assert "**The Table**" in shown(declined(begun(TRICHU)))[0]


def test_shows_shared_places() -> None:
    """Rules T15 and A87."""
    match = position(TRICHU, "LEAD 0", hands={0: "S9", 1: "S2", 2: "P2"}, out=(3,))
    end = played(match, "0 play:S9")
    totals = (500, 480, 500, 620)
    last = end._replace(
        totals=totals,
        results=(end.results[-1]._replace(totals=totals),),
        winners=(3,),
    )
    page = result_page(state(last, chairs=chairs(PEOPLE[:3]), status="finished"), TO)
    words = "\n".join(part["content"] for part in parts(page) if "content" in part)
    assert "The Table wins the match!" in words
    places = [line for line in words.splitlines() if "\\." in line]
    assert places == [
        "1\\. The Table: 620",
        "2\\. Ada: 500",
        "2\\. Cleo: 500",
        "4\\. Ben: 480",
    ]


def test_finished_round_of_lords_is_listed_by_rank() -> None:
    """Rule G12: not in the turn order of the finished round."""
    game: Options = lords(5)
    last = position(game, "LEAD 3", hands={3: "S8", 4: "S9"}, out=(1, 0, 2), ranks=(4, 3, 2, 1, 0))
    over = played(last, "3 play:S8")
    stopped, _ = apply(over, StopMatch())
    for match, status in ((over, "playing"), (stopped, "finished")):
        page = table_page(state(match, chairs=chairs(PEOPLE[:5]), status=status), TO)
        words = "\n".join(part["content"] for part in parts(page) if "content" in part)
        names = [
            name for line in words.splitlines() for name in PEOPLE[:5] if f"**{name}**," in line
        ]
        assert names == ["Ben", "Ada", "Cleo", "Dan", "Eve"]
