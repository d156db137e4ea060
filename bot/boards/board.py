"""Boards: the deal, its commitment, and the seed of its computer players."""

from __future__ import annotations

from hashlib import sha256
from typing import Self

from bot.board_records import BoardKind, BoardRecord
from engine import Match, Options, Seat, deal, new_match
from engine.fair_deal import FairDeal, commitment

_COMPUTERS = b"tichu-solo v1 computers\n"
_SEATS = 4


class Board(BoardRecord):
    """A deal that several people play, each alone."""

    __slots__ = ()

    @classmethod
    def of(cls, record: BoardRecord) -> Self:
        """Return the board of a stored record."""
        return cls(*record)

    @property
    def kind(self) -> BoardKind:
        """Kind of the board."""
        return "challenge" if self.day is None else "daily"

    @property
    def table(self) -> int:
        """Number that is the table of the verifiable deal."""
        return self.number if self.challenge_id is None else self.challenge_id

    @property
    def round_number(self) -> int:
        """Number that is the round of the verifiable deal."""
        return self.number if self.challenge_id is not None else 1

    @property
    def fair_deal(self) -> FairDeal:
        """Inputs of the verifiable deal, which has no words of players."""
        return FairDeal(bytes.fromhex(self.secret), self.table)

    @property
    def commitment(self) -> str:
        """Commitment of the deal, which is public in advance."""
        return commitment(bytes.fromhex(self.secret))

    @property
    def computer_seed(self) -> bytes:
        """Seed of the computer players, which does not reveal the secret."""
        return sha256(_COMPUTERS + bytes.fromhex(self.secret)).digest()

    @property
    def dealer(self) -> Seat:
        """Seat of the dealer, drawn from the secret."""
        return self.fair_deal.first_dealer(_SEATS)

    def dealt(self) -> Match:
        """Return the match of one round after its deal."""
        fair = self.fair_deal
        match = new_match(Options(), self.dealer)
        return deal(match, fair.deck(self.round_number, match.variant.deck(match.options)))[0]
