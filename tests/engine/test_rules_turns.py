"""Turns, passes, the Dog, bomb windows and winners of tricks (rules section 3 and 5)."""

from __future__ import annotations

from engine import BombsReturned, LeadGiven, Match, Passed, Played, TrickTaken, WentOut, view
from tests.cases import each
from tests.engine.positions import (
    SEATS,
    after,
    hand_of,
    outcome,
    phase_of,
    pile_of,
    plays_of,
    refused,
    round_of,
    table,
    top_of,
)

BOMBS = {"A": "J2,S2,P2,T2", "B": "J3,S3,P3,T3", "C": "J4,S4,P4,T4", "D": "J5,S5,P5,T5"}
BOMB_HANDS = {seat: bomb.replace(",", " ") + " +3" for seat, bomb in BOMBS.items()}


def window(
    last: str = "A", direction: str = "anticlockwise", hands: dict[str, str] | None = None
) -> Match:
    """Return the window on a single ace; by default everybody has a bomb of four."""
    following = SEATS[(SEATS.index(last) + (1 if direction == "anticlockwise" else -1)) % 4]
    return table(
        f"WINDOW {following}",
        hands=BOMB_HANDS if hands is None else hands,
        trick=f"{last} SA",
        options={"direction": direction},
    )


def bombs(match: Match, seats: str) -> Match:
    """Return the match after these seats submitted their bombs in this order."""
    return after(match, *(f"{seat} bomb:{BOMBS[seat]}" for seat in seats))


@each("direction, order", [("anticlockwise", "BCD"), ("clockwise", "DCB")])
def test_turns_go_round(direction: str, order: str) -> None:
    """N3, N17, N19, N20, N21, N24."""
    match = table("LEAD A", hands={"A": "S9 +5"}, options={"direction": direction})
    match = after(match, "A play:S9", "clock close")
    for seat in order:
        assert phase_of(match) == f"TURN {seat}"
        for other in SEATS.replace(seat, ""):
            refused(match, f"{other} pass", "not-your-turn", "N17")
        match, events = outcome(match, f"{seat} pass")
        assert events == [Passed(SEATS.index(seat))]
    assert phase_of(match) == "CLOSING A"
    match, events = outcome(match, "clock close")
    assert events == [TrickTaken(0, 0)]
    assert phase_of(match) == "LEAD A"


def test_passes_count_from_the_last_play() -> None:
    """N19, N20."""
    hands = {"A": "S9 SK +3", "B": "S10 +4", "C": "SJ +4"}
    match = table("LEAD A", hands=hands)
    match = after(match, "A play:S9", "clock close", "B play:S10", "clock close")
    match = after(match, "C play:SJ", "clock close", "D pass")
    assert phase_of(match) == "TURN A"
    match = after(match, "A play:SK", "clock close", "B pass", "C pass")
    assert phase_of(match) == "TURN D"
    match = after(match, "D pass", "clock close")
    assert pile_of(match, "A") == "S9 S10 SJ SK"


@each("direction, leader", [("anticlockwise", "B"), ("clockwise", "D")])
def test_who_is_out_gathers_and_the_next_leads(direction: str, leader: str) -> None:
    """N22, N23; section 3, step 7: the passes of all active players are needed."""
    match = table("LEAD A", hands={"A": "S10"}, options={"direction": direction})
    match, events = outcome(match, "A play:S10")
    assert WentOut(0, 1) in events
    match = after(match, "clock close")
    for number in range(3):
        assert phase_of(match).startswith("TURN"), number
        match = after(match, f"{phase_of(match)[-1]} pass")
    assert phase_of(match) == f"CLOSING {leader}"
    match = after(match, "clock close")
    assert phase_of(match) == f"LEAD {leader}"
    assert pile_of(match, "A") == "S10"
    refused(match, "A play:S10", "already-out", "N23")
    refused(match, "A tichu", "wrong-phase", "N71")


def test_passes_with_two_players_out() -> None:
    """N20, N22, N23: two passes when the last player is out, else one."""
    match = table("TURN C", trick="A S10", out="BA")
    match = after(match, "C pass", "D pass", "clock close")
    assert phase_of(match) == "LEAD C"
    match = table("LEAD A", hands={"A": "S10 +4", "D": "+4"}, out="BC")
    match = after(match, "A play:S10", "clock close", "D pass", "clock close")
    assert phase_of(match) == "LEAD A"


