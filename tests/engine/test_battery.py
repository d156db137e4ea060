"""One battery of tests that every game has to pass; registered variants join by themselves.

Games with options that change much are in it several times.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import takewhile
from random import Random

import pytest

from bench.walks import (
    Walk,
    is_action,
    random_deck,
    random_options,
    replay,
    walks,
)
from engine import (
    CLOCK,
    PLAY_PHASES,
    VARIANTS,
    WINDOW_PHASES,
    Action,
    Match,
    Options,
    Pass,
    Phase,
    Play,
    Variant,
    apply,
    can,
    card_text,
    deal,
    legal_actions,
    new_match,
    read_action,
    read_position,
    view,
    write_action,
    write_position,
)
from tests.campaign import SOAK, sample
from tests.cases import each

SEEDS = range(100 if SOAK else 1)
MOST_ACTIONS = 1200
"""The most actions of a round: every card is laid once and passed by everybody else."""
MOST_POINTS = 1200
"""The most points of a round: three hundred and all calls of a team."""

GAMES = {name: Options(variant=name) for name in VARIANTS} | {
    "nanjing, clockwise, penalty": Options(direction="clockwise", wish_policy="penalty"),
    "trichu, clockwise": Options("trichu", direction="clockwise", rounds=3),
    "trichu, penalty": Options("trichu", wish_policy="penalty", rounds=3),
    "tientsin, clockwise, penalty": Options(
        "tientsin", direction="clockwise", wish_policy="penalty", target=300
    ),
    "grandseigneur, 5": Options("grandseigneur", players=5, rounds=2),
    "grandseigneur, 5, two decks": Options("grandseigneur", players=5, decks=2),
    "grandseigneur, 6, two decks": Options("grandseigneur", decks=2, direction="clockwise"),
    "grandseigneur, 7": Options("grandseigneur", players=7, direction="clockwise"),
    "grandseigneur, 9": Options("grandseigneur", players=9),
    "grandseigneur, 12": Options("grandseigneur", players=12),
}
each_game = pytest.mark.parametrize("options", GAMES.values(), ids=GAMES.keys())
each_variant = each("variant", VARIANTS.values())
each_seed = each("seed", SEEDS)

Listed = dict[int, tuple[Action, ...]]
"""Legal actions by seat and of the clock; without the thousands of an exchange."""


@lru_cache(maxsize=len(GAMES) * 2)
def first_round(options: Options, seed: int) -> list[tuple[Walk, Listed]]:
    """Yield every position of a random first round, its end included, with the legal actions."""
    found: list[tuple[Walk, Listed]] = []
    for step in walks(Random(seed), options):
        if step.match.round is not None and step.match.round.number > 1:
            break
        found.append((step, listed(step.match)))
    return found


def listed(match: Match) -> Listed:
    """Return the legal actions of every seat and of the clock."""
    if match.round is None or match.phase is Phase.EXCHANGE:
        return {}
    return {seat: tuple(legal_actions(match, seat)) for seat in (CLOCK, *seats_of(match))}


def seats_of(match: Match) -> range:
    """Return all seats of a game."""
    return range(match.variant.seat_count(match.options))


@each_variant
def test_a_variant_is_registered_under_its_name(variant: Variant) -> None:
    """O1."""
    assert VARIANTS[variant.name] is variant
    assert new_match(Options(variant=variant.name)).variant is variant


@each_game
@each_seed
def test_a_round_ends(options: Options, seed: int) -> None:
    """N64: within `MOST_ACTIONS` actions, with a result for every column."""
    steps = first_round(options, seed)
    last = steps[-1][0].match
    assert last.phase in (Phase.ROUND_END, Phase.MATCH_END)
    assert len(steps) < MOST_ACTIONS
    (result,) = last.results
    columns = last.variant.column_count(options) if last.variant.scored else 0
    assert len(result.cards) == len(result.score) == len(last.totals) == columns
    assert all(abs(points) <= MOST_POINTS for points in result.score)
    assert result.totals == last.totals == result.score


@each_game
@each_seed
def test_listed_actions_have_texts_of_their_own(options: Options, seed: int) -> None:
    """The list of a seat can be sorted and searched as text, and read back."""
    for _, found in sample(first_round(options, seed), 25):
        for seat, actions in found.items():
            texts = sorted(map(write_action, actions))
            assert len(set(texts)) == len(texts)
            assert {read_action(seat, text) for text in texts} == set(actions)


@each_game
@each_seed
def test_nobody_acts_out_of_turn(options: Options, seed: int) -> None:
    """N17, N58: a seat that is not on turn can only bomb or call."""
    for (match, _), found in first_round(options, seed):
        if match.round is None or match.phase not in (Phase.LEAD, Phase.TURN, *WINDOW_PHASES):
            continue
        for seat, actions in found.items():
            for action in actions:
                assert action.seat == seat
                if isinstance(action, Play | Pass):
                    assert match.phase not in WINDOW_PHASES
                    assert seat == match.round.turn
                assert (seat == CLOCK) <= (match.phase in WINDOW_PHASES)


@each_game
@each_seed
def test_the_same_actions_give_the_same_game(options: Options, seed: int) -> None:
    """Same input, same output; positions on the way can be written and read."""
    steps = [step for step, _ in first_round(options, seed)]
    match, log = steps[-1]
    assert replay(match.options, match.first_dealer, log) == match
    middle = steps[len(steps) // 2]
    resumed = read_position(write_position(middle.match))
    assert resumed == middle.match
    for entry in log[len(middle.log) :]:
        assert is_action(entry)
        resumed, _ = apply(resumed, entry)
    assert resumed == match
    assert write_position(resumed) == write_position(match)


@pytest.mark.slow
@each_game
@each_seed
def test_every_seat_has_a_view(options: Options, seed: int) -> None:
    """N8: of every position, in a normal run of some; its actions are accepted."""
    for (match, _), found in sample(first_round(options, seed), 25):
        if match.round is None:
            continue
        actors = {match.variant.actor(match.round, seat) for seat in seats_of(match)}
        assert actors == set(range(match.variant.chair_count(options)))
        for seat in seats_of(match):
            seen = view(match, seat)
            assert seat in dict(seen.hands)
            if found:
                assert seen.actions == found[seat]
            assert all(can(match, action) for action in seen.actions[:3])
            places = sorted(other.place for other in seen.seats if other.place)
            assert places == list(range(1, len(match.round.out) + 1))
        assert view(match, None).actions == ()


@each_game
@each_seed
def test_what_a_variant_says_is_what_it_does(options: Options, seed: int) -> None:
    """S6, S7, S8, T9: attributes of a variant agree with its methods."""
    variant = VARIANTS[options.variant]
    for (match, _), _ in first_round(options, seed):
        round_ = match.round
        if round_ is None or match.phase not in PLAY_PHASES:
            continue
        for seat in seats_of(match):
            free = variant.exempt_from_wishes >> seat & 1
            assert variant.bound_by_wish(round_, seat) == (not free)
            partners = [other for other in round_.seating.partners(seat) if round_.has_cards(other)]
            aimed = sorted(partners) if variant.dog_is_aimed else []
            assert list(variant.dog_targets(round_, seat)) == aimed
            if variant.fixed_partners:
                assert seat in variant.lobby_teams(options)[round_.seating.teams[seat]]
        if variant.scored and len(round_.out) == len(round_.hands) - 2:
            teams = round_.seating.teams
            for seat in filter(round_.has_cards, seats_of(match)):
                across = 1 - teams[seat] if variant.last_piles_cross else teams[round_.out[0]]
                assert variant.pile_team(round_, seat) == across


@each_game
def test_fixed_partners_share_a_column(options: Options) -> None:
    """N3, T11, G1: two teams with a column each; elsewhere every player has one."""
    variant = VARIANTS[options.variant]
    columns, teams = variant.column_count(options), variant.lobby_teams(options)
    assert len(teams) == (2 if variant.fixed_partners else variant.chair_count(options))
    assert columns == (2 if variant.fixed_partners else variant.seat_count(options))


@each_game
def test_a_deck_is_dealt_completely(options: Options) -> None:
    """N1, N6: no card twice, none lost, the dealer among the seats."""
    match = new_match(options)
    deck = match.variant.deck(options)
    assert len({card_text(card) for card in deck}) == len(deck)
    match, _ = deal(match, random_deck(match, Random(0)))
    assert match.round is not None
    held = [hand.cards for hand in match.round.hands]
    held += [*match.round.opening.stock, match.round.opening.left_over]
    assert sum(cards.bit_count() for cards in held) == len(deck)
    assert match.round.dealer in match.round.seating.order


@each_variant
def test_a_match_ends(variant: Variant) -> None:
    """N80: with winners, and within 60 rounds."""
    found = list(
        takewhile(
            lambda step: len(step.match.results) < 60,
            walks(Random(5), random_options(Random(1), variant.name)),
        )
    )
    last = found[-1].match
    assert last.winners
    assert last.phase is Phase.MATCH_END
    columns = range(variant.column_count(last.options))
    assert all(column in columns for column in last.winners)
