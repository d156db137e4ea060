"""Private hand page: plays, special cards, sorting, gifts and refusals."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from bot.art.emojis import Emojis
from bot.table.state import Game
from bot.text import speech
from bot.text.cards import Speaker
from bot.text.sentences import sentence
from cogs.pages.hand.choices import Draft
from cogs.pages.hand.exchange_choices import read_gifts, write_gifts
from cogs.pages.hand.free_choice import picture_card
from cogs.pages.hand.page import hand_page
from cogs.pages.hand.play_choices import (
    offered_plays,
    write_choice,
)
from cogs.pages.table.reactions import Reaction
from cogs.pages.verbs import Verb
from engine import (
    NATURALS,
    Call,
    IllegalAction,
    Kind,
    Match,
    Reason,
    cards_text,
    indices,
    rank_of,
    read_cards,
)
from tests.bot.positions import TRICHU, begun, declined, passed, position
from tests.bot.states import PEOPLE, chairs, state
from tests.bot.text.pages import BUTTON, TEXT, parts
from tests.bot.text.samples import NO_GRAND
from tests.engine.positions import after, dealt, table

SAY = speech("en")
TO = Speaker(SAY, Emojis.plain())


def page(at: Game, chair: int = 0, draft: Draft | None = None) -> list[Mapping[str, Any]]:
    """Return the parts of a chair's page."""
    return parts(hand_page(at, chair, TO, draft))


def read(at: Game, chair: int = 0, draft: Draft | None = None) -> str:
    """Return the texts of that page."""
    return "\n".join(part["content"] for part in page(at, chair, draft) if part["type"] == TEXT)


def verbs(at: Game, chair: int = 0, draft: Draft | None = None) -> list[str]:
    """Return the verbs of its controls, in reading order."""
    ids = [part["custom_id"] for part in page(at, chair, draft) if "custom_id" in part]
    return [custom_id.split(":")[-2] for custom_id in ids]


def buttons(at: Game, verb: Verb, chair: int = 0, draft: Draft | None = None) -> dict[str, str]:
    """Return the labels of its buttons with this verb, by their arguments."""
    found = [part for part in page(at, chair, draft) if part["type"] == BUTTON]
    ids = [(part["custom_id"].split(":"), part.get("label", "")) for part in found]
    return {words[-1]: label for words, label in ids if words[-2] == verb}


def listed(at: Game, draft: Draft) -> list[str]:
    """Return the cards of the hand on the page of seat 0."""
    contents = [str(part["content"]) for part in page(at, 0, draft) if part["type"] == TEXT]
    (hand,) = (content for content in contents if content.startswith("## "))
    return hand.removeprefix("## ").split(" ")


def plays(at: Game, chair: int = 0) -> list[str]:
    """Return the cards of all plays offered by name, in notation."""
    return [cards_text(play.cards) for play in best_and_more(at, chair)]


def best_and_more(at: Game, chair: int = 0) -> list[Any]:
    """Return all plays offered by name."""
    best, more = offered_plays(at.situation(chair).upcoming)
    return [*best, *more]


# --- plays -----------------------------------------------------------------------------------


FULL = "DOG MAHJONG PHOENIX DRAGON S2 S3 S4 P5 J6 T7 S8 P8 JK TK"


def test_special_cards_are_offered_for_a_lead() -> None:
    at = state(table("LEAD A", hands={"A": FULL}))
    assert {"DOG", "MAHJONG", "PHOENIX", "DRAGON"} <= set(plays(at))
    assert len(offered_plays(at.situation(0).upcoming).more) <= 25


def test_only_special_cards_that_beat_are_offered() -> None:
    at = state(table("TURN A", trick="D SA", hands={"A": FULL}))
    assert set(plays(at)) == {"PHOENIX", "DRAGON"}
    at = state(table("TURN A", trick="D DRAGON", hands={"A": "S4 P4 J4 T4 PHOENIX"}))
    assert plays(at) == []
    assert len(buttons(at, Verb.BOMB)) == 1, "a bomb has a button of its own"