def test_a_led_dog_goes_to_the_partner() -> None:
    """N38, N39; section 5."""
    for seat, partner in zip(SEATS, "CDAB", strict=True):
        match = table(f"LEAD {seat}", hands={seat: "DOG +3"})
        match, events = outcome(match, f"{seat} play:DOG")
        assert events[1:] == [LeadGiven(SEATS.index(seat), SEATS.index(partner))]
        assert phase_of(match) == f"LEAD {partner}"
        assert round_of(match).started == 1 << SEATS.index(seat)
        refused(match, f"{partner} pass", "must-lead", "N18")


@each(
    "direction, seat, out, leader",
    [
        ("anticlockwise", "A", "C", "D"),
        ("clockwise", "A", "C", "B"),
        ("anticlockwise", "A", "DC", "A"),
        ("clockwise", "A", "CD", "B"),
        ("anticlockwise", "B", "D", "A"),
        ("clockwise", "D", "BA", "D"),
    ],
)
def test_the_dogs_walk(direction: str, seat: str, out: str, leader: str) -> None:
    """N24, N40: from the partner's seat on, maybe back to the Dog's player."""
    options = {"direction": direction}
    match = table(f"LEAD {seat}", hands={seat: "DOG +3"}, out=out, options=options)
    assert phase_of(after(match, f"{seat} play:DOG")) == f"LEAD {leader}"


def test_the_dog_as_last_card() -> None:
    """N40; section 5: out first, then the walk."""
    match = table("LEAD A", hands={"A": "DOG"})
    match, events = outcome(match, "A play:DOG")
    assert events[1:] == [WentOut(0, 1), LeadGiven(0, 2)]
    assert phase_of(match) == "LEAD C"
    match = table("LEAD A", hands={"A": "DOG"}, out="D", past=["D S5 => D"])
    assert phase_of(after(match, "A play:DOG")) == "LEAD C"
    match = table("LEAD A", hands={"A": "DOG", "B": "S4 +3", "C": "+3", "D": "+3"})
    match = after(match, "A play:DOG")
    refused(match, "B bomb:S4", "lead-not-bombable", "N58")


def test_sealed_bombs_stay_hidden() -> None:
    """N56, N61; section 3, step 2."""
    match = window()
    before = [view(match, seat) for seat in range(4)]
    match, events = outcome(match, f"C bomb:{BOMBS['C']}")
    assert events == []
    assert [view(match, seat) for seat in (0, 1, 3)] == [before[0], before[1], before[3]]
    mine = view(match, 2).submitted
    assert mine is not None
    assert mine.rank == 4
    assert plays_of(match, "C") == []
    refused(match, f"C bomb:{BOMBS['C']}", "already-submitted", "N61")
    refused(match, "C waive", "already-submitted", "N61")


@each("direction, order", [("anticlockwise", "BCDA"), ("clockwise", "DCBA")])
@each("handed_in", ["ABCD", "DCBA", "CADB"])
def test_turn_order_decides_between_bombs(direction: str, order: str, handed_in: str) -> None:
    """N24, N59, N61: counted from the seat after the last player, who comes last."""
    left = order
    while left:
        match = bombs(window(direction=direction), "".join(s for s in handed_in if s in left))
        match, events = outcome(match, "clock close")
        winner, returned = left[0], tuple(SEATS.index(seat) for seat in left[1:])
        assert round_of(match).top_seat == SEATS.index(winner)
        assert events[: len(events) - 1] == ([BombsReturned(returned)] if returned else [])
        played = events[-1]
        assert isinstance(played, Played)
        assert played.combination.rank == 2 + SEATS.index(winner)
        assert phase_of(match)[:6] == "WINDOW"
        for seat in left[1:]:
            assert BOMBS[seat].replace(",", " ") in hand_of(match, seat)
        assert round_of(match).submitted == ()
        left = left[1:]


def test_a_later_bomb_must_beat_the_earlier() -> None:
    """N55, N61."""
    match = bombs(window(), "BCD")
    match = after(match, "clock close")  # B's threes lie
    refused(match, f"A bomb:{BOMBS['A']}", "does-not-beat", "N55")
    match = after(bombs(match, "CD"), "clock close")
    assert round_of(match).top_seat == 2
    match = after(bombs(match, "D"), "clock close", "clock close")
    assert phase_of(match) == "TURN A"
    for seat in "ABC":
        match = after(match, f"{seat} pass")
    match = after(match, "clock close")
    assert pile_of(match, "D") == "J3 S3 P3 T3 J4 S4 P4 T4 J5 S5 P5 T5 SA"


def test_one_can_bomb_ones_own_bomb() -> None:
    """N59."""
    hands = {"A": "J2 S2 P2 T2 J7 S7 P7 T7 +2"}
    match = table("LEAD A", hands=hands)
    match = after(match, "A play:J2,S2,P2,T2", "A bomb:J7,S7,P7,T7", "clock close", "clock close")
    assert top_of(match).rank == 7
    match = after(match, "B pass", "C pass", "D pass")
    assert phase_of(match) == "CLOSING A"


