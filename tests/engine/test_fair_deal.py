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

from engine import (
    DECK_SIZE,
    MAHJONG,
    VARIANTS,
    NotationError,
    Options,
    RoundResult,
    card_text,
    cards_text,
    new_match,
)
from engine import (
    deal as make_deal,
)
from engine.fair_deal import (
    FairDeal,
    below,
    commitment,
    read_fair_deal,
    seed,
    shuffled,
    write_fair_deal,
)
from tests.campaign import CHARACTERS, examples
from tests.cases import each

DOCUMENT = Path(__file__).parents[2] / "docs" / "fair-deals.md"
SECRET = bytes(range(32))
CARDS = range(DECK_SIZE)

# Must never change: stored deals are recomputed from their secrets.
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

TRICHU = Options("trichu")
TRICHU_DEAL = FairDeal(SECRET, 8)
TRICHU_SEED = "163bca2c3a0d012b1be32b457533161cc982db4a7beb43a98558924e6e05afff"
TRICHU_DECK = (
    "J8 J3 T4 J10 T7 P8 T5 S10 PJ S7 P3 J4 P7 JK T10 TK TA DRAGON TJ JQ T2 S4 J6 P5 T9 JA P4 TQ P6 "
    "J9 P9 S9 SJ T6 DOG J2 JJ SK PK S3 MAHJONG PHOENIX S6 J5 P10 S5 T8 SA SQ PA P2 S2 J7 S8 T3 PQ"
)
TRICHU_HANDS = [
    "J2 S2 S3 J4 J5 P5 S9 J10 S10 JQ PQ TQ TK SA",
    "T2 P6 J7 P7 T7 J8 T9 P10 JJ SJ PJ SQ TA MAHJONG",
    "J3 S4 S5 T6 S7 S8 P8 J9 JK SK JA PA PHOENIX DRAGON",
    "P2 P3 T3 P4 T4 T5 J6 S6 T8 P9 T10 TJ PK DOG",
]
SEVEN = Options("grandseigneur", players=7)
SEVEN_DEAL = FairDeal(SECRET, 7)
SEVEN_SEED = "fed86579f0bcf28583d3cf98cf702bf682dd29b5bd02daeffca9a03f702b3540"
SEVEN_DECK = (
    "S4 T7 S4#2 PK J2#2 T7#2 J10 SJ S10 PHOENIX#2 TQ#2 T10#2 SK P6#2 SQ#2 P7 T4#2 P7#2 J8 J6 S2 "
    "SA#2 T9#2 DRAGON P10#2 PQ#2 T3#2 P4 PJ T6 T2#2 P6 S8 S5 TA#2 S3#2 J4#2 T5 P9#2 TK#2 JA#2 P3 "
    "JQ J3#2 TJ#2 J4 JK#2 SQ J3 JJ T8#2 S8#2 J5 T2 P2#2 P3#2 PHOENIX P10 S9#2 J10#2 S2#2 TA P5 T10 "
    "S5#2 T4 J8#2 PJ#2 PQ P8 P4#2 P5#2 P8#2 TJ T9 J9#2 P9 S7 TQ JQ#2 JJ#2 J5#2 PA#2 T6#2 DRAGON#2 "
    "T5#2 S9 S6#2 J6#2 MAHJONG T8 PA JK JA TK T3 S10#2 J7 SK#2 PK#2 SA J9 P2 J2 S3 S6 J7#2 SJ#2 "
    "S7#2"
)
SEVEN_HANDS = [
    "J2#2 S2#2 T2 J5#2 J8 S8 T9 T10#2 PJ#2 PQ#2 JK#2 TK#2",
    "P2#2 T3#2 S5 J6 T7#2 J9#2 SQ PQ SK JA#2 PA#2 TA",
    "S2 J3 P3 P3#2 P4 P5 P6#2 P8 P9 J10 TA#2 MAHJONG",
    "S3#2 S4 P4#2 S7 T10 JJ SJ PJ JQ SQ#2 SA#2 PHOENIX",
    "J3#2 J4#2 S5#2 P5#2 T6 P7 T7 T8#2 T9#2 S10 P10 TQ",
    "T2#2 S4#2 T4 T4#2 T5 S8#2 P8#2 S9#2 TJ#2 JQ#2 PHOENIX#2 DRAGON",
    "J4 J5 P6 P7#2 J8#2 P9#2 J10#2 P10#2 JJ#2 TJ TQ#2 PK",
]
SEVEN_LEFT = (
    "J2 P2 S3 T3 T5#2 J6#2 S6 S6#2 T6#2 J7 J7#2 S7#2 T8 J9 S9 S10#2 SJ#2 JK SK#2 PK#2 TK JA SA PA "
    "DRAGON#2"
)


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


