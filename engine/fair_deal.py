"""Verifiable deals, version 1: commitment, deck order and first dealer from a secret.

Pure functions on bytes whose results must never change; `docs/fair-deals.md` specifies them for
other languages. Secrets are arguments and never appear in an error or a `repr`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import pairwise

from .errors import NotationError
from .types import Card, Seat

VERSION = "v1"
SECRET_BYTES = 32
LONGEST_WORD = 64
"""The maximum length of a player's word in Unicode code points; the minimum is 1."""

_LABEL = "tichu-deal v1 "
_RECORD = re.compile(r"v1:([0-9a-f]{64}):(0|[1-9][0-9]{0,19}):([0-9a-f,=]*)(:dealer)?")
_NUMBERS = 1 << 32
"""The number of values of four bytes of the stream."""


@dataclass(frozen=True, slots=True, repr=False)
class FairDeal:
    """The inputs of a deal except the round number. Its `repr` hides the secret."""

    secret: bytes
    """The 32 random bytes drawn for this deal."""
    table: int
    """The number of the table."""
    words: tuple[tuple[Seat, str], ...] = ()
    """The players' words with their seats, by ascending seat."""
    draws_dealer: bool = False
    """True if the dealer of every round is drawn, as in the first one."""

    def deck(self, round_number: int, cards: Sequence[Card]) -> list[Card]:
        """Return the deck order of this round; `cards` is the canonical deck of the game."""
        return shuffled(self._seed(round_number), cards)

    def first_dealer(self, seats: int) -> Seat:
        """Return the dealer of the first round, from 0 to `seats` - 1."""
        return below(self._seed(1), "dealer")(seats)

    def _seed(self, round_number: int) -> bytes:
        return seed(self.secret, self.table, round_number, [word for _, word in self.words])


def commitment(secret: bytes) -> str:
    """Return the digest of a secret to publish before the deal, 64 hexadecimal digits.

    It fixes the secret without revealing anything about it. Raises `NotationError` unless the
    secret has 32 bytes.
    """
    return _digest("commitment", _checked_secret(secret)).hex()


def seed(secret: bytes, table: int, round_number: int, words: Iterable[str]) -> bytes:
    """Return the 32 bytes that decide a deal; `words` are the players' by ascending seat.

    Raises `NotationError` for numbers, secrets and words outside their limits.
    """
    if not 0 <= table < 1 << 64 or not 1 <= round_number < 1 << 32:
        raise NotationError("a table is a number below 2^64, a round one from 1 to 2^32 - 1")
    encoded_words = [_word_bytes(word) for word in words]
    parts = [
        _checked_secret(secret),
        _bytes(table, 8),
        _bytes(round_number, 4),
        _bytes(len(encoded_words), 4),
    ]
    for word in encoded_words:
        parts += [_bytes(len(word), 4), word]
    return _digest("seed", b"".join(parts))


def below(seed: bytes, purpose: str) -> Callable[[int], int]:
    """Return a function that draws uniform numbers from 0 to its argument - 1.

    It reads the blocks SHA-256(label, purpose, seed, counter) four bytes at a time, most
    significant byte first. A number is skipped if taking it would favour small results.
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
    """Return the cards in the order decided by the seed (Fisher-Yates from the last index)."""
    deck = list(cards)
    draw = below(seed, "deck")
    for place in range(len(deck) - 1, 0, -1):
        other = draw(place + 1)
        deck[place], deck[other] = deck[other], deck[place]
    return deck


def clean_word(word: str) -> str:
    """Return the word in the form used in a deal: single spaces, Unicode normal form C.

    Raises `NotationError` for control characters, an empty word, or too many characters.
    """
    cleaned = unicodedata.normalize("NFC", " ".join(word.split()))
    if any(unicodedata.category(sign) in ("Cc", "Cs") for sign in cleaned):
        raise NotationError("a word has no control characters")
    _word_bytes(cleaned)
    return cleaned


def write_fair_deal(deal: FairDeal) -> str:
    """Return a deal as text: ``v1:SECRET:TABLE:SEAT=WORD,…``, with ``:dealer`` if it draws one.

    Secret and words (UTF-8) are hexadecimal.
    """
    words = ",".join(f"{seat}={_word_bytes(word).hex()}" for seat, word in deal.words)
    dealer = ":dealer" if deal.draws_dealer else ""
    return f"{VERSION}:{_checked_secret(deal.secret).hex()}:{deal.table}:{words}{dealer}"


def read_fair_deal(text: str) -> FairDeal:
    """Return the deal in a text, which must be exactly as `write_fair_deal` writes it.

    Raises `NotationError` otherwise, without quoting the text, which may contain a secret.
    """
    found = _RECORD.fullmatch(text)
    if found is None:
        raise NotationError("this is not a deal of version 1")
    try:
        words = [_read_word(entry) for entry in found[3].split(",") if entry]
        secret, draws_dealer = bytes.fromhex(found[1]), found[4] is not None
        deal = FairDeal(secret, int(found[2]), tuple(words), draws_dealer)
        ascending = all(a[0] < b[0] for a, b in pairwise(words))
        same = ascending and deal.table < 1 << 64 and write_fair_deal(deal) == text
    except ValueError:
        same = False
    if not same:
        raise NotationError("this is not a deal of version 1")
    return deal


def _read_word(entry: str) -> tuple[Seat, str]:
    """Return the seat and the word in ``2=636166``.

    Raises `ValueError` for anything else.
    """
    seat, _, word = entry.partition("=")
    return int(seat), bytes.fromhex(word).decode("utf-8")


def _digest(purpose: str, data: bytes) -> bytes:
    return sha256(f"{_LABEL}{purpose}\n".encode() + data).digest()


def _bytes(number: int, length: int) -> bytes:
    return number.to_bytes(length, "big")


def _checked_secret(secret: bytes) -> bytes:
    """Return the secret; raise `NotationError` unless it has 32 bytes."""
    if len(secret) != SECRET_BYTES:
        raise NotationError("a secret has 32 bytes")
    return secret


def _word_bytes(word: str) -> bytes:
    """Return a word in UTF-8; raise `NotationError` if it is too short or too long."""
    try:
        if 1 <= len(word) <= LONGEST_WORD:
            return word.encode("utf-8")
    except UnicodeEncodeError:
        pass
    raise NotationError("a word has 1 to 64 characters of Unicode")