def test_waiving_closes_when_all_with_four_cards_have() -> None:
    """N60; section 3, step 2."""
    hands = {"A": "+4", "B": "+3", "C": "+5", "D": "+1"}
    match = window(hands=hands)
    refused(match, "B waive", "already-waived", "N61")
    refused(match, "D waive", "already-waived", "N61")
    match = after(match, "C waive")
    assert phase_of(match) == "WINDOW B"
    assert view(match, 2).waived
    assert not view(match, 0).waived
    refused(match, "C waive", "already-waived", "N61")
    match, events = outcome(match, "A waive")
    assert events == []
    assert phase_of(match) == "TURN B"
    assert round_of(match).waived == 0


def test_who_waived_cannot_bomb_in_that_window() -> None:
    """N61."""
    match = after(window(), "B waive")
    refused(match, f"B bomb:{BOMBS['B']}", "already-waived", "N61")
    after(match, "clock close", f"C bomb:{BOMBS['C']}", "B waive")
    later = after(match, "clock close", f"C bomb:{BOMBS['C']}")
    refused(later, f"B bomb:{BOMBS['B']}", "does-not-beat", "N55")


def test_a_window_does_not_close_because_nobody_has_a_bomb() -> None:
    """N8, N60; section 3, step 2: closing would reveal facts about the hands."""
    hands = {"A": "S9 SK SQ SJ S2", "B": "S3 P5 T7 J9", "C": "P3 P6 P8 P10", "D": "T2 T4 T6 T8"}
    match = after(table("LEAD A", hands=hands), "A play:SK")
    assert phase_of(match) == "WINDOW B"
    for seat in "ABC":
        match = after(match, f"{seat} waive")
        assert phase_of(match) == "WINDOW B"
    match = after(match, "D waive")
    assert phase_of(match) == "TURN B"
    match = after(match, "B pass", "C pass", "D pass")
    assert phase_of(match) == "CLOSING A"
    match = after(match, "D waive", "C waive", "B waive", "A waive")
    assert phase_of(match) == "LEAD A"


def test_a_window_waits_for_the_clock_once_a_bomb_is_in() -> None:
    """N61; section 3, step 2."""
    match = after(bombs(window(), "C"), "A waive", "B waive", "D waive")
    assert phase_of(match) == "WINDOW B"
    match = after(match, "clock close")
    assert round_of(match).top_seat == 2


def test_no_window_when_nobody_has_four_cards() -> None:
    """N60; section 3, step 2: three cards are no bomb, as everybody can see."""
    hands = {"A": "SK S5 +2", "B": "+3", "C": "+3", "D": "+2"}
    match = after(table("LEAD A", hands=hands), "A play:SK")
    assert phase_of(match) == "TURN B"
    match = after(match, "B pass", "C pass")
    match, events = outcome(match, "D pass")
    assert events == [Passed(3), TrickTaken(0, 10)]
    assert phase_of(match) == "LEAD A"
    hands["D"] = "+4"
    assert phase_of(after(table("LEAD A", hands=hands), "A play:SK")) == "WINDOW B"


def test_in_a_window_only_bombs() -> None:
    """N56, N60; section 3."""
    match = window(hands={"B": "J3 S3 P3 T3 DRAGON", "C": "+3", "D": "+4"})
    refused(match, "B play:DRAGON", "window-open", "N60")
    refused(match, "B play:J3,S3,P3,T3", "window-open", "N60")
    refused(match, "B pass", "window-open", "N60")
    refused(match, "B bomb:DRAGON", "not-a-bomb", "N53")
    refused(match, "B bomb:J3,S3,P3", "not-a-bomb", "N53")
    refused(match, "D bomb:J3,S3,P3,T3", "not-held", "N56")
    refused(match, "B give:A", "no-gift-due", "N49")
    refused(match, "B grand:yes", "grand-too-late", "N11")
    refused(match, "B pass-cards:J3>A,S3>C,P3>D", "wrong-phase", "N9")


def test_a_bomb_in_anothers_turn_lies_at_once() -> None:
    """N56, N63; section 3, step 4."""
    for seat in "ACD":
        match = table("TURN B", hands=BOMB_HANDS, trick="A SA")
        match, events = outcome(match, f"{seat} bomb:{BOMBS[seat]}")
        assert len(events) == 1
        following = SEATS[(SEATS.index(seat) + 1) % 4]
        assert phase_of(match) == f"WINDOW {following}"
        assert phase_of(after(match, "clock close")) == f"TURN {following}"
    match = table("TURN B", hands=BOMB_HANDS, trick="A SA")
    refused(match, f"B bomb:{BOMBS['B']}", "bomb-in-own-turn", "N33")
    refused(match, "A waive", "no-window", "N60")
    refused(match, "clock close", "no-window", "N60")
    after(match, f"B play:{BOMBS['B']}")