def test_offered_plays_differ_in_more_than_suits() -> None:
    for hand in (FULL, "S2 P2 T2 S3 P3 S4 P4 T5 J6 PHOENIX"):
        at = state(table("LEAD A", hands={"A": hand}))
        offered = best_and_more(at)
        ranks = [tuple(map(rank_of, indices(play.cards))) for play in offered]
        alike = [
            (play.kind, sorted([*held, *play.phoenix]), play.cards & ~NATURALS)
            for play, held in zip(offered, ranks, strict=True)
        ]
        assert all(alike.count(each) == 1 for each in alike)


def test_plays_that_differ_only_in_the_place_of_the_phoenix_are_offered_once() -> None:
    hand = "S5 S10 T10 JJ PJ SA PHOENIX"
    at = state(table("TURN A", trick="B S8,T8,S9,P9", hands={"A": hand}))
    assert plays(at) == ["S10 T10 JJ PJ"]
    without = state(table("TURN A", trick="B S8,T8,S9,P9", hands={"A": "S10 T10 JJ SA PHOENIX"}))
    assert plays(without) == ["S10 T10 JJ PHOENIX"], "here the Phoenix is needed"


def test_the_play_of_the_last_cards_is_the_first_suggestion() -> None:
    at = state(table("LEAD A", hands={"A": "S5 PHOENIX"}))
    assert plays(at)[0] == "S5 PHOENIX"
    assert set(plays(at)) == {"S5 PHOENIX", "S5", "PHOENIX"}


def test_shorter_straights_come_after_the_natural_lead() -> None:
    at = state(table("LEAD A", hands={"A": "S2 S3 S4 P5 J6 T7 TJ"}))
    best, more = offered_plays(at.situation(0).upcoming)
    assert [play.size for play in best if play.kind is Kind.STRAIGHT] == [6]
    assert [play.size for play in more if play.kind is Kind.STRAIGHT] == [5, 5]
    pair = state(table("LEAD A", hands={"A": "S2 S3 S4 P5 J6 T7 P7"}))
    best = offered_plays(pair.situation(0).upcoming).best
    sizes = [play.size for play in best if play.kind is Kind.STRAIGHT]
    assert sizes[0] == 5, "the shorter one leaves the pair"


def test_suggestions_break_no_bomb_if_there_is_another_play() -> None:
    flush = "S6 S7 S8 S9 S10"
    at = state(table("LEAD A", hands={"A": f"{flush} PJ TQ P2"}))
    best, more = offered_plays(at.situation(0).upcoming)
    assert {cards_text(play.cards) for play in best} == {"P2", "PJ", "TQ"}
    assert any(play.kind is Kind.STRAIGHT for play in more)
    bare = state(table("LEAD A", hands={"A": flush}))
    assert offered_plays(bare.situation(0).upcoming).best
    assert "You hold a bomb: " in read(at)


def test_lead_uses_natural_cards_instead_of_the_phoenix() -> None:
    at = state(table("LEAD A", hands={"A": "S2 P2 S4 P5 PHOENIX"}))
    best = offered_plays(at.situation(0).upcoming).best
    assert [cards_text(play.cards) for play in best if play.kind is Kind.PAIR] == ["S2 P2"]
    following = state(table("TURN A", trick="D SA,PA", hands={"A": "SK PK PHOENIX"}))
    assert best_and_more(following) == []
    beaten = state(table("TURN A", trick="D SQ,PQ", hands={"A": "SK PK JA PHOENIX"}))
    assert "JA PHOENIX" in plays(beaten), "a higher pair may be wanted"


def test_best_leads_are_of_different_kinds() -> None:
    at = state(table("LEAD A", hands={"A": "S2 S4 P5 J6 T7 S8 P9 JJ TJ SK PK"}))
    best = offered_plays(at.situation(0).upcoming).best
    assert len(best) == 5
    assert {Kind.STRAIGHT, Kind.PAIR, Kind.SINGLE} <= {play.kind for play in best}


