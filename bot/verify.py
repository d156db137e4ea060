"""`python -m bot verify`: recomputes a deal from its secret, without token, database or Discord.

Used by `bot.__main__`, which prints what `verify` says.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence

from engine.cards import card_text, cards_text
from engine.errors import TichuError
from engine.fair_deal import FairDeal, clean_word, commitment
from engine.match import deal, new_match
from engine.options import Options
from engine.variants import VARIANTS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What stands behind `verify` on the command line."""
    parser.add_argument("secret", metavar="SECRET", help="64 hexadecimal digits")
    parser.add_argument("--game", default="nanjing", choices=VARIANTS, help="default: nanjing")
    parser.add_argument(
        "--option",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, such as direction=clockwise; may be repeated",
    )
    parser.add_argument("--table", type=int, metavar="ID", help="number of the table")
    parser.add_argument("--round", type=int, default=1, metavar="N", help="default: 1")
    parser.add_argument(
        "--word",
        action="append",
        default=[],
        metavar="TEXT",
        help="a word of a player, in the order of /tichu verify; may be repeated",
    )
    parser.add_argument("--commitment", metavar="HEX", help="what was shown before the deal")
    parser.add_argument("--dealer", type=int, metavar="SEAT", help="from 1: prints the hands, too")


class Problem(Exception):
    """What was given cannot be a deal; the text is one sentence."""


def verify(given: argparse.Namespace) -> tuple[list[str], bool]:
    """What there is to say about a deal, and whether its commitment is right.

    Raises `Problem`.
    """
    secret = _secret(given.secret)
    found = commitment(secret)
    lines = [f"commitment: {found}"]
    right = given.commitment is None or given.commitment.strip().lower() == found
    if given.commitment is not None:
        lines.append(
            "The secret belongs to your commitment."
            if right
            else "The secret does NOT belong to your commitment."
        )
    if given.table is None:
        lines.append("For the order of the deck, give --table, --round and every --word as well.")
    else:
        try:
            lines += _deal(given, secret)
        except TichuError as error:
            raise Problem(f"This cannot be a deal: {error}.") from None
    return lines, right


def _secret(text: str) -> bytes:
    try:
        secret = bytes.fromhex(text.strip())
        commitment(secret)
    except ValueError:
        raise Problem("SECRET must be 64 hexadecimal digits.") from None
    return secret


def _deal(given: argparse.Namespace, secret: bytes) -> Iterator[str]:
    options = _options(given.game, given.option)
    variant = VARIANTS[given.game]
    fair = FairDeal(secret, given.table, tuple(enumerate(map(clean_word, given.word))))
    deck = fair.deck(given.round, variant.deck(options))
    yield "deck: " + " ".join(map(card_text, deck))
    if given.round == 1:
        chairs = variant.chairs(options)
        yield f"first dealer, if drawn: seat {fair.first_dealer(chairs) + 1}"
    if given.dealer is not None:
        yield from _hands(options, given, deck)


def _hands(options: Options, given: argparse.Namespace, deck: Sequence[int]) -> Iterator[str]:
    """Who gets which cards, where only the dealer matters for it."""
    variant = VARIANTS[options.variant]
    chairs = variant.chairs(options)
    if not 1 <= given.dealer <= chairs:
        raise Problem(f"--dealer must be from 1 to {chairs}.")
    if not variant.scored and given.round > 1:
        raise Problem("Later rounds of this game are dealt by rank: --dealer is for round 1 only.")
    match, _ = deal(new_match(options, given.dealer - 1), deck)
    assert match.round is not None
    opening = match.round.opening
    for seat, hand in enumerate(match.round.hands):
        yield f"seat {seat + 1}: {cards_text(hand.cards | opening.stock[seat])}"
    if opening.left_over:
        yield f"not dealt: {cards_text(opening.left_over)}"


def _options(game: str, given: Sequence[str]) -> Options:
    pairs = dict(text.partition("=")[::2] for text in given)
    values = {name: int(text) if text.isdecimal() else text for name, text in pairs.items()}
    return Options.of(game, values)
