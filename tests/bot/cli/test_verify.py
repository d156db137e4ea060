"""`python -m bot verify` for every game and round, and the line that /tichu verify shows for it."""

from __future__ import annotations

import shlex
from dataclasses import replace

import pytest

from bot.__main__ import main
from bot.art.emojis import Emojis
from bot.cli.verify import command_line
from bot.history.deal_proof import Proof
from bot.table.options import TableOptions
from bot.text import speech
from bot.text.cards import Speaker
from cogs.pages.history.verify import verify_page
from engine import VARIANTS, Options, RoundResult, card_text, cards_text, deal, new_match
from engine.fair_deal import LONGEST_WORD, FairDeal, commitment
from tests.bot.states import chairs, state
from tests.bot.text.pages import TEXT, parts

SECRET = bytes(range(32))
FIVE = ("--game", "grandseigneur", "--option", "players=5", "--table", "9")


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    """Return the lines that the command prints for this secret."""
    assert main(["verify", SECRET.hex(), *arguments]) == 0
    return capsys.readouterr().out.splitlines()


def test_later_rounds_of_grand_seigneur_go_by_rank(capsys: pytest.CaptureFixture[str]) -> None:
    for more in ((), ("--dealer", "3")):
        given = (*FIVE, "--round", "2", "--ranks", "4, 1,5,2,3", *more)
        _, order, *hands = told(capsys, *given)
        cards = order.removeprefix("deck: ").split()
        for place, seat in enumerate((2, 5, 1, 4, 3)):  # upwards from the Pauper, then the Wretch
            held = hands[seat - 1].removeprefix(f"seat {seat}: ").split()
            assert sorted(held) == sorted(cards[place::5])