def test_few_other_plays_are_buttons_and_many_a_select() -> None:
    few = state(table("TURN A", trick="D S2", hands={"A": "S3 P4 J5 T6 S7 P9 TJ"}))
    many = state(table("TURN A", trick="D S2", hands={"A": "S3 P4 J5 T6 S7 P8 S9 P10 TJ TQ"}))
    assert len(buttons(few, Verb.PLAY)) == 7
    assert len(buttons(many, Verb.PLAY)) == 4
    assert verbs(many).count(Verb.PLAY) == 4 + 1, "and a select"
    assert verbs(few).count(Verb.PASS) == verbs(many).count(Verb.PASS) == 1


def test_every_kind_of_lead_has_a_button() -> None:
    hand = "DOG S2 P2 T2 S3 P3 J4 J5 J6 S9 P9 S10 P10"
    best = offered_plays(state(table("LEAD A", hands={"A": hand})).situation(0).upcoming).best
    kinds = {Kind.DOG, Kind.SINGLE, Kind.PAIR, Kind.TRIPLE, Kind.FULL_HOUSE, Kind.STAIRS}
    assert kinds <= {play.kind for play in best}


def test_usual_play_and_pass_are_one_click_away() -> None:
    at = state(table("TURN A", trick="D S8", hands={"A": "S9 PJ TA J2"}))
    assert list(buttons(at, Verb.PLAY)) == [
        write_choice(read_cards(card)) for card in ("S9", "PJ", "TA")
    ]
    assert verbs(at)[3] == Verb.PASS


def test_offers_only_passes_and_calls_where_nothing_beats() -> None:
    at = state(table("TURN A", trick="D SA", hands={"A": "S9 PJ J2"}))
    assert verbs(at) == [Verb.TICHU, Verb.PASS, Verb.AUTO_PASS]
    assert "Nothing in your hand beats Dan's ace" in read(at)


@pytest.mark.parametrize("hand", ["S9 PJ J2", "S9 DRAGON J2"])
def test_winning_partner_is_called_partner(hand: str) -> None:
    """With and without a play that beats theirs."""
    for leader, name, partner in (("C", "Cleo", True), ("D", "Dan", False)):
        at = state(table("TURN A", trick=f"{leader} SA", hands={"A": hand}))
        assert name in read(at)
        assert ("partner" in read(at)) == partner


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cards, reason",
    [
        ("S9 PJ", "Not a combination."),
        ("S3", "That doesn't beat **Dan's single 8**."),
        ("S2 P2", "That doesn't beat **Dan's single 8**."),
        ("DOG", sentence(SAY, IllegalAction(Reason.DOG_ONLY_LEADS, "N38"))),
    ],
)
def test_page_explains_illegal_choices(cards: str, reason: str) -> None:
    at = state(table("TURN A", trick="D S8", hands={"A": "S9 PJ S3 S2 P2 DOG"}))
    draft = Draft(chosen=read_cards(cards))
    assert reason in read(at, draft=draft)
    assert verbs(at, draft=draft)[:2] == [Verb.CARDS, Verb.REFRESH]


def test_page_explains_a_binding_wish() -> None:
    at = state(table("TURN A", trick="D S8", wish="9", hands={"A": "S9 PJ S3"}))
    assert "Wish: 9 – you must play one." in read(at)
    refused = sentence(SAY, IllegalAction(Reason.WISH_DUTY, "N28", wish="9"))
    assert refused in read(at, draft=Draft(chosen=read_cards("PJ")))


# --- premoves, holds and gifts -------------------------------------------------------------------


WINDOW = table(
    "WINDOW B", trick="A S8,P8", hands={"A": "J5", "B": "S9 P9 +4", "C": "+8", "D": "J2"}
)


def test_hold_needs_enough_cards_for_a_bomb() -> None:
    at = state(WINDOW)
    assert [Verb.WAIT in verbs(at, chair) for chair in range(4)] == [False, True, True, False]
    closed = state(after(WINDOW, "clock close"))
    assert not any(Verb.WAIT in verbs(closed, chair) for chair in range(4))


