"""Verifiable deals: commitment, deck order and first dealer from a secret, version 1.

Pure functions on bytes, the same for ever; `docs/fair-deals.md` says the same for other languages.
Secrets come from outside and are never part of an error or a `repr`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from engine.errors import NotationError
from engine.types import Card, Seat

VERSION = "v1"
SECRET_BYTES = 32
LONGEST_WORD = 64
"""The most characters (Unicode code points) that a word of a player may have; the fewest is 1."""

_LABEL = "tichu-deal v1 "
_RECORD = re.compile(r"v1:([0-9a-f]{64}):(0|[1-9][0-9]{0,19}):([0-9a-f,=]*)")
_NUMBERS = 1 << 32
"""The number of values that four bytes of the stream can have."""


@dataclass(frozen=True, slots=True, repr=False)
class FairDeal:
    """What a deal is made from, beside the number of its round. Its `repr` hides the secret."""

    secret: bytes
    """The 32 random bytes that were drawn for this deal."""
    table: int
    """The number of the table."""
    words: tuple[tuple[Seat, str], ...] = ()
    """The words of the players, each with its seat, by ascending seat."""

    def deck(self, round_number: int, cards: Sequence[Card]) -> list[Card]:
        """The deck order of this round; `cards` is the canonical deck of the game."""
        return shuffled(self._seed(round_number), cards)

    def first_dealer(self, seats: int) -> Seat:
        """The seat that deals the first round: one of the first `seats` seats."""
        return below(self._seed(1), "dealer")(seats)

    def _seed(self, round_number: int) -> bytes:
        return seed(self.secret, self.table, round_number, [word for _, word in self.words])


def commitment(secret: bytes) -> str:
    """The digest of a secret that is published before the deal: 64 hexadecimal digits.

    It fixes the secret and tells nothing about it. Raises `NotationError` unless the secret has 32
    bytes.
    """
    return _digest("commitment", _checked(secret)).hex()


def seed(secret: bytes, table: int, round_number: int, words: Iterable[str]) -> bytes:
    """The 32 bytes that decide a deal; `words` are the players', in the order of their seats.

    Raises `NotationError` for numbers, secrets and words that cannot be.
    """
    if not 0 <= table < 1 << 64 or not 1 <= round_number < 1 << 32:
        raise NotationError("a table is a number below 2^64, a round one from 1 to 2^32 - 1")
    spoken = [_word_bytes(word) for word in words]
    parts = [_checked(secret), _bytes(table, 8), _bytes(round_number, 4), _bytes(len(spoken), 4)]
    for word in spoken:
        parts += [_bytes(len(word), 4), word]
    return _digest("seed", b"".join(parts))


def below(seed: bytes, purpose: str) -> Callable[[int], int]:
    """A function that draws the next number below its argument, from 0 on, all equally likely.

    It reads the blocks SHA-256(label, purpose, seed, counter) four bytes at a time, most
    significant byte first. A number is skipped when taking it would favour small results.
    """
    block, counter = b"", 0

    def draw(bound: int) -> int:
        nonlocal block, counter
        while True:
            if not block:
                block = _digest(purpose, seed + _bytes(counter, 8))
                counter += 1
            number, block = int.from_bytes(block[:4], "big"), block[4:]
            if number < _NUMBERS - _NUMBERS % bound:
                return number % bound

    return draw


def shuffled(seed: bytes, cards: Sequence[Card]) -> list[Card]:
    """These cards in the order that the seed decides (Fisher and Yates, from the last place)."""
    deck = list(cards)
    draw = below(seed, "deck")
    for place in range(len(deck) - 1, 0, -1):
        other = draw(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def clean_word(word: str) -> str:
    """A word as it goes into a deal: with single spaces, in Unicode normal form C.

    Raises `NotationError` for control characters, and for no character or too many.
    """
    cleaned = unicodedata.normalize("NFC", " ".join(word.split()))
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in cleaned):
        raise NotationError("a word has no control characters")
    _word_bytes(cleaned)
    return cleaned


def write_fair_deal(deal: FairDeal) -> str:
    """A deal as text: ``v1:SECRET:TABLE:SEAT=WORD,…``, secret and words (UTF-8) in hexadecimal."""
    words = ",".join(f"{seat}={_word_bytes(word).hex()}" for seat, word in deal.words)
    return f"{VERSION}:{_checked(deal.secret).hex()}:{deal.table}:{words}"


def read_fair_deal(text: str) -> FairDeal:
    """The deal in a text. `NotationError` (without the text) unless it is written exactly so."""
    found = _RECORD.fullmatch(text)
    if found is None:
        raise NotationError("this is not a deal of version 1")
    try:
        words = [_read_word(entry) for entry in found[3].split(",") if entry]
        deal = FairDeal(bytes.fromhex(found[1]), int(found[2]), tuple(words))
        ascending = all(a[0] < b[0] for a, b in pairwise(words))
        same = ascending and deal.table < 1 << 64 and write_fair_deal(deal) == text
    except ValueError:
        same = False
    if not same:
        raise NotationError("this is not a deal of version 1")
    return deal


def _read_word(entry: str) -> tuple[Seat, str]:
    """The seat and the word in ``2=636166``; raises `ValueError` for anything else."""
    seat, _, word = entry.partition("=")
    return int(seat), bytes.fromhex(word).decode("utf-8")


def _digest(purpose: str, data: bytes) -> bytes:
    return sha256(f"{_LABEL}{purpose}\n".encode() + data).digest()


def _bytes(number: int, length: int) -> bytes:
    return number.to_bytes(length, "big")


def _checked(secret: bytes) -> bytes:
    """The secret; raises `NotationError` when it has another length."""
    if len(secret) != SECRET_BYTES:
        raise NotationError("a secret has 32 bytes")
    return secret


def _word_bytes(word: str) -> bytes:
    """A word in UTF-8; raises `NotationError` when it is too short or too long."""
    try:
        if 1 <= len(word) <= LONGEST_WORD:
            return word.encode("utf-8")
    except UnicodeEncodeError:
        pass
    raise NotationError("a word has 1 to 64 characters of Unicode")