def hands_of(
    options: Options, dealer: int, deck: Sequence[int], ranks: tuple[int, ...] = ()
) -> tuple[list[str], str]:
    """Return the cards that the engine deals to each seat, and those left over."""
    match = new_match(options, dealer)
    if ranks:
        last = RoundResult(1, dealer, ranks[:-1], (), (), (), ())
        match = match._replace(results=(last,))
    match, _ = make_deal(match, deck)
    assert match.round is not None
    opening = match.round.opening
    hands = zip(match.round.hands, opening.stock, strict=True)
    return [cards_text(hand.cards | stock) for hand, stock in hands], cards_text(opening.left_over)


@each(
    "options, deal, key, order, dealer, hands, left_over",
    [
        (TRICHU, TRICHU_DEAL, TRICHU_SEED, TRICHU_DECK, 1, TRICHU_HANDS, ""),
        (SEVEN, SEVEN_DEAL, SEVEN_SEED, SEVEN_DECK, 2, SEVEN_HANDS, SEVEN_LEFT),
    ],
)
def test_the_vectors_of_other_games(
    options: Options,
    deal: FairDeal,
    key: str,
    order: str,
    dealer: int,
    hands: list[str],
    left_over: str,
) -> None:
    game = VARIANTS[options.variant]
    assert seed(SECRET, deal.table, 1, ()).hex() == key
    deck = deal.deck(1, game.deck(options))
    assert notation(deck) == order
    assert deal.first_dealer(game.chair_count(options)) == dealer
    assert hands_of(options, dealer, deck) == (hands, left_over)


def by_the_document(
    takers: Sequence[int], deck: Sequence[int], left_over: int
) -> tuple[list[str], str]:
    """Return hands by seat and cards left over, as docs/fair-deals.md specifies them."""
    without = [card for card in deck if card != MAHJONG]
    aside = without[len(without) - left_over :]
    taken = [card for card in deck if card not in aside]
    hands = {seat: taken[place :: len(takers)] for place, seat in enumerate(takers)}
    sets = [sum(1 << card for card in hands[seat]) for seat in sorted(hands)]
    return [cards_text(cards) for cards in sets], cards_text(sum(1 << card for card in aside))


@each(
    "options, takers, left_over",
    [
        (Options(), (2, 3, 0, 1), 0),
        (Options(direction="clockwise"), (2, 1, 0, 3), 0),
        (Options("tientsin"), (2, 3, 4, 5, 0, 1), 0),
        (Options("trichu"), (2, 0, 3, 1), 0),
        (Options("trichu", direction="clockwise"), (2, 1, 3, 0), 0),
        (Options("grandseigneur", players=5), (3, 4, 0, 1, 2), 0),
        (Options("grandseigneur", players=5, decks=2), (3, 4, 0, 1, 2), 49),
        (Options("grandseigneur", direction="clockwise"), (1, 0, 5, 4, 3, 2), 1),
        (Options("grandseigneur", decks=2), (3, 4, 5, 0, 1, 2), 37),
        (Options("grandseigneur", players=8), (3, 4, 5, 6, 7, 0, 1, 2), 13),
        (Options("grandseigneur", players=9), (3, 4, 5, 6, 7, 8, 0, 1, 2), 1),
        (Options("grandseigneur", players=10), (*range(3, 10), 0, 1, 2), 1),
        (Options("grandseigneur", players=11), (*range(3, 11), 0, 1, 2), 0),
        (Options("grandseigneur", players=12), (*range(3, 12), 0, 1, 2), 0),
    ],
)
def test_who_gets_which_card(options: Options, takers: tuple[int, ...], left_over: int) -> None:
    """Seat 3 deals."""
    for table in range(8):
        deck = FairDeal(SECRET, table).deck(1, VARIANTS[options.variant].deck(options))
        assert hands_of(options, 2, deck) == by_the_document(takers, deck, left_over)


