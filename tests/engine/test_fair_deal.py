"""Verifiable deals: the fixed vectors, a second implementation, chance, and refused texts."""

from __future__ import annotations

import hashlib
import struct
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.cards import DECK_SIZE, card_text
from engine.errors import NotationError
from engine.fair_deal import (
    FairDeal,
    below,
    commitment,
    read_fair_deal,
    seed,
    shuffled,
    write_fair_deal,
)

DOCUMENT = Path(__file__).parents[2] / "docs" / "fair-deals.md"
SECRET = bytes(range(32))
CARDS = range(DECK_SIZE)

# Never to be changed: decks that were dealt are recomputed by this for ever.
COMMITMENT = "05024012157cbd98781e44c64147bec9c82556ce7a8390e9e666274430dadde1"
PLAIN = FairDeal(SECRET, 1)
PLAIN_SEED = "198eb9534d3bcfffb9c84eded2cc97799f874305ca16acfa4d43e5b17d66e3a5"
PLAIN_DECK = (
    "T10 S10 T9 SJ S7 T5 PHOENIX P7 JQ J4 J3 MAHJONG PA P4 P3 S6 P6 T7 J5 SA P2 J10 S9 P8 S5 P5 "
    "PK S3 JK J6 SQ J7 JA T2 TJ SK P9 P10 PQ TA PJ T8 S8 T4 J9 J2 DRAGON JJ T6 TK TQ S2 S4 DOG "
    "T3 J8"
)
WITH_WORDS = FairDeal(SECRET, 12, ((0, "café"), (2, "♣ lucky")))
WORDS_SEED = "f6798bbb3d65915704410e40279e9f5b97085d847f44a460d4c2e7dd981664a0"
WORDS_DECK = (
    "P5 S3 P7 P4 P8 PK JA J2 S2 TQ T2 S7 TA SK JQ TK PJ TJ DOG PHOENIX MAHJONG J5 T10 S5 P9 SJ T5 "
    "T7 S8 T4 SQ S6 J3 J6 PQ P3 T3 J9 JJ J7 J8 T8 S10 S9 DRAGON T6 JK SA P2 P10 P6 J10 PA J4 S4 T9"
)
WORDS_TEXT = f"v1:{SECRET.hex()}:12:0=636166c3a9,2=e299a3206c75636b79"


def notation(deck: Sequence[int]) -> str:
    return " ".join(map(card_text, deck))


def test_the_first_vector() -> None:
    assert commitment(SECRET) == COMMITMENT
    assert seed(SECRET, 1, 1, ()).hex() == PLAIN_SEED
    assert notation(PLAIN.deck(1, CARDS)) == PLAIN_DECK
    assert PLAIN.first_dealer(4) == 1


def test_the_second_vector() -> None:
    assert seed(SECRET, 12, 3, ("café", "♣ lucky")).hex() == WORDS_SEED
    assert notation(WITH_WORDS.deck(3, CARDS)) == WORDS_DECK
    assert write_fair_deal(WITH_WORDS) == WORDS_TEXT
    assert read_fair_deal(WORDS_TEXT) == WITH_WORDS


def test_the_document_holds_the_vectors() -> None:
    document = " ".join(DOCUMENT.read_text("utf-8").split())
    for told in (COMMITMENT, PLAIN_SEED, PLAIN_DECK, WORDS_SEED, WORDS_DECK, SECRET.hex()):
        assert told in document


# --- a second implementation, from the document alone -----------------------------------------


def sha(purpose: str, data: bytes) -> bytes:
    return hashlib.sha256(b"tichu-deal v1 " + purpose.encode("ascii") + b"\n" + data).digest()


