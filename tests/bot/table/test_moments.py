"""Moments of rounds that are offered for sharing."""

from __future__ import annotations

from bot.history.played_round import played_rounds
from bot.table.moments import Moment, laid_plays, moment
from engine import Phase
from tests.bot.decided_rounds import BOMB, bombed, over, tichu
from tests.bot.games import MATCHES, batches
from tests.bot.positions import begun, lords
from tests.bot.states import state
from tests.engine.positions import round_of, table


def test_offers_a_tichu_made_by_one_card() -> None:
    assert moment(tichu("A")) == Moment("tichu", 0)
    assert moment(tichu("A", B="S2 J2")) is None, "nobody was close"
    assert moment(tichu("A", B="S2 J2", C="S3")) is None, "a partner does not count"


def test_offers_a_tichu_lost_by_one_card() -> None:
    assert moment(tichu("B")) == Moment("tichu", 0)
    assert moment(tichu("C", C="S3")) == Moment("tichu", 0), "by the partner, too"
    assert moment(tichu("D")) is None


def test_offers_a_bomb_that_wins_many_points() -> None:
    assert moment(bombed("DRAGON")) == Moment("bomb", 0)
    assert moment(bombed("SK")) is None


def test_offers_a_bomb_that_stops_or_saves_a_tichu() -> None:
    assert moment(bombed("SK", "D")) == Moment("bomb", 0)
    assert moment(bombed("SK", "A", b="S6 S7")) == Moment("bomb", 0)
    assert moment(bombed("SK", "B", b="S6 S7")) is None, "who was not bombed"


def test_offers_one_moment_at_most() -> None:
    assert moment(bombed("DRAGON", "A")) == Moment("tichu", 1)
    assert moment(bombed("DRAGON", "D", d="S2")) == Moment("tichu", 1)


def test_points_of_bombs_do_not_count_in_a_double_victory() -> None:
    hands = {"A": "S8 P8 T8 J8 S3", "B": "S6 S7", "C": "S5", "D": "DRAGON S2"}
    plays = ("D play:DRAGON", f"A {BOMB}", "A play:S3", "C play:S5")
    at = over(table("LEAD D", hands=hands), *plays)
    assert at.match.results[-1].sweep
    assert moment(at) is None


def test_bomb_on_a_partner_decides_nothing() -> None:
    hands = {"A": "S8 P8 T8 J8 S3", "B": "S6", "C": "DRAGON S5", "D": "S2 J2"}
    plays = ("C play:DRAGON", f"A {BOMB}", "A play:S3", "B play:S6", "C play:S5")
    assert moment(over(table("LEAD C", hands=hands), *plays)) is None


def test_running_rounds_and_games_without_points_have_none() -> None:
    assert moment(state(table("TURN B", trick="A S8"))) is None
    lord = begun(lords(5))
    ended = lord.with_round(round_of(lord)._replace(phase=Phase.ROUND_END))
    assert moment(state(ended)) is None


def test_replay_ends_each_trick_with_its_plays() -> None:
    """The trick of a moment is found again in the replay of its round."""
    for seed, options in MATCHES[:2]:
        changes = [change for _, _, change in batches(seed, options)]
        actions = [action for change in changes for action in change.actions]
        for played in played_rounds(options.rules, actions):
            plays = list(laid_plays(round_of(played.positions[-1].match)))
            for trick in {play.trick for play in plays}:
                end = round_of(played.positions[played.trick_end(trick)].match)
                cards = [play.combination for play in plays if play.trick == trick]
                shown = [play.combination for play in laid_plays(end) if play.trick == trick]
                assert shown == cards
