"""`python -m bot verify`: recompute a deal from its secret.

It needs no token, database or Discord. See docs/fair-deals.md.
"""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterator, Sequence

from bot.cli.console import complain
from bot.records import RoundNumber
from engine import (
    VARIANTS,
    Card,
    IllegalAction,
    Match,
    Options,
    RoundResult,
    Seat,
    TichuError,
    card_text,
    cards_text,
    deal,
    new_match,
)
from engine.fair_deal import FairDeal, clean_word, commitment

NAME = "verify"
HELP = "recompute a deal from its secret (no settings needed)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the secret and the other inputs of its deal."""
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
        help="a word of a player, in the order of /tichu verify; may be repeated; a word that "
        "begins with a hyphen is only understood as --word=TEXT",
    )
    parser.add_argument("--commitment", metavar="HEX", help="what was shown before the deal")
    parser.add_argument("--dealer", type=int, metavar="SEAT", help="from 1: prints the hands, too")
    parser.add_argument(
        "--ranks",
        metavar="SEAT,SEAT,...",
        help="Grand Seigneur from round 2 on, prints the hands, too: the seats from the Great Lord "
        "down to the Wretch as the round before left them",
    )


class Problem(Exception):
    """Raised when the arguments do not describe a deal. The message is a sentence."""


def carry_out(arguments: argparse.Namespace) -> int:
    """Print the deal that follows from the secret.

    Return the exit status: 1 if the secret has another commitment, 2 for wrong arguments.
    """
    try:
        lines, is_right = verify(arguments)
    except Problem as problem:
        return complain(str(problem))
    print("\n".join(lines))
    return 0 if is_right else 1


def verify(arguments: argparse.Namespace) -> tuple[list[str], bool]:
    """Return the lines to print about a deal, and whether the given commitment is right.

    Raise `Problem`.
    """
    secret = _parse_secret(arguments.secret)
    true_commitment = commitment(secret)
    lines = [f"commitment: {true_commitment}"]
    is_right = (
        arguments.commitment is None or arguments.commitment.strip().lower() == true_commitment
    )
    if arguments.commitment is not None:
        lines.append(
            "The secret belongs to your commitment."
            if is_right
            else "The secret does NOT belong to your commitment."
        )
    if arguments.table is None:
        lines.append("For the order of the deck, give --table, --round and every --word=… as well.")
    else:
        try:
            lines += _deal_lines(arguments, secret)
        except IllegalAction as error:
            raise Problem(_refusal_text(error)) from None
        except TichuError as error:
            raise Problem(f"This cannot be a deal: {error}.") from None
    return lines, is_right


def _refusal_text(error: IllegalAction) -> str:
    """Return a refusal of the engine as a sentence."""
    # Imported here, because the texts load discord.py, which takes a second.
    from bot.text import speech
    from bot.text.sentences import sentence

    return sentence(speech("en"), error)


def _parse_secret(text: str) -> bytes:
    """Parse the hexadecimal digits of a secret. Raise `Problem`."""
    try:
        secret = bytes.fromhex(text.strip())
        commitment(secret)
    except ValueError:
        raise Problem("SECRET must be 64 hexadecimal digits.") from None
    return secret


def _deal_lines(arguments: argparse.Namespace, secret: bytes) -> Iterator[str]:
    """Yield the lines about the deck and, if the arguments determine them, about the hands."""
    options = _parse_options(arguments.game, arguments.option)
    variant = VARIANTS[arguments.game]
    fair = FairDeal(secret, arguments.table, tuple(enumerate(map(clean_word, arguments.word))))
    deck = fair.deck(arguments.round, variant.deck(options))
    yield "deck: " + " ".join(map(card_text, deck))
    if arguments.round == 1:
        chairs = variant.chair_count(options)
        yield f"first dealer, if drawn: seat {fair.first_dealer(chairs) + 1}"
    if arguments.dealer is not None or arguments.ranks is not None:
        yield from _hand_lines(_match_before(options, arguments), deck)


