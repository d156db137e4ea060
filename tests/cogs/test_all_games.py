"""Whole matches of Trichu, Tientsin and Grand Seigneur by clicks, and their special rules."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from bot.table.state import Game
from bot.text.cards import Speaker, variant_name
from bot.text.labels import title
from bot.text.options import length
from cogs.pages.names import titled_name
from cogs.pages.table.page import trick_end
from cogs.pages.verbs import Verb
from engine import Match, Phase, card_set
from tests.campaign import SOAK
from tests.cogs.eyes import Eyes, cards_in
from tests.cogs.fast_forward import (
    Until,
    begin_by_clicks,
    begun,
    fast_forward,
    match_over,
    reached,
    round_over,
)
from tests.cogs.finished import check_finished, check_rematch
from tests.cogs.forged_clicks import forge
from tests.cogs.table_play import HandPlayer, dealt, over, seat_all, seat_without_hands
from tests.cogs.worlds import SAY, World, a_world, refusal
from tests.simcord_clicks import controls, line_with, messages, numbers, shown, text

NAMES = ("Ada", "Ben", "Cai", "Dan", "Eva", "Fay", "Gus", "Hal", "Ida", "Jon", "Kim", "Leo")
WISH = ["wish"] if SOAK else []
"""Events during which nobody wishes, in a few tricks of some matches."""


async def whole_match(
    folder: Path,
    seed: int,
    people: int,
    *,
    since: Until | None = None,
    clicks: Until = match_over,
    **options: Any,
) -> tuple[Game, set[str]]:
    """Play a whole match with `people` people, checking who learns which cards.

    Clicks are used from when `since` holds until `clicks` holds, in a campaign all the time.
    """
    async with a_world(folder, seed=seed) as world:
        eyes = Eyes(world)
        seated = world.people(*NAMES[:people])
        players = await seat_all(world, seated, **options)
        if since is not None and not SOAK:
            await fast_forward(world, since, players=players)
        await begin_by_clicks(world, players, match_over, clicks=clicks)
        last = await check_finished(world, seated[0])
        await check_rematch(world, last, seated[-1] if people == 1 else seated[0])
        assert eyes.leaks == []
        assert min(eyes.told.get(person.id, 0) for person in seated) > 0
        return last, {click for player in players for click in player.clicked}


def begun_again(match: Match) -> bool:
    """Return whether a trick has been taken in the second round, after its exchange."""
    round_ = match.round
    return round_ is not None and round_.number > len(match.results) > 0 and bool(round_.past)


def match_of(state: Game) -> Match:
    """Return the match of a game."""
    return state.match


async def test_three_people_play_trichu(tmp_path: Path) -> None:
    """Rules T1-T18: everybody deals once, and the Table wins and loses with the dealer."""
    last, clicked = await whole_match(tmp_path, 1, 3, clicks=begun, variant="trichu", rounds=3)
    match = match_of(last)
    first = match.first_dealer
    assert [result.dealer for result in match.results] == [(first - turn) % 3 for turn in range(3)]
    assert {"grand", "give", "play", "pass", *WISH} <= clicked
    assert len(match.totals) == 4


async def test_one_person_plays_trichu_with_two_computer_players(tmp_path: Path) -> None:
    last, _ = await whole_match(
        tmp_path, 2, 1, clicks=begun, variant="trichu", rounds=3, direction="clockwise"
    )
    assert len(match_of(last).results) == 3
    assert [chair.kind for chair in last.chairs] == ["person", "computer", "computer"]


async def test_six_people_play_tientsin(tmp_path: Path) -> None:
    """Rules S1-S13."""
    last, clicked = await whole_match(tmp_path, 2, 6, clicks=begun, variant="tientsin", target=100)
    assert max(match_of(last).totals) >= 100
    assert {"grand", "give", "play", "pass", "wish"} <= clicked


@pytest.mark.soak
async def test_two_people_play_tientsin_with_four_computer_players(tmp_path: Path) -> None:
    last, _ = await whole_match(tmp_path, 4, 2, clicks=begun, variant="tientsin", target=200)
    assert [chair.kind for chair in last.chairs].count("computer") == 4


@pytest.mark.parametrize(
    "seats, people, options",
    [
        pytest.param(5, 5, {"rounds": 3, "two-decks": True}, id="five", marks=pytest.mark.soak),
        pytest.param(6, 6, {"rounds": 2}, id="six"),
        pytest.param(7, 7, {"rounds": 2}, id="seven", marks=pytest.mark.soak),
    ],
)
async def test_people_play_grand_seigneur(
    tmp_path: Path, seats: int, people: int, options: dict[str, Any]
) -> None:
    """Rules G1-G30: no points; the next deal follows the hierarchy of the last round."""
    last, clicked = await whole_match(
        tmp_path,
        seats,
        people,
        since=round_over,
        clicks=begun_again,
        variant="grandseigneur",
        seats=seats,
        **options,
    )
    match = match_of(last)
    assert (match.totals, len(match.results)) == ((), options["rounds"])
    assert match.winners == (match.results[-1].out[0],)
    assert {"give", "play", "pass", *WISH} <= clicked
    assert clicked.isdisjoint({"grand", "tichu", "gift", "dog"})


@pytest.mark.soak
async def test_twelve_play_grand_seigneur(tmp_path: Path) -> None:
    """The largest table: four people and eight computer players."""
    quick: dict[str, Any] = {"fast-computers": True}
    last, _ = await whole_match(
        tmp_path, 12, 4, variant="grandseigneur", seats=12, rounds=2, **quick
    )
    assert len(last.chairs) == 12
    assert match_of(last).winners


# --- Trichu: one person, two hands --------------------------------------------------------------


async def trichu(world: World) -> tuple[list[HandPlayer], HandPlayer]:
    """Return three people before the exchange, and the dealer among them."""
    world.chance.dealer = 0
    players = await seat_all(world, world.people("Ada", "Ben", "Cai"), variant="trichu")
    for player in players[1:]:
        await player.press_with(Verb.GRAND, "no")
    return players, players[0]


def public(world: World) -> str:
    """Return the text of the newest table message."""
    return text(messages(world.env, world.channel)[-1])


def told(page: str) -> int:
    """Return the cards named on a page, as a set."""
    return card_set(set(cards_in(page)))


async def test_only_the_dealer_sees_the_table_hand_until_cards_are_passed(world: World) -> None:
    """Rules T5, T7, A81."""
    players, ada = await trichu(world)
    await ada.open()
    of_the_table = world.game().round.hands[3].cards
    assert told(ada.text()) & of_the_table == of_the_table
    for player in players[1:]:
        assert not told(player.text()) & of_the_table
    assert not told(public(world)) & of_the_table
    while any(given is None for given in world.game().round.opening.given):
        for player in players:
            await player.act()
    of_the_table = world.game().round.hands[3].cards
    assert told(public(world)) & of_the_table == of_the_table


def chosen_from(player: HandPlayer) -> str:
    """Return the name of the hand that passes cards; empty for the player's own."""
    hand = player.controls(Verb.PICK)[0].custom_id.split(":")[2]
    return hand.partition("@")[2]