def test_later_rounds_are_dealt_by_rank() -> None:
    great_lord, lord, middle, pauper, wretch = ranks = (3, 0, 4, 1, 2)
    options = Options("grandseigneur", players=5, direction="clockwise")
    deck = FairDeal(SECRET, 9).deck(2, VARIANTS["grandseigneur"].deck(options))
    takers = (pauper, middle, lord, great_lord, wretch)
    assert hands_of(options, 0, deck, ranks) == by_the_document(takers, deck, 0)


def test_the_document_holds_the_vectors() -> None:
    document = " ".join(DOCUMENT.read_text("utf-8").split())
    for told in (COMMITMENT, PLAIN_SEED, PLAIN_DECK, WORDS_SEED, WORDS_DECK, SECRET.hex()):
        assert told in document
    for told in (TRICHU_SEED, TRICHU_DECK, SEVEN_SEED, SEVEN_DECK, f"left over {SEVEN_LEFT}"):
        assert told in document
    for hands in (TRICHU_HANDS, SEVEN_HANDS):
        for number, hand in enumerate(hands, 1):
            assert f"seat {number} {hand}" in document


# --- a second implementation, from the document alone -----------------------------------------


def sha(purpose: str, data: bytes) -> bytes:
    return hashlib.sha256(b"tichu-deal v1 " + purpose.encode("ascii") + b"\n" + data).digest()


def numbers(purpose: str, key: bytes, count: int) -> list[int]:
    """Return the first numbers of a stream, cut from one very large number."""
    blocks = -(-count // 8)
    stream = int.from_bytes(
        b"".join(sha(purpose, key + struct.pack(">Q", n)) for n in range(blocks)), "big"
    )
    return [stream >> 32 * (8 * blocks - 1 - n) & 0xFFFFFFFF for n in range(count)]


def choice(stream: list[int], bound: int) -> int:
    """Remove and return the next number below `bound`."""
    usable = (2**32 // bound) * bound
    while (number := stream.pop(0)) >= usable:
        pass
    return number % bound


def second_opinion(deal: FairDeal, number: int, cards: Sequence[int]) -> tuple[str, list[int], int]:
    """Return commitment, deck order and first of four dealers, computed independently."""
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
words = st.text(CHARACTERS, min_size=1, max_size=64)
said = st.dictionaries(st.integers(0, 13), words, max_size=14).map(
    lambda found: tuple(sorted(found.items()))
)
deals = st.builds(FairDeal, secrets, tables, said, st.booleans())
decks = st.sampled_from((range(56), range(55), range(109), range(112), range(1)))


@given(deals, rounds, decks)
@examples(20)
def test_both_implementations_agree(deal: FairDeal, number: int, cards: range) -> None:
    told, deck, dealer = second_opinion(deal, number, cards)
    assert commitment(deal.secret) == told
    assert deal.deck(number, cards) == deck
    if number == 1:
        assert deal.first_dealer(4) == dealer


@given(secrets, st.integers(2**31, 2**32))
@examples(20)
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
@examples(20)
def test_a_deck_is_a_permutation(deal: FairDeal, number: int, cards: range) -> None:
    deck = deal.deck(number, cards)
    assert sorted(deck) == list(cards)
    assert deck == deal.deck(number, cards)


@given(deals, deals, rounds, rounds)
@examples(20)
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
@examples(20)
def test_a_deal_is_read_back_as_it_was_written(deal: FairDeal) -> None:
    assert read_fair_deal(write_fair_deal(deal)) == deal


GOOD = f"v1:{SECRET.hex()}"


@each(
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
        f"{GOOD}:1:dealer",
        f"{GOOD}:1::",
        f"{GOOD}:1::dealer:",
        f"{GOOD}:1::Dealer",
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
@examples(20)
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
