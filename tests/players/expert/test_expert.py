"""Decisions of the Expert: legal, the same for the same seed, and obvious ones right."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from bench.rounds import play_round, shuffled
from engine import (
    Action,
    AnswerGrand,
    CallTichu,
    Match,
    Options,
    Phase,
    View,
    apply,
    can,
    deal,
    new_match,
    view,
    write_action,
)
from players.expert import search, thinking
from players.expert.bets import BARS
from players.expert.choices import Choice, choices
from players.expert.kernels import Kernels
from players.expert.search import Question
from players.expert.thinking import Expert
from players.expert.two_decks.search import Question as QuestionOfTwo
from players.levels import advise, choose
from players.limit import Limit
from tests.campaign import SOAK
from tests.players.novice.table import position

PLAYOUTS = 24 if SOAK else 12
ROUNDS = 20 if SOAK else 1
STARTED = "started 0 1 2 3"


class Quick:
    """An Expert with few playouts."""

    def choose(self, view: View, rng: random.Random) -> Action | None:
        return choose("expert", view, rng.getrandbits(32), 0.0, PLAYOUTS)


@pytest.mark.parametrize(
    "game", ["nanjing", "trichu", "tientsin", "grandseigneur 5", "grandseigneur 7"]
)
def test_whole_rounds_are_legal(game: str) -> None:
    """Also with two decks."""
    name, _, players = game.partition(" ")
    options = Options.from_values(name, {"players": int(players)} if players else {})
    match = new_match(options)
    rng = random.Random(5)

    def watch(match: Match, seat: int, action: Action, _: float) -> None:
        assert can(match, action)

    for _ in range(ROUNDS):
        if match.phase is Phase.MATCH_END:
            match = new_match(options)
        seats = [Quick()] * match.variant.seat_count(match.options)
        match = play_round(match, seats, shuffled(match, rng), rng, watch)


def decision(
    phase: str,
    hand: str,
    trick: str = "-",
    sizes: Mapping[int, int] | None = None,
    lines: Sequence[str] = (),
) -> str:
    match = position(phase, hand, trick, sizes, lines)
    action = choose("expert", view(match, 0), 1, 0.0, 400)
    assert action is not None
    assert can(match, action)
    return write_action(action)


def test_the_same_seed_gives_the_same_answer() -> None:
    match = position("LEAD 0", "J3 S4 P5 T6 J7 S9 P9 JK SK JA DRAGON")
    found = {write_action(a) for _ in range(3) if (a := choose("expert", view(match, 0), 7, 0, 50))}
    assert len(found) == 1


def test_goes_out_when_it_can() -> None:
    assert decision("TURN 0", "J9 S9", "1 P8,T8", lines=[STARTED]) == "play:J9,S9"


def test_leaves_the_trick_to_a_partner_who_goes_out_first() -> None:
    found = decision(
        "TURN 0",
        "J3 S5 P9 JA",
        "2 SQ",
        sizes={1: 9, 2: 1, 3: 9},
        lines=[STARTED, "calls - - tichu -"],
    )
    assert found == "pass"


def test_stops_a_caller_who_has_one_card() -> None:
    """Inference is off: a position without past tricks is misleading about a caller."""
    lines = [STARTED, "calls - tichu - -"]
    match = position("LEAD 0", "J3 S6 P6 JK", sizes={1: 1, 2: 7, 3: 8}, lines=lines)
    expert = Expert(infers=False)
    action = expert.choose(view(match, 0), random.Random(1), Limit(0.0, 3000))
    assert action is not None
    assert write_action(action) == "play:S6,P6"


def test_bets_on_a_hand_that_cannot_lose() -> None:
    hand = "JA SA PA DRAGON PHOENIX JK SK PK TK J9 S9 P9 T9 J4"
    match = position("LEAD 0", hand, sizes={1: 14, 2: 14, 3: 14})
    assert choose("expert", view(match, 0), 1, 0.0, 400) == CallTichu(0)


def test_does_not_bet_on_a_good_hand_over_the_call_of_an_opponent() -> None:
    hand = "JA DRAGON PHOENIX SQ SK J9 S9 P10 S8 J7 S7 T4 J4 S4"
    for calls, bets in (("- - - -", True), ("- tichu - -", False)):
        sizes, lines = {1: 14, 2: 14, 3: 14}, [f"calls {calls}"]
        match = position("LEAD 0", hand, sizes=sizes, lines=lines)
        action = choose("expert", view(match, 0), 1, 0.0, 400)
        assert isinstance(action, CallTichu) == bets


def test_considers_no_call_that_can_only_fail() -> None:
    """A seat that has not played may still call after another one is out."""
    hand = "JA SA PA DRAGON PHOENIX JK SK PK TK J9 S9 P9 T9 J4"
    for size, considers in ((14, True), (0, False)):
        lines = [] if size else ["out 1", "started 1"]
        seen = view(position("LEAD 0", hand, sizes={1: size, 2: 14, 3: 14}, lines=lines), 0)
        assert CallTichu(0) in seen.actions
        assert Expert().considers_tichu(seen) == considers


class Exact(Kernels):
    """Kernels that know the results of two choices: 30 points and -170."""

    def compare(
        self, question: Question | QuestionOfTwo, active: Any, deals: int, sums: Any
    ) -> bool:
        sums[:, search.WORTH] += (30.0, -170.0)
        return True


def test_a_bet_on_known_cards_counts_one_result() -> None:
    seen = view(position("LEAD 0", "JA SA P3", sizes={1: 14, 2: 14, 3: 14}), 0)
    kernels = Exact()
    best = choices(seen, 0, kernels)[0]
    pair = [best, Choice(CallTichu(0), best.numbers)]
    bet, *_ = Expert(kernels).bet(seen, pair, random.Random(1), Limit(0.0, 100), BARS)
    assert bet.gain == -200


class Counting(Kernels):
    """Kernels that count the playouts."""

    playouts = 0

    def compare(
        self, question: Question | QuestionOfTwo, active: Any, deals: int, sums: Any
    ) -> bool:
        self.playouts += deals * len(active)
        return super().compare(question, active, deals, sums)


def test_an_exchange_gets_more_playouts_than_a_play() -> None:
    match = new_match(Options())
    match, _ = deal(match, shuffled(match, random.Random(1)))
    for seat in range(4):
        match, _ = apply(match, AnswerGrand(seat, False))
    plays = position("LEAD 0", "J3 S4 P5 T6 J7 S9 P9 JK SK JA DRAGON", lines=[STARTED])
    used = []
    for asked in (match, plays):
        kernels = Counting()
        Expert(kernels).weigh(view(asked, 0), random.Random(1), Limit(0.0, 400))
        used.append(kernels.playouts)
    assert 1600 <= used[0] <= 1800
    assert used[1] <= 500


def test_plays_get_more_playouts_after_a_call() -> None:
    """Most after a call of the own team; seat 2 is the partner of seat 0."""
    hand, used = "J3 S4 P6 T7 J8 S10 PJ TQ JK", {}
    for calls in ("- - - -", "- tichu - -", "- - tichu -"):
        lines = [STARTED, f"calls {calls}"]
        match = position("LEAD 0", hand, sizes={1: 9, 2: 9, 3: 9}, lines=lines)
        kernels = Counting()
        Expert(kernels).weigh(view(match, 0), random.Random(1), Limit(0.0, 160))
        used[calls] = kernels.playouts
    none, theirs, ours = used.values()
    assert theirs > 1.5 * none
    assert ours > 6 * none


class Ticking(Kernels):
    """Kernels that find all choices equal; each comparison takes 1 ms of their own clock."""

    now = 0.0

    def compare(
        self, question: Question | QuestionOfTwo, active: Any, deals: int, sums: Any
    ) -> bool:
        self.now += 0.001
        return False


def test_time_is_shared_out_as_playouts_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """An ordinary decision takes a part of the time; advice to a person takes all of it."""
    match = new_match(Options())
    match, _ = deal(match, shuffled(match, random.Random(1)))
    for seat in range(4):
        match, _ = apply(match, AnswerGrand(seat, False))
    hand, sizes = "J3 S4 P6 T7 J8 S10 PJ TQ JK", {1: 9, 2: 9, 3: 9}
    plain, theirs, ours = (
        position("LEAD 0", hand, sizes=sizes, lines=[STARTED, f"calls {calls}"])
        for calls in ("- - - -", "- tichu - -", "- - tichu -")
    )

    def seconds(asked: Match, *, advice: bool = False) -> float:
        """Return the seconds the Expert thinks with a limit of two seconds."""
        kernels = Ticking()
        monkeypatch.setattr(thinking, "monotonic", lambda: kernels.now)
        monkeypatch.setattr(thinking, "custom", lambda view, choice, kernels: 0.0)
        expert = Expert(kernels, learned=False)
        decide = expert.weigh if advice else expert.choose
        decide(view(asked, 0), random.Random(1), Limit(2.0))
        return kernels.now

    used = [seconds(asked) for asked in (plain, theirs, ours, match)]
    assert used == pytest.approx([0.5, 1.0, 2.0, 2.0], abs=0.02)
    assert seconds(plain, advice=True) == pytest.approx(2.0, abs=0.02)


def test_does_not_bet_on_a_poor_hand() -> None:
    hand = "J2 S3 P3 J5 S6 P6 J8 S8 J9 P10 JJ SQ PQ DOG"
    match = position("LEAD 0", hand, sizes={1: 14, 2: 14, 3: 14})
    assert not isinstance(choose("expert", view(match, 0), 1, 0.0, 400), CallTichu)


@pytest.mark.parametrize("target", [100, 1000, 5000])
@pytest.mark.parametrize("totals", ["0 0", "-900 950", "950 -900", "1345 1345", "4900 4600"])
def test_it_bets_and_plays_at_any_score(totals: str, target: int) -> None:
    hand = "JA SA PA DRAGON PHOENIX JK SK PK TK J9 S9 P9 T9 J4"
    game = f'nanjing {{"target": {target}}}'
    sizes, lines = {1: 14, 2: 14, 3: 14}, [f"totals {totals}"]
    match = position("LEAD 0", hand, sizes=sizes, lines=lines, game=game)
    action = choose("expert", view(match, 0), 1, 0.0, 100)
    assert action is not None
    assert can(match, action)


def test_advice_is_the_choice_and_the_next_best() -> None:
    match = position("LEAD 0", "J3 S4 P5 T6 J7 S9 P9 JK SK JA DRAGON", lines=[STARTED])
    advice = advise(view(match, 0), 3, 0.0, 300)
    assert len(advice) == 3
    assert all(can(match, one.action) for one in advice)
    assert advice[0].points >= advice[-1].points - 30
    assert advice[0].action == choose("expert", view(match, 0), 3, 0.0, 300)


def test_advice_is_the_bet_that_it_would_make() -> None:
    hand = "JA SA PA DRAGON PHOENIX JK SK PK TK J9 S9 P9 T9 J4"
    match = position("LEAD 0", hand, sizes={1: 14, 2: 14, 3: 14})
    advice = advise(view(match, 0), 1, 0.0, 400)
    assert advice[0].action == CallTichu(0)
    assert len(advice) == 3
    assert all(can(match, one.action) for one in advice)


def test_there_is_no_advice_on_a_withdrawal() -> None:
    lines = ["answers yes no yes no", "calls grand - grand -", "asked 0"]
    match = position("GRAND 0", "JA SA PA DRAGON PHOENIX JK SK PK", lines=lines)
    assert advise(view(match, 0), 1, 0.0, 100) == ()


def test_a_choice_without_another_one_has_its_points_all_the_same() -> None:
    match = position("TURN 0", "J3 S4", "1 JA", lines=[STARTED])
    advice = advise(view(match, 0), 1, 0.0, 200)
    assert [write_action(one.action) for one in advice] == ["pass"]
    assert advice[0].points != 0.0


def test_there_is_no_advice_for_somebody_who_is_not_asked() -> None:
    match = position("TURN 1", "J3 S4 P5 T6 J7 S9 P9 JK SK JA DRAGON", "0 J2")
    assert advise(view(match, 0), 3, 0.0, 300) == ()