async def test_dealer_passes_cards_from_both_hands(world: World) -> None:
    """Rule T6: first from their own hand, then from the Table's; both can be changed."""
    _, ada = await trichu(world)
    assert chosen_from(ada) == ""
    await ada.pass_cards()
    assert chosen_from(ada) == "3"
    await ada.pass_cards()
    state = world.game()
    given = state.round.opening.given
    assert given[0] is not None
    assert given[3] is not None
    assert {to for to, _ in given[0]} == {to for to, _ in given[3]} == {1, 2}
    (switch,) = ada.controls(Verb.TURN_TO)
    await ada.press(switch)
    assert chosen_from(ada) == "3"


async def test_others_cannot_play_for_the_table(world: World) -> None:
    """Rules T8, A84: a forged button is refused with a sentence."""
    _, ben, _ = (await trichu(world))[0]
    state = world.game()
    result = await forge(ben.person, ben.hand, f"b:{state.id}:{state.revision}@3:give:S2,S3")
    assert result.response is not None
    assert refusal("not-your-hand") in text(result.response)
    assert world.game().seq == state.seq


# --- Tientsin: choice of partners and opponents --------------------------------------------------


async def test_dog_goes_to_the_chosen_partner(world: World) -> None:
    """Rule S6: one button for each partner; S5: one card to each partner before."""
    ada, *_ = await dealt(world, {0: "MAHJONG DOG S2 S3"}, variant="tientsin")
    await ada.lay("DOG")
    assert [(shown(button.label, *NAMES), button.args) for button in ada.controls(Verb.DOG)] == [
        (["Cai"], "2"),
        (["Eva"], "4"),
    ]
    await ada.press_with(Verb.DOG, "4")
    round_ = world.game().round
    assert round_ is not None
    assert round_.turn == 4
    assert trick_end(world.game(), -1, 4, Speaker(SAY, world.bot.art)) in public(world)


async def test_dragon_goes_to_one_of_three_opponents(world: World) -> None:
    """Rules S13, A94."""
    players = await dealt(world, {0: "MAHJONG DRAGON S2 S3"}, variant="tientsin")
    ada = players[0]
    await ada.lay("DRAGON")
    for player in players[1:]:
        await to_turn(world, player)
        await player.press(Verb.PASS)
    await to_turn(world, ada, Verb.GIFT)
    receivers = [shown(button.label, *NAMES) for button in ada.controls(Verb.GIFT)]
    assert receivers == [["Ben"], ["Dan"], ["Fay"]]
    await ada.press_with(Verb.GIFT, "3")  # kept until the bomb window closes
    await world.to_next_deadline()
    round_ = world.game().round
    assert round_ is not None
    assert (round_.piles[3].bit_count(), round_.turn) == (1, 0)


async def to_turn(world: World, player: HandPlayer, wanted: Verb = Verb.PASS) -> None:
    """Let time pass until the player can do this."""
    for _ in range(5):
        if player.can(wanted):
            return
        await world.to_next_deadline()
    raise AssertionError(f"{player.name} cannot {wanted}")