def test_no_other_button_comes_or_goes_with_hold() -> None:
    for at in ("WINDOW B", "TURN B"):
        match = table(at, trick="A S8", hands={"C": "S9 PJ J2 J3 J4"})
        *others, last = verbs(state(match, chairs=chairs(computers=(1, 3, 0))), 2)
        assert others == ([Verb.TICHU, Verb.EXPLAIN] if last == Verb.WAIT else [Verb.TICHU])
        assert last == (Verb.WAIT if at == "WINDOW B" else Verb.EXPLAIN)


def test_opposite_buttons_are_in_different_rows() -> None:
    match = table("TURN B", trick="A SA", hands={"B": "S9 P9 J3 J4"})

    def rows(at: Game) -> list[list[str]]:
        components = hand_page(at, 1, TO).to_components()[0]["components"]
        found = [part["components"] for part in components if "components" in part]
        return [[button["custom_id"].split(":")[-2] for button in row] for row in found]

    asked, stays = rows(state(match)), rows(state(match, details={"auto_pass": (1,)}))
    assert Verb.AUTO_PASS in asked[-1]
    assert Verb.AUTO_PASS in stays[0]
    assert len(stays) > 1


def test_waiting_player_reads_what_lies_on_the_table() -> None:
    at = state(table("TURN B", trick="A S8,P8"))
    assert f"Waiting for {PEOPLE[1]} to beat your **pair of 8s**." in read(at, 0)
    assert f"Waiting for {PEOPLE[1]} to beat {PEOPLE[0]}'s **pair of 8s**." in read(at, 2)


def test_the_page_names_who_takes_a_trick_that_nobody_beats() -> None:
    at = state(table("CLOSING A", trick="A SK | B pass | C pass | D pass"))
    for chair in range(1, 4):
        assert f"All passed – {PEOPLE[0]} takes it." in read(at, chair)
        assert "Waiting for" not in read(at, chair)


def test_received_cards_are_named_until_the_first_own_play() -> None:
    at = state(passed(declined(dealt())))
    leader = at.round.turn
    assert "You received " in read(at, leader), "also on a lead"
    single = next(each for each in best_and_more(at, leader) if each.kind is Kind.SINGLE)
    led = state(after(at.match, f"{'ABCD'[leader]} play:{cards_text(single.cards)}"))
    assert ["You received " in read(led, chair) for chair in range(4)] == [
        chair != leader for chair in range(4)
    ]


def test_picture_of_a_play_shows_the_phoenix_or_the_triple() -> None:
    at = state(table("LEAD A", hands={"A": "S2 P2 T2 S7 P7 SA PHOENIX"}))
    pictures = {cards_text(play.cards): picture_card(play) for play in best_and_more(at)}
    assert pictures["S2 P2 T2 S7 P7"] in {"S2", "P2", "T2"}
    assert pictures["SA PHOENIX"] == "PHOENIX"


def test_reactions_replace_no_button() -> None:
    at = state(table("TURN B", trick="A S8,P8"))
    assert verbs(at, 1)[-1] != Verb.SAY, "it is their turn"
    for chair in (0, 2, 3):
        *others, say = verbs(at, chair)
        assert say == Verb.SAY
        says = verbs(at, chair, Draft(offers_reactions=True))
        assert says == [*others, *[Verb.REACT] * len(Reaction), Verb.REFRESH]
    over = after(table("TURN A", trick="D S8", hands={"A": "S10"}, out="C"), "A play:S10")
    assert verbs(state(over)) == [Verb.READY, Verb.PAUSE, Verb.SAY]
    alone = state(at.match, chairs=chairs(computers=(1, 2, 3)))
    assert Verb.SAY not in verbs(alone)


def test_sealed_choice_can_only_be_taken_back() -> None:
    at = state(WINDOW, details={"premoves": {1: "play:S9,P9"}})
    assert verbs(at, 1) == [Verb.TAKE_BACK]
    bombed = table("WINDOW B", trick="A S8,P8", hands={"B": "S4 P4 J4 T4 +3"})
    assert verbs(state(after(bombed, "B bomb:S4,P4,J4,T4")), 1) == []


