"""Base class of the games; each difference between them is an attribute or method of it.

The defaults are the rules of two teams in alternating seats that play to a target score.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import ClassVar, NamedTuple

from ..cards import DECK_SIZE, bits, points_of
from ..errors import IllegalAction, Reason
from ..options import TARGET, Choice, Options
from ..round import MatchInfo, Round, RoundInfo, RoundResult, Seating
from ..types import Card, CardSet, Column, Gifts, Points, Seat, SeatSet, Team


class Gift(NamedTuple):
    """Cards that a seat owes another in the exchange.

    Two fields are cards of the giver's hand, so its `repr` omits them.
    """

    receiver: Seat
    """The seat that gets the cards."""
    number: int
    """The number of cards."""
    forced: CardSet
    """The cards that must be given (G16)."""
    free: CardSet
    """The cards from which the giver chooses the rest."""

    def __repr__(self) -> str:
        return f"<gift of {self.number} to seat {self.receiver}>"


class Variant:
    """The rules of one game. Stateless, so that instances of one class are equal."""

    name: ClassVar[str]
    """Its name in options and notation (O1)."""
    people: ClassVar[range]
    """The possible numbers of people."""
    classic: ClassVar[bool] = False
    """True for the game that other programs call Tichu, the only one their log formats support."""
    choices: ClassVar[Mapping[str, Choice]] = {"target": TARGET}
    """The options that not every game has (section 13)."""
    grand_cards: ClassVar[int] = 8
    """The number of cards in hand at the Grand Tichu question (N11); 0 without this question."""
    scored: ClassVar[bool] = True
    """True if there are points and calls; without them tricks are discarded (G2)."""
    ranked: ClassVar[bool] = False
    """True if the last round's order of going out decides seating and dealer (G14)."""
    fixed_partners: ClassVar[bool] = True
    """True if the same two teams play all rounds, with one score column each (N3)."""
    dealer_opposes_all: ClassVar[bool] = False
    """True if the dealer plays against all other people, so that partners change (T2)."""
    sweep_size: ClassVar[int] = 2
    """The number of players of one team who must go out first for a sweep; 0 without sweeps.

    A sweep is a double victory of two players or a triple victory of three.
    A sweep ends the round at once (N70, S9).
    """
    sweep_points: ClassVar[Points] = 200
    """The points of a sweep for the team that makes it (N70, S9)."""
    penalty_points: ClassVar[Points] = 200
    """The points for the opponents of a player who misses a wish (N37)."""
    exempt_from_wishes: ClassVar[SeatSet] = 0
    """The seats that wishes never bind (T9)."""
    dog_is_aimed: ClassVar[bool] = False
    """True if the player of the Dog chooses the partner it goes to (S6); see `dog_targets`."""
    last_piles_cross: ClassVar[bool] = False
    """True if the tricks of the last two players go elsewhere (S7, S8); see `pile_team`.

    Those of the last go to the opponents, those of the last but one to the round's winner.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))

    # --- seats and cards -----------------------------------------------------------------------

    def chair_count(self, options: Options) -> int:
        """Return the number of people; they have the first seats."""
        return options.players or self.people.start

    def seat_count(self, options: Options) -> int:
        """Return the number of seats, each with a hand."""
        return self.chair_count(options)

    def deck(self, options: Options) -> tuple[Card, ...]:
        """Return the cards of the game in canonical order (N1)."""
        return tuple(range(DECK_SIZE))

    def seating(self, match: MatchInfo, dealer: Seat) -> Seating:
        """Return turn order and teams of the next round (N3, N24)."""
        seats = self.seat_count(match.options)
        step = -1 if match.options.clockwise else 1
        order = tuple((dealer + step * place) % seats for place in range(seats))
        return Seating(order, tuple(seat % 2 for seat in range(seats)))

    def lobby_teams(self, options: Options) -> tuple[tuple[Seat, ...], ...]:
        """Return the chairs of each team, as known before the first deal (N3)."""
        chairs = range(self.chair_count(options))
        return tuple(chairs[::2]), tuple(chairs[1::2])

    def deal_order(self, seating: Seating) -> tuple[Seat, ...]:
        """Return the seats in dealing order (N6)."""
        return seating.order

    def undealt_count(self, options: Options) -> int:
        """Return the number of cards that are not dealt (G7)."""
        return 0

    def actor(self, dealt: RoundInfo, seat: Seat) -> Seat:
        """Return the seat of the person who decides for `seat`: itself, if it has a person."""
        return seat

    def visible_hands(self, dealt: RoundInfo, seat: Seat | None) -> tuple[Seat, ...]:
        """Return the seats whose hands the person at `seat` may see; none for a spectator (N8).

        A spectator is `None`.
        """
        return () if seat is None else (seat,)

    def hierarchy(self, match: MatchInfo) -> tuple[Seat, ...]:
        """Return the seats by rank in the last round, best first; empty without ranks (G12)."""
        return ()

    # --- calls and exchange --------------------------------------------------------------------

    def may_call_grand(self, seating: Seating, seat: Seat) -> bool:
        """Return whether the seat is asked for a Grand Tichu (N11)."""
        return self.grand_cards > 0

    def receivers(self, dealt: RoundInfo, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that `seat` gives cards to in the exchange, in turn order (N9)."""
        return dealt.seating.after(seat)[:-1]

    def gift(self, round_: Round, seat: Seat, receiver: Seat) -> Gift:
        """Return the gift that `seat` owes `receiver`: one card of its choice (N9)."""
        return Gift(receiver, 1, 0, round_.hands[seat].cards)

    def gifts(self, round_: Round, seat: Seat) -> tuple[Gift, ...]:
        """Return all gifts that this seat owes in the exchange, in turn order."""
        return tuple(self.gift(round_, seat, other) for other in self.receivers(round_, seat))

    def check_gifts(self, round_: Round, seat: Seat, gifts: Gifts) -> None:
        """Raise `IllegalAction` unless these gifts are a legal exchange of this seat (N9, G20)."""
        due = {gift.receiver: gift for gift in self.gifts(round_, seat)}
        if not due:
            raise IllegalAction(Reason.NOTHING_TO_GIVE, "G15")
        if sorted(receiver for receiver, _ in gifts) != sorted(due):
            raise IllegalAction(Reason.EXCHANGE_RECEIVERS, "N9")
        taken = 0
        for receiver, cards in gifts:
            if cards.bit_count() != due[receiver].number:
                raise IllegalAction(Reason.EXCHANGE_RECEIVERS, "N9")
            if cards & taken:
                raise IllegalAction(Reason.EXCHANGE_SAME_CARD, "N9")
            taken |= cards
        if taken & ~round_.hands[seat].cards:
            raise IllegalAction(Reason.NOT_HELD, "N9")
        for receiver, cards in gifts:
            gift = due[receiver]
            if gift.forced & ~cards or cards & ~(gift.forced | gift.free):
                raise IllegalAction(Reason.EXCHANGE_FORCED, "G16")

    def possible_gifts(self, round_: Round, seat: Seat) -> Iterator[Gifts]:
        """Yield every legal exchange of this seat, each sorted by receiver."""
        due = sorted(self.gifts(round_, seat))
        return _possible_gifts(tuple(due), 0) if due else iter(())

    # --- play ----------------------------------------------------------------------------------

    def dog_targets(self, round_: Round, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that the Dog's player may choose; empty without a choice (N39, S6)."""
        return ()

    def lead_after_dog(self, round_: Round, seat: Seat, partner: Seat | None) -> Seat:
        """Return the seat that leads after a Dog (N40, S12).

        It is the chosen `partner`. Without a choice it is the next partner or, if that one is out,
        the next seat after it that holds cards.
        """
        if partner is not None:
            return partner
        partner = round_.seating.partners(seat)[0]
        return partner if round_.has_cards(partner) else round_.next_with_cards(partner)

    def gift_receivers(self, round_: Round, seat: Seat) -> tuple[Seat, ...]:
        """Return the seats that `seat` may give its Dragon trick to; empty for no gift (N49)."""
        return tuple(sorted(round_.seating.opponents(seat)))

    def bound_by_wish(self, round_: Round, seat: Seat) -> bool:
        """Return whether wishes bind the seat (N36, T9)."""
        return not self.exempt_from_wishes >> seat & 1

    # --- the end -------------------------------------------------------------------------------

    def sweep(self, round_: Round) -> Team | None:
        """Return the team whose sweep ends the round at once, if any (N70)."""
        teams = {round_.seating.teams[seat] for seat in round_.out}
        return teams.pop() if len(round_.out) == self.sweep_size and len(teams) == 1 else None

    def pile_team(self, round_: Round, seat: Seat) -> Team:
        """Return the team that the tricks of `seat` count for.

        The tricks of the last player, who is not out, go to the winner of the round (N66).
        """
        return round_.seating.teams[round_.out[0] if round_.has_cards(seat) else seat]

    def card_points(self, round_: Round) -> tuple[Points, ...]:
        """Return both teams' card points; the last hand goes to the opponents (N65, N66, N68)."""
        points = [0, 0]
        for seat, pile in enumerate(round_.piles):
            points[self.pile_team(round_, seat)] += points_of(pile)
            points[1 - round_.seating.teams[seat]] += points_of(round_.hands[seat].cards)
        return tuple(points)

    def column_count(self, options: Options) -> int:
        """Return the number of columns: parties that can win, with a score if there are points."""
        return 2

    def column(self, round_: Round, seat: Seat) -> Column:
        """Return the column for the result of this seat in this round."""
        return round_.seating.teams[seat]

    def columns_of(self, round_: Round, team: Team) -> tuple[Column, ...]:
        """Return the columns for the points of a team in this round."""
        return (team,)

    def next_dealer(self, match: MatchInfo) -> Seat:
        """Return the next dealer: the last winner, or the same dealer if nobody went out (N5)."""
        last = match.results[-1]
        return last.out[0] if last.out else last.dealer

    def is_over(self, match: MatchInfo) -> bool:
        """Return whether the match is over: a team at the target and ahead (N80-N82)."""
        assert match.options.target is not None
        best, second = sorted(match.totals, reverse=True)
        return best >= match.options.target and best > second

    def leaders(self, match: MatchInfo) -> tuple[Column, ...]:
        """Return the columns that win if the match ends now."""
        best = max(match.totals)
        return tuple(column for column, total in enumerate(match.totals) if total == best)

    def open_ended(self, options: Options) -> bool:
        """Return whether only a stop vote between two rounds ends the match (G27)."""
        return False

    def may_stop(self, match: MatchInfo) -> bool:
        """Return whether a stop vote now ends the match with a result (G27)."""
        return self.open_ended(match.options) and bool(match.results)


def _possible_gifts(due: tuple[Gift, ...], taken: CardSet) -> Iterator[Gifts]:
    """Yield every way to give the gifts in `due` without the cards in `taken`."""
    if not due:
        yield ()
        return
    receiver, number, forced, free = due[0]
    for chosen in combinations(tuple(bits(free & ~taken)), number - forced.bit_count()):
        cards = forced | sum(chosen)
        for others in _possible_gifts(due[1:], taken | cards):
            yield ((receiver, cards), *others)


def ranking(result: RoundResult, seats: int) -> tuple[Seat, ...]:
    """Return the seats in the order of going out, the last player at the end (G12)."""
    return result.out + tuple(seat for seat in range(seats) if seat not in result.out)