def test_the_first_round_of_grand_seigneur_goes_round_the_table(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, order, _, *hands = told(capsys, *FIVE, "--option", "decks=2", "--dealer", "5")
    cards = order.removeprefix("deck: ").split()
    assert len(cards) == 109
    assert cards[0] in hands[0].split()
    left_over = hands[5].removeprefix("not dealt: ").split()
    assert len(left_over) == 49
    assert set(left_over) == set([card for card in cards if card != "MAHJONG"][-49:])


LATER = (*FIVE, "--round", "2")


@pytest.mark.parametrize(
    "arguments, problem",
    [
        (("--game", "grandseigneur", "--table", "9"), "Give --option players=5 to 12."),
        (("--game", "grandseigneur", "--table", "9", "--option", "decks=2"), "How many played?"),
        ((*LATER, "--dealer", "1"), "give --ranks"),
        ((*LATER, "--dealer", "6"), "from 1 to 5"),
        ((*LATER, "--ranks", "4,1,5,2,3", "--dealer", "4"), "The Wretch deals"),
        ((*LATER, "--ranks", "1,2,3,4"), "each seat from 1 to 5"),
        ((*LATER, "--ranks", "1,2,3,4,4"), "each seat from 1 to 5"),
        ((*LATER, "--ranks", "x"), "each seat from 1 to 5"),
        ((*FIVE, "--ranks", "1,2,3,4,5"), "from round 2 on"),
        (("--table", "1", "--ranks", "1,2,3,4"), "Grand Seigneur"),
        (
            ("--table", "1", "--game", "grandseigneur", "--option", "players=99"),
            "players can't be 99. Possible: 5 to 12.",
        ),
        (
            ("--table", "1", "--option", "players=5"),
            "Tichu (4 players) has no option players.",
        ),
        (("--table", "1", "--option", "direction=up"), "Possible: anticlockwise / clockwise."),
    ],
)
def test_reports_errors_in_a_plain_sentence(
    arguments: tuple[str, ...], problem: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["verify", SECRET.hex(), *arguments]) == 2
    said = capsys.readouterr()
    assert problem in said.err
    assert (said.out, said.err.count("\n")) == ("", 1)


# --- the line to paste ---------------------------------------------------------------------------

WORDS = ("-x", "--table=9", "it's", "`a` ``` ````", '$HOME "\\"', "♣ lucky", "a b; rm -r")
OPTIONS = [
    TableOptions(),
    TableOptions(
        rules=Options(direction="clockwise", target=500, wish_policy="penalty", bomb_window_ms=2500)
    ),
    TableOptions(rules=Options(variant="trichu", rounds=3)),
    TableOptions(rules=Options(variant="tientsin")),
    TableOptions(rules=Options(variant="grandseigneur", players=6)),
    TableOptions(rules=Options(variant="grandseigneur", players=5, decks=2, rounds=4)),
    TableOptions(rules=Options(variant="grandseigneur", players=12)),
]


def proof(options: TableOptions, number: int, words: tuple[str, ...], table: int = 12) -> Proof:
    """Return the proof of a correct deal; the second seat deals."""
    rules = options.rules
    fair = FairDeal(SECRET, table, tuple(enumerate(words)))
    deck = fair.deck(number, options.game.deck(rules))
    people = options.game.chair_count(rules)
    at = state(options=options, id=table, chairs=chairs(["N" * 32] * people))
    ranks = tuple(range(people))[::-1] if options.game.ranked and number > 1 else ()
    dealer = ranks[-1] if ranks else 1
    return Proof(at, number, commitment(SECRET), fair, deck, True, dealer, ranks)


def typed(found: Proof) -> tuple[list[str], int]:
    """Return the words of the command on the page, split as by a shell, and the page's length."""
    page = verify_page(found, None, Speaker(speech("en"), Emojis.plain()))
    texts = [str(part["content"]) for part in parts(page) if part["type"] == TEXT]
    (line,) = [
        text.split("```\n")[1].removesuffix("\n```") for text in texts if "python -m bot" in text
    ]
    assert "```" not in line, "a word ends the block"
    assert "\n" not in line
    return shlex.split(line), sum(map(len, texts))


@pytest.mark.parametrize("number", [1, 2])
@pytest.mark.parametrize("options", OPTIONS, ids=lambda found: found.variant)
def test_line_of_the_page_reproduces_the_deal(
    options: TableOptions, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    found = proof(options, number, WORDS[: options.game.chair_count(options.rules)])
    (python, m, bot, *arguments), _ = typed(found)
    assert (python, m, bot) == ("python", "-m", "bot")
    assert main(arguments) == 0
    rules = options.rules
    match = new_match(rules, found.dealer)
    if found.ranks:
        last = RoundResult(1, 0, tuple(found.ranks), (), (), (), ())
        match = match._replace(results=(last,))
    match, _ = deal(match, found.deck)
    assert match.round is not None
    hands = zip(match.round.hands, match.round.opening.stock, strict=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[:2] == [
        f"commitment: {commitment(SECRET)}",
        "deck: " + " ".join(map(card_text, found.deck)),
    ]
    for seat, (hand, stock) in enumerate(hands, 1):
        assert f"seat {seat}: {cards_text(hand.cards | stock)}" in lines


def test_line_names_only_unusual_options() -> None:
    fair = FairDeal(SECRET, 12, ((0, "a b"),))
    assert command_line(Options(), fair, 3, 1) == (
        f"python -m bot verify {SECRET.hex()} --table 12 --round 3 --game nanjing "
        "'--word=a b' --dealer 2"
    )
    options = Options("grandseigneur", direction="clockwise")
    assert command_line(options, FairDeal(SECRET, 1), 2, 4, (0, 1, 2, 3, 5, 4)) == (
        f"python -m bot verify {SECRET.hex()} --table 1 --round 2 --game grandseigneur --option "
        "direction=clockwise --option players=6 --dealer 5 --ranks 1,2,3,4,6,5"
    )
    assert set(VARIANTS) == {found.variant for found in OPTIONS}


@pytest.mark.parametrize("letter", ["x", "é", "漢", "x "])
def test_twelve_players_and_twelve_words_fit(letter: str) -> None:
    word = (letter * LONGEST_WORD)[: LONGEST_WORD - 1] + "!"
    options = TableOptions(
        rules=Options(variant="grandseigneur", players=12, rounds=99, direction="clockwise")
    )
    found = proof(options, 99, (word,) * 12, table=2**31 - 1)
    arguments, length = typed(found)
    assert arguments.count(f"--word={word}") == 12
    assert length <= 4000


@pytest.mark.parametrize("letter", ["'", "`", "*", "\\"])
def test_leaves_out_what_does_not_fit(letter: str) -> None:
    options = TableOptions(rules=Options(variant="grandseigneur", players=12))
    found = proof(options, 1, (letter * LONGEST_WORD,) * 12)
    nasty = replace(found.table, chairs=chairs(["*" * 32] * 12))
    for told in (found, replace(found, table=nasty)):
        lobby = state(options=options, id=told.table.id, chairs=told.table.chairs)
        page = verify_page(told, lobby, Speaker(speech("en"), Emojis.plain()))
        texts = [str(part["content"]) for part in parts(page) if part["type"] == TEXT]
        assert sum(map(len, texts)) <= 4000
        assert SECRET.hex() in texts[0]
