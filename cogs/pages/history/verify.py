"""The private page of ``/tichu verify``, which checks the deal of a round.

It also shows the commitments of deals that are still secret, and the words added to the next one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from bot.cli.verify import command_line
from bot.history.deal_proof import Proof
from bot.ids import UserId
from bot.table.dealing import (
    Words,
    commitment_on_table,
    deal_words,
    next_commitment,
    plays_shared_deals,
    revealed_secret,
)
from bot.table.state import Game, OpenTable, TableState
from bot.text.cards import Speaker
from cogs.pages.controls import Page, Part, length, line, text
from cogs.pages.names import board_name, safe, seat_name
from cogs.pages.verify_commands import commands_block
from engine import card_text
from engine.fair_deal import FairDeal

MOST_CHARACTERS = 3900
"""Largest number of characters in a message; Discord allows 4,000."""


def verify_page(proof: Proof | None, table: OpenTable | None, words: Speaker) -> Page:
    """Return the page with all facts about the deal of a round and about later deals.

    `proof` is that of the round, `None` if no round was dealt. `table` is `None` if it is closed.
    """
    blocks = [
        *(_deal_blocks(proof, words) if proof else []),
        *(_next_deal_blocks(table, proof, words) if table else []),
    ]
    if not blocks:
        blocks = [words.say("No round has been dealt at this table yet.")]
    items: list[Part] = []
    for block in _blocks_that_fit(blocks):
        items += [line(), text(block)] if items else [text(block)]
    return Page(*items)


def _blocks_that_fit(blocks: Iterable[str]) -> Iterator[str]:
    """Yield the blocks that fit into the message; skip those that are too long."""
    room = MOST_CHARACTERS
    for block in blocks:
        if length(block) <= room:
            room -= length(block)
            yield block


def _deal_blocks(proof: Proof, words: Speaker) -> list[str]:
    """Return all facts about the deal of one round, in blocks of text."""
    say = words.say
    head = "### " + say(
        "Fair deal · round {round} of table {table}", round=proof.number, table=proof.table.id
    )
    if proof.board is not None:
        head = f"### {say('Fair deal')} · {board_name(proof.board, words)}"
    if proof.commitment is None:
        reason = say("This deal has no secret, so there's nothing to check.")
        return [f"{head}\n{reason}"]
    facts = [head, say("Commitment: `{commitment}`", commitment=proof.commitment)]
    if proof.deal is None:
        facts.append(
            say("Others still play this deal. Its secret comes when it's over for everyone.")
            if plays_shared_deals(proof.table)
            else say("This round is still being played. Its secret comes with the result.")
        )
        return ["\n".join(facts)]
    facts.append(say("Secret: `{secret}`", secret=proof.deal.secret.hex()))
    facts.append(_added_words_line(proof.table, proof.deal.words, words))
    command = _command_block(proof, proof.deal, words)
    return [
        "\n".join(facts),
        "\n".join(_check_lines(proof, words)),
        command,
        _deck_block(proof, words),
    ]


def _check_lines(proof: Proof, words: Speaker) -> list[str]:
    """Return a line for each check of the deal, with its result."""
    say = words.say
    lines = [
        "✅ "
        + say(
            "The secret matches this commitment. Compare the commitment with the one shown "
            "before the deal."
        ),
        "✅ " + say("The deck it produces is the one that was dealt.")
        if proof.as_dealt
        else "❌ " + say("The deck it produces isn't the one that was dealt."),
    ]
    dealer = seat_name(proof.table, proof.dealer, words)
    if proof.dealer_drawn:
        lines.append("✅ " + say("The first dealer matches it, too: {name}.", name=dealer))
    elif proof.dealer_drawn is False:  # not `None`, with which no dealer was drawn
        lines.append("❌ " + say("The first dealer doesn't match it: {name}.", name=dealer))
    return lines


def _deck_block(proof: Proof, words: Speaker) -> str:
    """Return the block with the order of the deck, in notation."""
    name = seat_name(proof.table, proof.dealer, words)
    title = words.say("The deck in the order it was dealt (dealer: {name}):", name=name)
    return f"{title}\n```\n{' '.join(map(card_text, proof.deck))}\n```"


def _command_block(proof: Proof, deal: FairDeal, words: Speaker) -> str:
    """Return the block of code with the command that checks the deal on another computer.

    Words that players added may contain backticks, which must not end the block of code.
    """
    rules = proof.table.options.rules
    command = command_line(rules, deal, proof.number, proof.dealer, proof.ranks)
    # A word with backticks is in quotation marks: closing and reopening them adds nothing.
    safe_command = command.replace("``", "`''`")
    return commands_block([safe_command], words)


def _added_words_line(table: TableState, added: Words, words: Speaker) -> str:
    """Return the sentence with the words that players added to a deal, in order."""
    if not added:
        return words.say("No words were added.")
    quoted = (
        words.say("{name} said “{word}”", name=seat_name(table, seat, words), word=safe(word))
        for seat, word in added
    )
    return words.say("Words, in order: {words}", words=", ".join(quoted))


def _next_deal_blocks(table: OpenTable, proof: Proof | None, words: Speaker) -> list[str]:
    """Return blocks on the current deal, if secret and not in `proof`, and on the next deal."""
    say = words.say
    blocks = []
    current = commitment_on_table(table)
    shown_round = proof.number if proof is not None and proof.table.id == table.id else 0
    current_round = table.round.number if isinstance(table, Game) else 0
    is_secret = revealed_secret(table) is None
    if current and is_secret and current_round != shown_round:
        blocks.append(
            say("Round {round}, still being played:", round=current_round)
            + "\n"
            + say("Commitment: `{commitment}`", commitment=current)
        )
    upcoming = next_commitment(table)
    if upcoming:
        blocks.append(
            say("Next deal:")
            + "\n"
            + say("Commitment: `{commitment}`", commitment=upcoming)
            + "\n"
            + _added_words_line(table, deal_words(table), words)
        )
    return blocks


def added_word_line(state: OpenTable, user_id: UserId, words: Speaker) -> str:
    """Return the public line when somebody has added a word to the next deal."""
    seat, added_words = state.seat_of(user_id), dict(deal_words(state))
    assert seat is not None
    return words.say(
        "{name} cuts the cards with “{word}”. "
        "Any word makes the next deal unpredictable for the bot.",
        name=seat_name(state, seat, words),
        word=safe(added_words[seat]),
    )