def test_bomb_that_beats_has_one_button() -> None:
    at = state(table("TURN B", trick="A S8,P8", hands={"B": "S4 P4 J4 T4 S2 P3 S5"}))
    beyond = [Verb.TICHU, Verb.BOMB, Verb.AUTO_PASS]
    assert verbs(at, 1) == [Verb.PASS, Verb.CARDS, *beyond]


def test_dragon_gift_shows_cards_and_points() -> None:
    match = table(
        "GIFT A", trick="A DRAGON | B pass | C pass | D pass", hands={"B": "S2", "D": "S3 S4 S5"}
    )
    at = state(match)
    assert buttons(at, Verb.GIFT) == {"1": "Ben – 1 card", "3": "Dan – 3 cards"}
    assert "(25)" in read(at)


def test_tichu_button_does_not_move_when_others_come_and_go() -> None:
    turn = state(table("TURN A", trick="D S8", hands={"A": "S9 PJ J2"}))
    waits = state(table("TURN B", trick="A S8", hands={"C": "S9 PJ J2 J3 J4"}))
    window = state(table("WINDOW B", trick="A S8", hands={"C": "S9 PJ J2 J3 J4"}))
    for at, seat in ((turn, 0), (waits, 2), (window, 2)):
        order = verbs(at, seat)
        others = {Verb.PASS, Verb.AUTO_PASS, Verb.WAIT, Verb.EXPLAIN} & set(order)
        before = order[: order.index(Verb.TICHU)]
        assert not others.intersection(before) - ({Verb.PASS} if Verb.PLAY in order else set())


def test_says_that_the_best_suggestion_is_first() -> None:
    several = state(table("LEAD A", hands={"A": "S2 S4 P5 P6"}))
    one = state(table("TURN A", trick="D SK", hands={"A": "S2 SA"}))
    note = TO.say("Suggestions, best first:")
    assert note in read(several)
    assert note not in read(one)


def test_no_stay_in_when_the_trick_is_won() -> None:
    passing = {"auto_pass": (1,)}
    open_ = state(table("TURN C", trick="A S8 | B pass"), details=passing)
    won = state(table("CLOSING A", trick="A S8 | B pass | C pass | D pass"), details=passing)
    assert Verb.AUTO_PASS in verbs(open_, 1)
    assert Verb.AUTO_PASS not in verbs(won, 1)
    assert TO.say("You pass this trick.") not in read(won, 1)


# --- calls and the exchange ------------------------------------------------------------------


def test_question_before_a_call_names_the_calls_that_stand() -> None:
    calls = {"B": "tichu", "C": "grand"}
    asked = read(state(table("LEAD A", calls=calls)), draft=Draft(confirm=Call.TICHU))
    assert "Ben has already called Tichu." in asked
    assert "Your partner Cleo has already called Grand Tichu." in asked
    alone = read(state(table("LEAD A")), draft=Draft(confirm=Call.TICHU))
    assert "already" not in alone


def test_suggestion_completes_the_exchange_in_one_tap() -> None:
    at = state(after(dealt(), *NO_GRAND))
    gifts = at.situation(0).current.gifts
    (args,) = buttons(at, Verb.GIVE)
    suggested = read_gifts(gifts, args)
    assert [cards.bit_count() for cards in suggested.values()] == [1, 1, 1]
    others = (1 << card for card in indices(at.round.hands[0].cards & ~sum(suggested.values())))
    first = {gifts[0].receiver: next(others)}
    (args,) = buttons(at, Verb.GIVE, draft=Draft(picks=first))
    assert read_gifts(gifts, args) == suggested | first, "the rest is still suggested"
    twice = {gifts[0].receiver: suggested[gifts[1].receiver]}
    assert not buttons(at, Verb.GIVE, draft=Draft(picks=twice))


def test_exchange_counts_what_is_left_and_lists_no_chosen_card() -> None:
    at = state(after(dealt(), *NO_GRAND))
    hand = list(indices(at.round.hands[0].cards))
    gifts = at.situation(0).current.gifts
    picks = {gifts[0].receiver: 1 << hand[0], gifts[1].receiver: 1 << hand[1]}
    begun = read(at, draft=Draft(picks=picks))
    assert "1 more card to choose" in begun
    for card in hand:
        assert (TO.card(card) in listed(at, Draft(picks=picks))) == (card not in hand[:2])
    picks[gifts[2].receiver] = 1 << hand[2]
    assert "Press Give" in read(at, draft=Draft(picks=picks))


