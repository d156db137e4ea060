"""Commands of people at a table: permissions, conditions, and refusals without effect."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Iterator
from inspect import isabstract

import pytest

from bot.errors import Refused, Stale
from bot.ids import ClubEventId, Revision, RoleId, UserId
from bot.records import PersonalSettings
from bot.table.commands import (
    AcceptSeat,
    Act,
    AddComputer,
    Admit,
    ChangeOption,
    ChangeOptions,
    CheckIn,
    CloseLobby,
    ComeBack,
    Command,
    Context,
    DeclineSeat,
    Fill,
    FollowSettings,
    GiveCards,
    GoOn,
    HoldWindow,
    Invite,
    InviteRole,
    Join,
    KeepSeat,
    LeadDog,
    Leave,
    LeaveToComputer,
    MoveDeadline,
    OfferSeat,
    PassTrick,
    Pause,
    PlayOn,
    Ready,
    Remove,
    ReplaceHost,
    SetSpeed,
    Shuffle,
    Start,
    StayOut,
    SwapSeats,
    TakeBack,
    TakeOver,
    ThrowBomb,
    VoteToStop,
)
from bot.table.dealing import Prepared
from bot.table.inviting import Guest
from bot.table.options import TURN_BASED_S, EventLink, TableOptions
from bot.table.outcome import Outcome
from bot.table.permission import OWN_SEAT, acting_seat, bombs_on
from bot.table.state import OpenTable, play_to_beat_id, trick_id
from engine import (
    AnswerGrand,
    CallTichu,
    IllegalAction,
    Options,
    Pass,
    Play,
    apply,
    deal,
    indices,
    new_match,
    read_cards,
    view,
)
from tests.bot.asking import played
from tests.bot.positions import TRICHU, position
from tests.bot.states import HOST, NAMES, NOON, chairs, state
from tests.engine.positions import after, step, table

BEN, CLEO, EVE = UserId(HOST + 1), UserId(HOST + 2), UserId(777)
SEAL = {"sealed": "5e" * 32}
BOMB = "S4 P4 J4 T4"

TURN = table("TURN B", trick="A S8", hands={"B": "S9 +4", "C": f"{BOMB} +3"})
WINDOW = table("WINDOW B", trick="A S8,P8", hands={"B": "S9 P9 +5", "C": f"{BOMB} +3"})
OVER = after(table("LEAD C", hands={"C": "S9"}, out="AB"), "C play:S9")
NINE = step(TURN, "B play:S9")
CARDS = read_cards(BOMB)
TARGET, TRICK = play_to_beat_id(view(WINDOW, 2)), trick_id(view(WINDOW, 2))

LOBBY = state(chairs=chairs(computers=(1,), empty=(3,)), details=SEAL)
GAME = state(WINDOW, revision=7, details=SEAL | {"offers": {0: EVE}, "premoves": {1: "pass"}})
BETWEEN = state(OVER, chairs=chairs(computers=(1,)), details=SEAL | {"left": (EVE,)})
ENDED = state(WINDOW, status="stopped", details=SEAL)
EXPIRED = state(status="expired", details=SEAL)

GUEST = Guest(EVE, "Eve")
IN_A_LOBBY = (
    *(Join("Eve"), Join("Eve", 1), Leave(), Fill(), ChangeOption("hints", "on"), Start()),
    ChangeOptions((("hints", "on"),), TableOptions().digest),
    *(
        AddComputer(3, Revision(0)),
        Remove(1, Revision(0)),
        SwapSeats(0, 1, Revision(0)),
        Invite((GUEST,)),
        InviteRole(RoleId(9)),
        ReplaceHost(HOST),
        CheckIn(),
        CloseLobby(),
        MoveDeadline(NOON),
    ),
)
IN_A_GAME = (
    *(
        Act(Pass(0)),
        Act(Pass(0), Revision(7)),
        ThrowBomb(0, CARDS, TARGET),
        PassTrick(0, True, TRICK),
    ),
    *(
        Act(Pass(OWN_SEAT)),
        GiveCards(OWN_SEAT, (), Revision(7)),
        LeadDog(OWN_SEAT, Revision(7)),
        TakeBack(OWN_SEAT, Revision(7)),
    ),
    *(
        TakeBack(0, Revision(7)),
        GoOn(Revision(7)),
        HoldWindow(1),
        ComeBack(),
        Pause(True),
        SetSpeed("quick"),
        Ready(Revision(7)),
        PlayOn(),
    ),
    *(LeaveToComputer(), OfferSeat(EVE, "Eve"), KeepSeat()),
    *(AcceptSeat("Eve", 0), DeclineSeat(0), TakeOver("Eve", 1), StayOut()),
    FollowSettings(PersonalSettings(auto_pass=True)),
)


def never() -> bytes:
    raise AssertionError("what is refused draws no secret")


def nor_this(at: OpenTable) -> Prepared:
    raise AssertionError("what is refused prepares no deal")


def refused(at: OpenTable, user_id: UserId, command: Command) -> str:
    """Return the reason of a refusal; check that nothing changed and no random number was drawn."""
    before = copy.deepcopy(at)
    with pytest.raises((Refused, IllegalAction)) as error:
        command.carry_out(at, user_id, Context(NOON, never, nor_this))
    assert at == before
    assert isinstance(error.value, Refused | IllegalAction)
    return error.value.code


def done(at: OpenTable, user_id: UserId, command: Command) -> Outcome:
    """Return the outcome of a command; check that the given table is unchanged."""
    before = copy.deepcopy(at)
    outcome = command.carry_out(at, user_id, Context(NOON, lambda: b"\1" * 32))
    assert at == before
    assert outcome is not None
    return outcome


# --- refusals --------------------------------------------------------------------------------

FULL = state(details=SEAL)
CARRIED = state(position(TRICHU, "TURN 3", trick="2 S8"), chairs=chairs(NAMES[:3]), details=SEAL)
SIX = state(table("LEAD A", variant="tientsin", hands={"A": "DOG S8 +3"}), details=SEAL)
SIX_PEOPLE = state(options=TableOptions(rules=Options(variant="tientsin")), details=SEAL)
SEEN = TableOptions().digest
OF_THE_HOST = (
    *(AddComputer(3, Revision(0)), Remove(1, Revision(0)), SwapSeats(1, 2, Revision(0)), Fill()),
    *(ChangeOption("hints", "on"), ChangeOptions((), SEEN), Start()),
)
ON_ANOTHER_PAGE = AddComputer(3, Revision(7)), Remove(1, Revision(7)), SwapSeats(1, 2, Revision(7))
SLOW = state(WINDOW, revision=7, details=SEAL, options=TableOptions(turn_limit_s=TURN_BASED_S[0]))
LONG = state(WINDOW, details=SEAL | {"waits": {0: 2}})

INVITED = state(
    chairs=LOBBY.chairs, details=SEAL | {"invitations": {"members": (EVE,), "role_id": 9}}
)

LINK = EventLink(event=ClubEventId(1), round=1, match=0, draw=3)
OF_EVENT = state(chairs=LOBBY.chairs, details=SEAL, options=TableOptions(event=LINK))
ENTRANTS_ONLY = TableOptions(event=LINK.model_copy(update={"entrants_only": True}))
ENTRANTS = SEAL | {"invitations": {"entrants": (HOST, BEN, CLEO)}}
OF_ENTRANTS = state(chairs=LOBBY.chairs, details=ENTRANTS, options=ENTRANTS_ONLY)
RUNS_FOR_ENTRANTS = state(
    OVER, chairs=chairs(computers=(3,)), details=ENTRANTS, options=ENTRANTS_ONLY
)
NOT_AT_EVENTS = (
    *(command for command in OF_THE_HOST if not isinstance(command, Start)),
    *(Invite((GUEST,)), InviteRole(RoleId(9)), VoteToStop()),
)

REFUSALS: tuple[tuple[OpenTable, int, Command, str], ...] = (
    (LOBBY, HOST, Join("Ada"), "already-seated"),
    (FULL, EVE, Join("Eve"), "table-full"),
    (GAME, EVE, ReplaceHost(HOST), "already-started"),
    (LOBBY, EVE, Leave(), "not-seated"),
    (LOBBY, CLEO, Join("Cleo", 0), "already-seated"),
    (LOBBY, CLEO, Join("Cleo"), "already-seated"),
    (LOBBY, EVE, Join("Eve", 0), "team-full"),
    (FULL, EVE, Join("Eve", 0), "table-full"),
    (FULL, HOST, AddComputer(0, Revision(0)), "seat-taken"),
    (LOBBY, HOST, Remove(3, Revision(0)), "no-such-seat"),
    (LOBBY, HOST, Remove(0, Revision(0)), "no-such-seat"),
    (LOBBY, HOST, SwapSeats(0, 4, Revision(0)), "no-such-seat"),
    *((LOBBY, CLEO, command, "host-only") for command in OF_THE_HOST),
    *((LOBBY, HOST, command, "stale") for command in ON_ANOTHER_PAGE),
    (LOBBY, HOST, ChangeOption("hints", "perhaps"), "unknown-button"),
    (LOBBY, HOST, ChangeOption("first_dealer", "1"), "unknown-button"),
    (LOBBY, HOST, ChangeOption("turn_limit_s", "86400"), "needs-thread"),
    (LOBBY, HOST, ChangeOption("variant", "poker"), "option"),
    (LOBBY, HOST, ChangeOption("target", "123"), "option"),
    (LOBBY, HOST, ChangeOption("rounds", "9"), "option-of-other-game"),
    (SIX_PEOPLE, HOST, ChangeOption("variant", "nanjing"), "too-many-people"),
    (LOBBY, HOST, ChangeOptions((("hints", "on"),), "0" * 16), "chosen-meanwhile"),
    (LOBBY, HOST, ChangeOptions((("turn_limit_s", "86400"),), SEEN), "needs-thread"),
    (LOBBY, HOST, ChangeOptions((("target", "500"), ("target", "7")), SEEN), "option"),
    (LOBBY, EVE, Invite((GUEST,)), "not-seated"),
    (LOBBY, EVE, InviteRole(RoleId(9)), "not-seated"),
    (FULL, HOST, Invite((GUEST,)), "table-full"),
    (FULL, HOST, InviteRole(RoleId(9)), "table-full"),
    (INVITED, HOST, Invite((Guest(UserId(778), "Finn"), GUEST)), "invited-already"),
    (INVITED, HOST, InviteRole(RoleId(10)), "role-called-already"),
    (LOBBY, HOST, Invite((Guest(CLEO, "Cleo"),)), "member-seated"),
    (LOBBY, HOST, Invite((GUEST._replace(is_bot=True),)), "member-is-bot"),
    (LOBBY, HOST, Invite((GUEST._replace(sees=False),)), "sees-no-channel"),
    *((OF_EVENT, HOST, command, "table-of-event") for command in NOT_AT_EVENTS),
    (OF_EVENT, EVE, CheckIn(), "not-seated"),
    *((LOBBY, HOST, each, "unknown-button") for each in (CheckIn(), MoveDeadline(NOON), Admit(()))),
    (OF_ENTRANTS, EVE, Join("Eve"), "entrants-only"),
    (OF_ENTRANTS, CLEO, Join("Cleo", 1), "already-seated"),
    (RUNS_FOR_ENTRANTS, EVE, TakeOver("Eve"), "entrants-only"),
    (RUNS_FOR_ENTRANTS, HOST, OfferSeat(EVE, "Eve"), "entrants-only"),
    (GAME, HOST, CloseLobby(), "already-started"),
    (LOBBY, CLEO, Start(), "host-only"),
    (LOBBY, HOST, Start(), "seats-empty"),
    (state(chairs=chairs(computers=range(4)), details=SEAL), HOST, Start(), "nobody-plays"),
    (GAME, EVE, Act(Pass(1), Revision(7)), "not-seated"),
    (GAME, HOST, Act(Pass(1), Revision(7)), "not-your-hand"),
    (GAME, BEN, Act(NINE, Revision(6)), "stale"),
    (GAME, BEN, Act(NINE, Revision(8)), "stale"),
    (GAME, HOST, Act(Pass(1), Revision(6)), "stale"),
    (GAME, BEN, Act(NINE), "does-not-beat"),
    (GAME, CLEO, Act(Pass(2), Revision(7)), "window-open"),
    (CARRIED, BEN, Act(CallTichu(3)), "not-your-hand"),
    (GAME, EVE, GiveCards(OWN_SEAT, (), Revision(7)), "not-seated"),
    (GAME, HOST, GiveCards(1, (), Revision(7)), "not-your-hand"),
    (GAME, HOST, GiveCards(OWN_SEAT, (), Revision(6)), "stale"),
    (SIX, EVE, LeadDog(OWN_SEAT, Revision(0)), "not-seated"),
    (SIX, BEN, LeadDog(0, Revision(0)), "not-your-hand"),
    (SIX, HOST, LeadDog(OWN_SEAT, Revision(1)), "stale"),
    (SIX, HOST, LeadDog(OWN_SEAT, Revision(0)), "dog-target"),
    (SIX, HOST, LeadDog(OWN_SEAT, Revision(0), 1), "dog-target"),
    (GAME, EVE, ThrowBomb(2, CARDS, TARGET), "not-seated"),
    (GAME, BEN, ThrowBomb(2, CARDS, TARGET), "not-your-hand"),
    (GAME, CLEO, ThrowBomb(2, CARDS, "1.0.0"), "stale"),
    (GAME, CLEO, ThrowBomb(2, read_cards("S5 P5 J5 T5"), TARGET), "not-held"),
    (GAME, EVE, PassTrick(2, True, TRICK), "not-seated"),
    (GAME, BEN, PassTrick(2, True, TRICK), "not-your-hand"),
    (GAME, CLEO, PassTrick(2, True, "1.9"), "stale"),
    (GAME, EVE, TakeBack(1, Revision(7)), "not-seated"),
    (GAME, HOST, TakeBack(1, Revision(7)), "not-your-hand"),
    (GAME, BEN, TakeBack(1, Revision(6)), "stale"),
    (GAME, EVE, HoldWindow(1), "not-seated"),
    (GAME, BEN, HoldWindow(2), "stale"),
    (state(TURN, details=SEAL), BEN, HoldWindow(1), "no-window"),
    (LONG, HOST, HoldWindow(1), "no-waits-left"),
    (SLOW, HOST, HoldWindow(1), "window-stays-open"),
    (SLOW, EVE, GoOn(Revision(7)), "not-seated"),
    (SLOW, BEN, GoOn(Revision(6)), "stale"),
    (SLOW, HOST, GoOn(Revision(7)), "not-your-turn"),
    (GAME, BEN, GoOn(Revision(7)), "not-your-turn"),
    (GAME, EVE, ComeBack(), "not-seated"),
    (GAME, BEN, ComeBack(explicit=True), "not-away"),
    (GAME, EVE, SetSpeed("slow"), "not-seated"),
    (GAME, BEN, SetSpeed("slow"), "stale"),
    (GAME, EVE, Pause(True), "not-seated"),
    (GAME, BEN, Pause(True), "between-rounds-only"),
    (GAME, BEN, Pause(True, Revision(6)), "stale"),
    (BETWEEN, HOST, Pause(True, Revision(BETWEEN.revision + 1)), "stale"),
    (SLOW, HOST, Pause(True), "no-pause"),
    (GAME, EVE, Ready(Revision(7)), "not-seated"),
    (GAME, BEN, Ready(Revision(7)), "between-rounds-only"),
    (GAME, BEN, Ready(Revision(6)), "stale"),
    (BETWEEN, HOST, Ready(Revision(BETWEEN.revision + 1)), "stale"),
    (GAME, EVE, PlayOn(), "not-seated"),
    (GAME, EVE, VoteToStop(agreeing=True), "not-seated"),
    (GAME, EVE, Shuffle("word"), "not-seated"),
    (LOBBY, EVE, Shuffle("word"), "not-seated"),
    (GAME, BEN, Shuffle(" "), "word"),
    (LOBBY, HOST, Shuffle("x" * 65), "word"),
    (GAME, EVE, VoteToStop(), "not-seated"),
    (LOBBY, EVE, VoteToStop(), "not-seated"),
    (LOBBY, CLEO, VoteToStop(), "host-only"),
    (GAME, EVE, LeaveToComputer(), "not-seated"),
    (
        state(WINDOW, chairs=chairs(computers=(1, 2, 3)), details=SEAL),
        *(HOST, LeaveToComputer(), "last-person"),
    ),
    (GAME, EVE, OfferSeat(UserId(888), "Finn"), "not-seated"),
    (GAME, BEN, OfferSeat(HOST, "Ada"), "member-seated"),
    (GAME, EVE, OfferSeat(UserId(888), "Robot", is_bot=True), "not-seated"),
    (GAME, BEN, OfferSeat(UserId(888), "Robot", is_bot=True), "member-is-bot"),
    (GAME, EVE, KeepSeat(), "not-seated"),
    (GAME, EVE, FollowSettings(PersonalSettings(auto_pass=True)), "not-seated"),
    (GAME, EVE, AcceptSeat("Eve", 1), "no-offer"),
    (GAME, BEN, AcceptSeat("Ben", 0), "no-offer"),
    (
        state(WINDOW, details=SEAL | {"offers": {0: EVE}, "left": (EVE,)}),
        *(EVE, AcceptSeat("Eve", 0), "left-this-round"),
    ),
    (GAME, EVE, DeclineSeat(1), "no-offer"),
    (GAME, EVE, TakeOver("Eve", 0), "seat-taken"),
    (LOBBY, EVE, StayOut(), "not-started"),
    (BETWEEN, HOST, TakeOver("Ada", 1), "already-seated"),
    (BETWEEN, EVE, TakeOver("Eve", 0), "seat-taken"),
    (state(OVER, details=SEAL), EVE, TakeOver("Eve"), "no-computer"),
)


def test_refusal_changes_nothing() -> None:
    found = [
        (place, command, told)
        for place, (at, user_id, command, code) in enumerate(REFUSALS)
        if (told := refused(at, UserId(user_id), command)) != code
    ]
    assert found == []


def kinds(kind: type[Command] = Command) -> Iterator[str]:
    """Yield the names of all commands that people can give, without those of tests."""
    for other in kind.__subclasses__():
        yield from kinds(other)
    if not isabstract(kind) and kind.__module__.startswith("bot.table.commands"):
        yield kind.__name__


def names(commands: Iterable[Command]) -> set[str]:
    return {type(command).__name__ for command in commands}


def test_every_command_has_a_refusal_test() -> None:
    assert names(command for _, _, command, _ in REFUSALS) == set(kinds())
    assert names(IN_A_LOBBY + IN_A_GAME) == set(kinds()) - {"Admit", "Shuffle", "VoteToStop"}


def test_chairs_can_be_changed_only_before_the_start() -> None:
    for at, code in ((GAME, "already-started"), (ENDED, "table-over"), (EXPIRED, "table-over")):
        for command in IN_A_LOBBY:
            assert refused(at, HOST, command) == code, command


def test_game_commands_are_refused_before_the_start_and_after_the_end() -> None:
    for at, code in ((FULL, "not-started"), (ENDED, "table-over"), (EXPIRED, "table-over")):
        for command in IN_A_GAME:
            assert refused(at, HOST, command) == code, command


# --- closing a table -----------------------------------------------------------------------------


def test_host_or_moderator_closes_a_lobby() -> None:
    for user_id, command in ((HOST, VoteToStop()), (EVE, VoteToStop(moderator=True))):
        after_, change, events = done(LOBBY, user_id, command)
        assert (after_.status, after_.timers.deadlines) == ("stopped", {})
        assert (change.status, change.ended_at, change.match, events) == (
            *("stopped", NOON, None, ()),
        )


def test_moderator_stops_a_game_and_its_match_is_stored() -> None:
    after_, change, _ = done(GAME, EVE, VoteToStop(moderator=True))
    assert (after_.status, played(after_).kept.premoves) == ("stopped", {})
    assert change.match is not None
    assert change.match.reason == "stopped"


# --- effects -------------------------------------------------------------------------------------


def test_acting_marks_a_person_as_present() -> None:
    """Every accepted command does, a refused one does not."""
    away = state(WINDOW, revision=7, details=SEAL | {"away": (1, 2)})
    for command in (
        *(
            Act(Pass(1), Revision(7)),
            PassTrick(1, True, TRICK),
            TakeBack(1, Revision(7)),
            HoldWindow(1),
        ),
        *(ComeBack(), Shuffle("word")),
    ):
        game = played(done(away, BEN, command).after)
        assert game.notes.away == (2,), command


def test_seat_is_optional() -> None:
    """The default is the seat of the user who gives the command."""
    for own, named in (
        (Act(Pass(OWN_SEAT), Revision(7)), Act(Pass(1), Revision(7))),
        (PassTrick(OWN_SEAT, True, TRICK), PassTrick(1, True, TRICK)),
        (TakeBack(OWN_SEAT, Revision(7)), TakeBack(1, Revision(7))),
    ):
        assert done(GAME, BEN, own) == done(GAME, BEN, named), named
    bombs = [done(GAME, CLEO, ThrowBomb(seat, CARDS, TARGET)) for seat in (OWN_SEAT, 2)]
    assert bombs[0] == bombs[1]
    assert acting_seat(GAME, BEN) == (GAME, 1)
    assert acting_seat(CARRIED, HOST) == (CARRIED, 0)
    assert acting_seat(CARRIED, HOST, 3) == (CARRIED, 3)


def test_cards_are_passed_in_the_order_of_the_debts() -> None:
    begun, _ = deal(new_match(Options(), 0), range(56))
    for seat in range(4):
        begun, _ = apply(begun, AnswerGrand(seat, False))
    game = state(begun, details=SEAL)
    hand = game.situation(1).current.hand.cards
    first, second, third = (1 << card for card in list(indices(hand))[:3])
    given = done(game, BEN, GiveCards(OWN_SEAT, (first, second, third), Revision(0)))
    due = game.situation(1).current.gifts
    wanted = dict(zip((gift.receiver for gift in due), (first, second, third), strict=True))
    assert played(given.after).situation(1).current.given == tuple(sorted(wanted.items()))
    assert (
        refused(game, BEN, GiveCards(OWN_SEAT, (first, 0, third), Revision(0)))
        == "exchange-receivers"
    )
    assert (
        refused(game, BEN, GiveCards(OWN_SEAT, (first, first, third), Revision(0)))
        == "exchange-same-card"
    )


def test_dog_needs_no_target_without_a_choice() -> None:
    four = state(table("LEAD A", hands={"A": "DOG S8 +3"}), details=SEAL)
    assert played(done(four, HOST, LeadDog(OWN_SEAT, Revision(0))).after).round.turn == 2
    assert played(done(SIX, HOST, LeadDog(OWN_SEAT, Revision(0), 4)).after).round.turn == 4
    alone = table("LEAD A", variant="tientsin", hands={"A": "DOG S8 +3"}, out="C")
    game = played(done(state(alone, details=SEAL), HOST, LeadDog(OWN_SEAT, Revision(0))).after)
    assert game.round.turn == 4


def test_bomb_is_bound_to_one_play() -> None:
    game, (bomb,) = bombs_on(GAME, CLEO, OWN_SEAT, TARGET)
    assert (game, bomb.cards) == (GAME, CARDS)
    with pytest.raises(Stale):
        bombs_on(GAME, CLEO, OWN_SEAT, "1.0.0")
    with pytest.raises(Refused) as error:
        bombs_on(GAME, EVE, OWN_SEAT, TARGET)
    assert error.value.code == "not-seated"


def test_newcomer_gets_the_first_computer_players_seat_by_default() -> None:
    at = state(OVER, chairs=chairs(computers=(1, 3)), details=SEAL)
    assert done(at, EVE, TakeOver("Eve")).after.seat_of(EVE) == 1


def test_return_and_withdrawal_without_a_reason_change_nothing() -> None:
    for command in (ComeBack(), KeepSeat()):
        assert command.carry_out(GAME, BEN, Context(NOON, never, nor_this)) is None


def test_premove_is_kept_as_an_action() -> None:
    game = played(done(GAME, BEN, Act(step(WINDOW, "B play:S9,P9"), Revision(7))).after)
    assert game.kept.premoves == {1: step(WINDOW, "B play:S9,P9")}
    assert played(done(game, BEN, TakeBack(1, Revision(7))).after).kept.premoves == {}


def test_repr_of_a_command_hides_sealed_values() -> None:
    for command in (
        *(Act(Play(1, CARDS), Revision(7)), Act(CallTichu(1)), ThrowBomb(2, CARDS, TARGET)),
        *(
            PassTrick(2, True, TRICK),
            PassTrick(2, False, TRICK),
            GiveCards(1, (CARDS,), Revision(7)),
        ),
    ):
        printed = repr(command)
        for secret in (
            "Play",
            "Call",
            "S4",
            str(CARDS),
            ", on",
            "True",
            "False",
            "action",
            "cards",
        ):
            assert secret not in printed, printed
    assert "draw" not in repr(Context(NOON, lambda: b"secret"))