def numbers(purpose: str, key: bytes, count: int) -> list[int]:
    """The first numbers of a stream, cut from one very large number."""
    blocks = -(-count // 8)
    stream = int.from_bytes(
        b"".join(sha(purpose, key + struct.pack(">Q", n)) for n in range(blocks)), "big"
    )
    return [stream >> 32 * (8 * blocks - 1 - n) & 0xFFFFFFFF for n in range(count)]


def choice(stream: list[int], bound: int) -> int:
    """The next number below `bound`; numbers are taken off the front."""
    usable = (2**32 // bound) * bound
    while (number := stream.pop(0)) >= usable:
        pass
    return number % bound


def second_opinion(deal: FairDeal, number: int, cards: Sequence[int]) -> tuple[str, list[int], int]:
    """Commitment, deck order and first of four dealers."""
    message = deal.secret + struct.pack(">QII", deal.table, number, len(deal.words))
    for _, word in deal.words:
        data = word.encode()
        message += struct.pack(">I", len(data)) + data
    key = sha("seed", message)
    stream = numbers("deck", key, 2 * len(cards) + 16)
    deck = dict(enumerate(cards))
    for last in reversed(range(1, len(cards))):
        place = choice(stream, last + 1)
        deck[last], deck[place] = deck[place], deck[last]
    dealer = choice(numbers("dealer", key, 16), 4)
    return sha("commitment", deal.secret).hex(), [deck[place] for place in sorted(deck)], dealer


secrets = st.binary(min_size=32, max_size=32)
tables = st.integers(0, 2**64 - 1)
rounds = st.integers(1, 2**32 - 1)
words = st.text(st.characters(codec="utf-8"), min_size=1, max_size=64)
said = st.dictionaries(st.integers(0, 13), words, max_size=14).map(
    lambda found: tuple(sorted(found.items()))
)
deals = st.builds(FairDeal, secrets, tables, said)
decks = st.sampled_from((range(56), range(55), range(109), range(112), range(1)))


@given(deals, rounds, decks)
def test_both_implementations_agree(deal: FairDeal, number: int, cards: range) -> None:
    told, deck, dealer = second_opinion(deal, number, cards)
    assert commitment(deal.secret) == told
    assert deal.deck(number, cards) == deck
    if number == 1:
        assert deal.first_dealer(4) == dealer


@given(secrets, st.integers(2**31, 2**32))
def test_numbers_that_would_favour_some_are_thrown_away(key: bytes, bound: int) -> None:
    draw, stream = below(key, "deck"), numbers("deck", key, 400)
    assert [draw(bound) for _ in range(20)] == [choice(stream, bound) for _ in range(20)]


def test_the_last_run_of_multiples_is_thrown_away() -> None:
    bound = 3 << 30
    raw = numbers("deck", SECRET, 64)
    draw = below(SECRET, "deck")
    kept = [number for number in raw if number < bound]
    assert len(kept) < len(raw)
    assert [draw(bound) for _ in kept] == kept


# --- what must hold for every deal ------------------------------------------------------------


@given(deals, rounds, decks)
def test_a_deck_is_a_permutation(deal: FairDeal, number: int, cards: range) -> None:
    deck = deal.deck(number, cards)
    assert sorted(deck) == list(cards)
    assert deck == deal.deck(number, cards)


@given(deals, deals, rounds, rounds)
def test_anything_else_gives_another_deck(
    one: FairDeal, other: FairDeal, number: int, another: int
) -> None:
    deck = one.deck(number, CARDS)
    others = [
        (FairDeal(other.secret, one.table, one.words), number),
        (FairDeal(one.secret, other.table, one.words), number),
        (one, another),
    ]
    for deal, round_number in others:
        same = deal == one and round_number == number
        assert (deal.deck(round_number, CARDS) == deck) == same
    spoken, instead = ([word for _, word in deal.words] for deal in (one, other))
    changed = seed(one.secret, one.table, number, instead)
    assert (shuffled(changed, CARDS) == deck) == (spoken == instead)


def test_words_cannot_be_moved_into_each_other() -> None:
    sayings = (("ab", "c"), ("a", "bc"), ("abc",), ("c", "ab"), ("a", "b", "c"), ())
    assert len({seed(SECRET, 1, 1, saying) for saying in sayings}) == len(sayings)


def test_the_stream_of_the_dealer_is_not_that_of_the_deck() -> None:
    assert below(SECRET, "dealer")(1 << 32) != below(SECRET, "deck")(1 << 32)


def test_all_orders_are_equally_likely() -> None:
    deals = [FairDeal(SECRET, table) for table in range(4800)]
    found = Counter(tuple(deal.deck(1, range(4))) for deal in deals)
    assert len(found) == 24
    assert sum((count - 200) ** 2 / 200 for count in found.values()) < 45  # 99.6 % are below
    dealers = Counter(deal.first_dealer(4) for deal in deals)
    assert sum((count - 1200) ** 2 / 1200 for count in dealers.values()) < 13


def test_every_card_is_in_every_place_equally_often() -> None:
    places = Counter(
        pair for table in range(2000) for pair in enumerate(FairDeal(SECRET, table).deck(1, CARDS))
    )
    expected = 2000 / DECK_SIZE
    square = sum(
        (places[place, card] - expected) ** 2 / expected for place in CARDS for card in CARDS
    )
    degrees = (DECK_SIZE - 1) ** 2
    assert abs(square - degrees) < 4 * (2 * degrees) ** 0.5


# --- the text of a deal -----------------------------------------------------------------------


@given(deals)
def test_a_deal_is_read_back_as_it_was_written(deal: FairDeal) -> None:
    assert read_fair_deal(write_fair_deal(deal)) == deal


GOOD = f"v1:{SECRET.hex()}"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "v1",
        f"v2:{SECRET.hex()}:1:",
        GOOD,
        f"{GOOD}:1",
        f"{GOOD}::",
        f"{GOOD}:01:",
        f"{GOOD}:-1:",
        f"{GOOD}:{2**64}:",
        f"{GOOD}:1:0=",
        f"{GOOD}:1:=61",
        f"{GOOD}:1:0",
        f"{GOOD}:1:0=6",
        f"{GOOD}:1:0=61,",
        f"{GOOD}:1:,0=61",
        f"{GOOD}:1:00=61",
        f"{GOOD}:1:0=61,0=62",
        f"{GOOD}:1:1=61,0=62",
        f"{GOOD}:1:0=ff",
        f"{GOOD}:1:0=eda080",
        f"{GOOD}:1:0=61=62",
        f"{GOOD}:1:0={'61' * 65}",
        f"{GOOD}:1:0=6A",
        f"{GOOD}:1:\n",
        f"{GOOD[:-2]}:1:",
        f"{GOOD}00:1:",
        f"{GOOD.upper().replace('V1', 'v1')}:1:",
    ],
)
def test_a_malformed_text_is_refused_without_its_secret(text: str) -> None:
    with pytest.raises(NotationError) as error:
        read_fair_deal(text)
    assert SECRET.hex()[:8] not in str(error.value)