@pytest.mark.parametrize("call", Call)
def test_call_asks_for_confirmation_with_its_stake(call: Call) -> None:
    at = state(dealt() if call is Call.GRAND else table("LEAD A"))
    asked = read(at, draft=Draft(confirm=call))
    assert f"+{call.value}" in asked
    assert f"−{call.value}" in asked
    last = Verb.GRAND if call is Call.GRAND else Verb.TICHU_YES
    assert verbs(at, draft=Draft(confirm=call))[:2] == [last, Verb.REFRESH]


def exchange() -> Game:
    """Return a game in which Ben has called Grand Tichu, and Ada holds certain cards."""
    answers = ("A grand:no", "B grand:yes", *NO_GRAND[2:])
    return state(after(dealt(hands={"A": "J2 J3 J4"}), *answers))


def test_picked_cards_are_not_offered_again() -> None:
    at = exchange()
    assert len(buttons(at, Verb.PICK)) == 14
    picks = {1: read_cards("J2")}
    left = buttons(at, Verb.PICK, draft=Draft(picks=picks))
    assert len(left) == 13 + 1, "and to start over"
    assert sum("J2" in args for args in left) == 13, "it stays picked for Ben"
    assert list(left.values())[-1] == "Start over"


def test_complete_picks_leave_only_the_pass_button() -> None:
    at = exchange()
    picks = {1: read_cards("J2"), 2: read_cards("J3"), 3: read_cards("J4")}
    found = verbs(at, draft=Draft(picks=picks))
    assert found[:2] == [Verb.GIVE, Verb.PICK]
    assert list(buttons(at, Verb.GIVE, draft=Draft(picks=picks))) == ["J2,J3,J4"]


def test_calls_are_offered_during_the_exchange() -> None:
    lines = [line for line in read(exchange()).splitlines() if "To **" in line]
    assert ["Grand Tichu" in line for line in lines] == [True, False, False]


def test_passed_cards_can_be_chosen_again() -> None:
    at = state(after(exchange().match, "A pass-cards:J2>1,J3>2,J4>3"))
    gifts = at.situation(0).current.gifts
    assert list(buttons(at, Verb.PICK)) == [write_gifts(gifts, {})]
    assert len(buttons(at, Verb.PICK, draft=Draft(picks={}))) == 14


def test_dealer_of_trichu_sees_the_hand_on_turn() -> None:
    hands = {0: "S9 S2", 3: "JJ J2"}
    for seat, marked in ((0, "➤ **Your hand**"), (3, "➤ **The Table**")):
        at = position(TRICHU, f"TURN {seat}", trick="2 S8", hands=hands)
        text = read(two_hands(at))
        assert marked in text
        assert text.count("➤ **Your hand**") + text.count("➤ **The Table**") == 1


def test_only_the_hand_of_the_buttons_is_marked() -> None:
    """Cards of both hands have to be passed, one hand after the other."""
    at = two_hands(declined(begun(TRICHU)))
    for seat, marked in ((0, "➤ **Your hand**"), (3, "➤ **The Table**")):
        text = read(at, draft=Draft(seat=seat))
        assert marked in text
        assert text.count("➤ **Your hand**") + text.count("➤ **The Table**") == 1


@pytest.mark.parametrize("hand", ["J9 J2", "J2"])
def test_own_play_of_the_dealer_of_trichu_is_called_theirs(hand: str) -> None:
    at = two_hands(position(TRICHU, "TURN 3", trick="0 S8", hands={0: "S2", 3: hand}))
    assert "your own single 8" in read(at)
    for draft in (Draft(), Draft(chosen=read_cards("J2"))):
        assert "Ada" not in read(at, draft=draft), "they are Ada"


def two_hands(match: Match) -> Game:
    """Return a table of Trichu with Ada as dealer."""
    return state(match, chairs=chairs(("Ada", "Ben", "Cleo")))