def test_a_bomb_after_having_passed() -> None:
    """N56."""
    match = table("TURN D", hands=BOMB_HANDS, trick="A SA | B pass | C pass")
    match = after(match, f"B bomb:{BOMBS['B']}", "clock close")
    assert phase_of(match) == "TURN C"
    assert round_of(match).passes == 0


def test_a_bomb_before_the_trick_is_gathered() -> None:
    """N60, N63: it reopens the trick."""
    match = table("CLOSING A", hands=BOMB_HANDS, trick="A SA | B pass | C pass | D pass")
    match = after(match, f"A bomb:{BOMBS['A']}", f"D bomb:{BOMBS['D']}", "clock close")
    assert round_of(match).top_seat == 3
    match = after(match, "clock close")
    assert phase_of(match) == "TURN A"
    match = after(match, "A pass", "B pass", "C pass", "clock close")
    assert phase_of(match) == "LEAD D"
    assert pile_of(match, "D") == "J5 S5 P5 T5 SA"
    assert pile_of(match, "A") == ""


def test_no_bomb_before_a_lead() -> None:
    """N58."""
    match = table("LEAD A", hands=BOMB_HANDS)
    for seat in SEATS:
        refused(match, f"{seat} bomb:{BOMBS[seat]}", "lead-not-bombable", "N58")
        refused(match, f"{seat} waive", "no-window", "N60")
    assert top_of(after(match, f"A play:{BOMBS['A']}")).is_bomb


def test_who_is_out_does_not_bomb() -> None:
    """N23, N56."""
    match = table("WINDOW B", hands=BOMB_HANDS | {"C": ""}, trick="A SA", out="C")
    refused(match, f"C bomb:{BOMBS['C']}", "already-out", "N23")
    refused(match, "C waive", "already-waived", "N61")


def test_going_out_with_a_bomb() -> None:
    """N22, N63; section 3, steps 6 and 7."""
    match = window(hands={"B": "+4", "C": "J4 S4 P4 T4", "D": "+4"})
    match, events = outcome(after(match, f"C bomb:{BOMBS['C']}"), "clock close")
    assert WentOut(2, 1) in events
    assert phase_of(match) == "WINDOW D"
    match = after(match, "clock close", "D pass", "A pass", "B pass", "clock close")
    assert phase_of(match) == "LEAD D"
    assert pile_of(match, "C") == "J4 S4 P4 T4 SA"


def test_the_third_to_go_out_takes_the_trick_at_once() -> None:
    """N64, N67, C4: no window although the tailender has a bomb."""
    match = table("TURN C", hands={"C": "SA", "D": "J5 S5 P5 T5 +3"}, trick="D SK", out="AB")
    match, events = outcome(match, "C play:SA")
    assert [type(event).__name__ for event in events] == [
        "Played",
        "WentOut",
        "TrickTaken",
        "RoundEnded",
    ]
    assert pile_of(match, "C") == "SK SA"
    refused(match, "D bomb:J5,S5,P5,T5", "wrong-phase", "N64")


def test_the_third_to_go_out_may_bomb_out_of_turn() -> None:
    """N56, N64, N67."""
    match = table("TURN D", hands={"C": "J4 S4 P4 T4", "D": "+5"}, trick="D SK | C pass", out="AB")
    match = after(match, f"C bomb:{BOMBS['C']}")
    assert phase_of(match) == "ROUND_END"
    assert pile_of(match, "C") == "J4 S4 P4 T4 SK"


def test_leads_are_anything_but_a_pass() -> None:
    """N12, N13, N18, N57."""
    match = table("LEAD A", hands={"A": "S8 P8 DOG J2 S2 P2 T2 PHOENIX"})
    refused(match, "A pass", "must-lead", "N18")
    assert "play:DOG" in plays_of(match, "A")
    assert "play:J2,S2,P2,T2" in plays_of(match, "A")
    assert "play:PHOENIX" in plays_of(match, "A")
    assert "play:S8,P8" in plays_of(match, "A")
    assert "pass" not in plays_of(match, "A")
    refused(match, "A play:DOG to=2", "dog-target", "N39")
    refused(match, "A play:S8 to=2", "dog-target", "N39")
    refused(match, "A play:S9", "not-held", "N13")