def _match_before(options: Options, arguments: argparse.Namespace) -> Match:
    """Reconstruct the match before this deal, as far as the deal depends on it.

    Raise `Problem` if the dealer or the ranks are missing or impossible.
    """
    variant = VARIANTS[options.variant]
    chairs = variant.chair_count(options)
    if arguments.dealer is not None and not 1 <= arguments.dealer <= chairs:
        raise Problem(f"--dealer must be from 1 to {chairs}.")
    if not variant.ranked or arguments.round == 1:
        if arguments.ranks is not None:
            raise Problem("--ranks is for Grand Seigneur from round 2 on; here it takes --dealer.")
        return new_match(options, arguments.dealer - 1)
    if arguments.ranks is None:
        raise Problem("From round 2 on this game is dealt by rank: give --ranks.")
    ranks = _parse_ranks(arguments.ranks, chairs)
    if arguments.dealer not in (None, ranks[-1] + 1):
        raise Problem("The Wretch deals: --dealer must be the last seat of --ranks, or left out.")
    # The deal depends only on the dealer and the order of going out in the previous round.
    last_result = RoundResult(arguments.round - 1, ranks[-1], ranks, (), (), (), ())
    return new_match(options, ranks[-1])._replace(results=(last_result,))


def _parse_ranks(text: str, chairs: int) -> tuple[Seat, ...]:
    """Parse a list of seats by rank, such as ``3,1,2``. Return them counted from 0."""
    seats = [part.strip() for part in text.split(",")]
    if sorted(seats) != sorted(str(seat + 1) for seat in range(chairs)):
        raise Problem(f"--ranks must name each seat from 1 to {chairs} once, such as 3,1,2.")
    return tuple(int(seat) - 1 for seat in seats)


def _hand_lines(match: Match, deck: Sequence[Card]) -> Iterator[str]:
    """Yield the lines about the hand of each seat, and about cards that are not dealt."""
    match, _ = deal(match, deck)
    assert match.round is not None
    opening = match.round.opening
    for seat, hand in enumerate(match.round.hands):
        yield f"seat {seat + 1}: {cards_text(hand.cards | opening.stock[seat])}"
    if opening.left_over:
        yield f"not dealt: {cards_text(opening.left_over)}"


def _parse_options(game: str, texts: Sequence[str]) -> Options:
    """Parse the options of a game, such as ``direction=clockwise``.

    Raise `Problem` if the number of players varies in this game and is missing, because the deal
    depends on it.
    """
    text_by_name = dict(text.partition("=")[::2] for text in texts)
    player_choice = VARIANTS[game].choices.get("players")
    if player_choice is not None and "players" not in text_by_name:
        fewest, *_, most = player_choice.allowed
        raise Problem(f"How many played? Give --option players={fewest} to {most}.")
    values = {name: int(text) if text.isdecimal() else text for name, text in text_by_name.items()}
    return Options.from_values(game, values)


def command_line(
    options: Options, fair: FairDeal, number: RoundNumber, dealer: Seat, ranks: Sequence[Seat] = ()
) -> str:
    """Return the command line of `python -m bot verify` for a deal, for a Unix shell.

    `number` is that of the round. `ranks` are the seats by rank, best first, in a game that deals
    by rank, from its second round on. Seats are counted from 0.
    """
    values = options.non_defaults()
    if options.players is not None:
        values["players"] = options.players
    words = ["python", "-m", "bot", "verify", fair.secret.hex(), "--table", str(fair.table)]
    words += ["--round", str(number), "--game", options.variant]
    for name, value in values.items():
        words += ["--option", f"{name}={value}"]
    words += [f"--word={word}" for _, word in fair.words]
    words += ["--dealer", str(dealer + 1)]
    if ranks:
        words += ["--ranks", ",".join(str(seat + 1) for seat in ranks)]
    return shlex.join(words)