# --- Grand Seigneur: ranks, forced cards, the vote ----------------------------------------------


async def test_grand_seigneur_starts_with_at_least_five(world: World) -> None:
    """Rule G1: five to twelve; everybody seated at the start plays."""
    people = world.people(*NAMES[:5])
    await people[0].slash("tichu new", variant="grandseigneur")
    for person in people[1:4]:
        await world.join(person)
    assert numbers(line_with(public(world), "1", "12")) == [1, 12]  # one more, up to twelve
    assert not people[0].sees(Verb.START)
    await world.join(people[4])
    await people[1].press(Verb.LEAVE)
    await world.join(people[1])
    await people[0].press(Verb.START)
    state = world.table()
    assert [chair.seat for chair in state.chairs] == list(range(5))
    assert state.options.rules.players == 5
    await world.restart()
    assert world.table().options.rules.players == 5
    assert world.table().chairs == state.chairs


async def test_best_cards_are_forced_and_the_return_is_blind(world: World) -> None:
    """Rules G15, G16, G19, G20: the lowest give their best cards, the highest any cards."""
    people = world.people(*NAMES[:6])
    players = await seat_all(world, people, variant="grandseigneur", seats=6)
    await fast_forward(world, reached(Phase.EXCHANGE))
    state = world.game()
    ranks = state.match.variant.hierarchy(state.match)
    by_rank = [players[seat] for seat in ranks]
    titles = [title(SAY, place, 6) for place in range(6)]
    words = Speaker(SAY, world.bot.art)
    for seat, player, own in zip(ranks, by_rank, titles, strict=True):
        await player.open()
        assert shown(player.text().splitlines()[0], *titles) == [own]
        named = titled_name(state, seat, ranks, words)
        assert shown(named, state.chairs[seat].name, *titles) == [state.chairs[seat].name, own]
        assert named in public(world)
    for place, player in enumerate(by_rank):
        (gift,) = state.match.variant.gifts(state.round, ranks[place])
        chosen = gift.number - gift.forced.bit_count()
        suggestion = chosen > 1
        assert len(player.controls(Verb.PICK)) == (gift.free.bit_count() if chosen else 0)
        assert len(player.controls(Verb.GIVE)) == suggestion or not chosen
        if place >= 3:
            assert told(line_with(player.text(), titles[5 - place])) == gift.forced
        else:
            assert gift.forced == 0
    for seat, player in zip(ranks, by_rank, strict=True):
        assert told(player.text()) == world.game().round.hands[seat].cards
        await player.pass_cards()
    assert world.game().phase is Phase.LEAD
    ((giver, cards),) = world.game().situation(ranks[0]).current.received
    below = [line for line in by_rank[0].text().splitlines() if not line.startswith("-#")]
    assert told(line_with("\n".join(below), state.chairs[giver].name)) == cards


async def test_vote_ends_an_open_ended_match_with_its_round(tmp_path: Path) -> None:
    """Rule G27: the match ends with the round of the vote, and has a result."""
    async with a_world(tmp_path, seed=5) as world:
        people = world.people(*NAMES[:5])
        await seat_without_hands(world, people, variant="grandseigneur")
        assert length(world.game().options, SAY) in public(world)
        for person in people[:2]:
            await person.slash("tichu stop")
        assert not world.game().last_round
        vote, _ = world.newest_with(Verb.AGREE)
        await people[2].press(Verb.AGREE, on=vote)
        assert controls(vote) == []  # votes no longer count
        assert world.game().last_round
        await fast_forward(world, match_over)
        last = await check_finished(world, people[0])
        assert len(match_of(last).results) == 1


async def test_vote_between_rounds_ends_an_open_ended_match(tmp_path: Path) -> None:
    """Rules G27, A106."""
    async with a_world(tmp_path, seed=6) as world:
        people = world.people(*NAMES[:5])
        await seat_without_hands(world, people, variant="grandseigneur")
        await fast_forward(world, lambda match: bool(match.results))
        for person in people[:3]:
            await person.slash("tichu stop")
        assert over(world)()
        last = await check_finished(world, people[0])
        assert title(SAY, 0, 5) in public(world)
        assert match_of(last).winners


async def test_refuses_options_of_another_game(world: World) -> None:
    """Rules O1-O7, A87: a sentence names the fault, and no table is opened."""
    (ada,) = world.people("Ada")
    for options, values in (
        ({"variant": "trichu", "rounds": 10}, {"10", "rounds", "3"}),
        ({"variant": "trichu", "target": 500}, {variant_name(SAY, "trichu"), "target"}),
        ({"variant": "nanjing", "rounds": 9}, {variant_name(SAY, "nanjing"), "rounds"}),
        ({"variant": "grandseigneur", "missed-wish": "penalty"}, {"missed-wish"}),
        ({"variant": "tientsin", "two-decks": True}, {variant_name(SAY, "tientsin"), "two-decks"}),
    ):
        result = await ada.slash("tichu new", **options)
        assert result.response is not None
        assert {*shown(result.response, *values)} == values, text(result.response)
        assert list(world.bot.tables.all()) == []