@given(st.text("v1:0123456789abcdef,=", max_size=90))
def test_no_text_is_any_other_error(text: str) -> None:
    for whole in (text, f"{GOOD}:{text}", f"{GOOD}:1:{text}"):
        try:
            deal = read_fair_deal(whole)
        except NotationError:
            continue
        assert write_fair_deal(deal) == whole


def test_what_cannot_be_dealt_from_is_refused() -> None:
    for work in (
        lambda: commitment(SECRET[:-1]),
        lambda: commitment(SECRET + b"!"),
        lambda: seed(SECRET[1:], 1, 1, ()),
        lambda: seed(SECRET, -1, 1, ()),
        lambda: seed(SECRET, 1 << 64, 1, ()),
        lambda: seed(SECRET, 1, 0, ()),
        lambda: seed(SECRET, 1, 1 << 32, ()),
        lambda: seed(SECRET, 1, 1, ("",)),
        lambda: seed(SECRET, 1, 1, ("x" * 65,)),
        lambda: seed(SECRET, 1, 1, ("\ud800",)),
    ):
        with pytest.raises(NotationError) as error:
            work()
        assert SECRET.hex()[:8] not in str(error.value)


def test_no_repr_tells_the_secret() -> None:
    told = repr(WITH_WORDS)
    assert "FairDeal" in told
    assert SECRET.hex()[:8] not in told
    assert repr(SECRET)[:8] not in told
