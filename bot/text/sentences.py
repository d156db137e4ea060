"""The table from reason codes to sentences: what a person reads when something is refused.

The codes are those of the rules (`engine.errors.IllegalAction`) and of the application
(`bot.errors.Reason`). A test checks that every code has a sentence and every sentence a code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from bot.errors import Reason, Refused
from bot.text import Say
from bot.text.cards import rank_word, variant_name
from engine import IllegalAction, read_rank

_Sentence = Callable[[Say, Mapping[str, Any]], str]
"""Makes the sentence of one code from the reader's words and the details of the refusal."""

_STEPS = re.compile(r"(\d+)\.\.(\d+) step (\d+)")


def _option_name(name: str) -> str:
    """The name that an option of the engine has in ``/tichu new``."""
    names = {"wish_policy": "missed-wish", "bomb_window_ms": "bomb-window", "decks": "two-decks"}
    return names.get(name, name)


def _option(say: Say, details: Mapping[str, Any]) -> str:
    """The sentence for an option with an impossible value, with the values that are possible."""
    allowed = details["allowed"]
    steps = _STEPS.fullmatch(allowed)
    if steps:
        low, high, step = (say.number(int(number)) for number in steps.groups())
        allowed = (
            say("{low} to {high}", low=low, high=high)
            if step == "1"
            else say("{low} to {high} in steps of {step}", low=low, high=high, step=step)
        )
    return say(
        "{value} is not possible for the option {option}; possible: {allowed}.",
        option=_option_name(details["option"]),
        value=details["value"],
        allowed=allowed,
    )


def _ranks(say: Say, texts: str) -> str:
    """Ranks as they are printed on the cards, from ranks in notation ("9 J")."""
    return " ".join(rank_word(say, read_rank(text)) for text in texts.split())


SENTENCES: dict[str, _Sentence] = {
    # The rules (engine)
    "already-answered": lambda say, d: say("You have already answered."),
    "already-called": lambda say, d: say("You have already made your call this round."),
    "already-out": lambda say, d: say("You are out: you have no cards left."),
    "already-submitted": lambda say, d: say("Your bomb already lies face down on the table."),
    "already-waived": lambda say, d: say("You have already let this chance for a bomb go."),
    "bomb-in-own-turn": lambda say, d: say("It is your turn: play the bomb like any other play."),
    "call-after-commitment": lambda say, d: say(
        "You have passed your cards: Tichu can be called again when all have passed theirs."
    ),
    "call-after-first-card": lambda say, d: say(
        "Tichu must be called before your first card, and you have already played one."
    ),
    "call-before-full-hand": lambda say, d: say(
        "A small Tichu is called with the whole hand; now only a Grand Tichu is possible."
    ),
    "does-not-beat": lambda say, d: say(
        "That does not beat what lies on the table: it takes the same kind of combination with "
        "the same number of cards and a higher rank, or a bomb."
    ),
    "dog-only-leads": lambda say, d: say("The Dog can only be played as a lead."),
    "dog-target": lambda say, d: say("The Dog must go to a partner who still has cards."),
    "exchange-forced": lambda say, d: say(
        "Your best cards must be given: Dragon, Phoenix, Mah Jong, then the highest ranks. Only "
        "among equal ones you may choose."
    ),
    "exchange-receivers": lambda say, d: say(
        "Give as many cards as are asked for to everybody you owe some, and to nobody else."
    ),
    "exchange-same-card": lambda say, d: say("Each of the others must get a different card."),
    "gift-to-opponent": lambda say, d: say("The Dragon's trick goes to one of your opponents."),
    "grand-too-late": lambda say, d: say(
        "A Grand Tichu can only be called with the first cards in hand, before the others come."
    ),
    "lead-not-bombable": lambda say, d: say(
        "Nothing lies on the table: the right to lead cannot be bombed."
    ),
    "must-lead": lambda say, d: say("You lead this trick, so you must play something."),
    "no-calls": lambda say, d: say("Nothing is called in this game."),
    "no-combination": lambda say, d: say("These cards form no combination of Tichu."),
    "no-gift-due": lambda say, d: say("There is no trick to give away now."),
    "no-grand-for-dealer": lambda say, d: say(
        "The dealer and the Table cannot call a Grand Tichu."
    ),
    "no-partner-call": lambda say, d: say("Your partner has not called."),
    "no-stop-vote": lambda say, d: say("This game has no vote to end it."),
    "no-such-seat": lambda say, d: say("There is no such seat at this table."),
    "no-window": lambda say, d: say("No bomb window is open any more."),
    "not-a-bomb": lambda say, d: say(
        "That is no bomb: it takes four of a rank in four suits, or five or more in a row of one "
        "suit."
    ),
    "nothing-to-give": lambda say, d: say("You have no cards to give away this time."),
    "not-asked-to-withdraw": lambda say, d: say("You are not asked to withdraw anything."),
    "not-held": lambda say, d: say("You do not hold all of these cards."),
    "not-your-turn": lambda say, d: say("It is not your turn."),
    "option": _option,
    "option-of-other-game": lambda say, d: say(
        "{game} does not have the option {option}.",
        game=variant_name(say, d["variant"]),
        option=_option_name(d["option"]),
    ),
    "phoenix-on-dragon": lambda say, d: say("The Phoenix cannot beat the Dragon; a bomb can."),
    "phoenix-rank": lambda say, d: say(
        "With the Phoenix as {ranks} these cards form no combination.",
        ranks=_ranks(say, d["ranks"]),
    ),
    "window-open": lambda say, d: say(
        "The bomb window is still open: everybody may bomb for a moment."
    ),
    "wish-duty": lambda say, d: say(
        "The wish is {wish} and you can play one, so you must.", wish=_ranks(say, d["wish"])
    ),
    "wish-rank": lambda say, d: say("A wish names a rank from 2 to A."),
    "wish-without-mahjong": lambda say, d: say("Only whoever plays the Mah Jong may wish."),
    "withdrawal-first": lambda say, d: say(
        "First somebody has to say whether a call made at the same time is withdrawn."
    ),
    "wrong-deck": lambda say, d: say("That is not the deck of this game."),
    "wrong-phase": lambda say, d: say("That is not possible at this moment."),
    # The application. It shares the codes of three refusals with the rules: Reason.NO_SUCH_SEAT,
    # Reason.NO_WINDOW and Reason.NOT_YOUR_TURN are the same keys as above.
    Reason.ADVICE_COMING: lambda say, d: say("Your hint is on its way: one moment."),
    Reason.ALREADY_SEATED: lambda say, d: say("You already sit at this table."),
    Reason.ALREADY_STARTED: lambda say, d: say("The match has already started."),
    Reason.BETWEEN_ROUNDS_ONLY: lambda say, d: say("That is only possible between two rounds."),
    Reason.CANNOT_WRITE: lambda say, d: say(
        "I cannot write in {channel}: I lack the permission {permissions} there.",
        permissions=d["permissions"],
        channel=d["channel"],
    ),
    Reason.CHANNEL_TAKEN: lambda say, d: say(
        "There is already a table in this channel. Use another channel, or the thread option."
    ),
    Reason.HOST_ONLY: lambda say, d: say("Only the host of this table can do that."),
    Reason.LAST_PERSON: lambda say, d: say(
        "You are the last person at this table: stop the match with /tichu stop instead."
    ),
    Reason.MEMBER_IS_BOT: lambda say, d: say(
        "{name} is a bot. A computer player can have your seat, but not another bot.",
        name=d["name"],
    ),
    Reason.MEMBER_SEATED: lambda say, d: say("{name} already sits at this table.", name=d["name"]),
    Reason.MODERATORS_ONLY: lambda say, d: say("Only who may manage this server can do that."),
    Reason.NO_ADVICE: lambda say, d: say(
        "There is no hint at the moment. After a start the Experts need a minute to get ready."
    ),
    Reason.NO_COMPUTER: lambda say, d: say("No computer player sits at this table."),
    Reason.NO_HINTS: lambda say, d: say("There are no hints at this table."),
    Reason.LEFT_THIS_ROUND: lambda say, d: say(
        "You have seen a hand of this round: you can sit down again when it is over."
    ),
    Reason.NO_OFFER: lambda say, d: say("This seat is not offered to you (any more)."),
    Reason.NO_SUCH_CHANNEL: lambda say, d: say(
        "I find no such text channel in this server (any more)."
    ),
    Reason.NO_SUCH_ROUND: lambda say, d: say(
        "Round {number} has not been dealt at this table.", number=say.number(d["number"])
    ),
    Reason.NO_SUCH_TABLE: lambda say, d: say(
        "There is no table {number} in this server.", number=d["number"]
    ),
    Reason.NO_TABLE_HERE: lambda say, d: say(
        "There is no table in this channel. Open one with /tichu new."
    ),
    Reason.NO_WAITS_LEFT: lambda say, d: say(
        "You have used your waits of this round ({limit}).", limit=d["limit"]
    ),
    Reason.NO_ROUND_OVER: lambda say, d: say("No round of this table is over."),
    Reason.FILE_TOO_LARGE: lambda say, d: say(
        "This file would be too large to send. Save its rounds one by one instead."
    ),
    Reason.NOT_IN_THIS_FORMAT: lambda say, d: say(
        "A log of BrettspielWelt cannot tell of a round that a missed wish has ended. Save it in "
        "another format."
    ),
    Reason.NOTHING_PLAYED_HERE: lambda say, d: say("No round has been played to its end here."),
    Reason.ROUND_NOT_OVER: lambda say, d: say(
        "Round {number} of this table cannot be shown: it is not over, or it was never played.",
        number=say.number(d["number"]),
    ),
    Reason.NOBODY_PLAYS: lambda say, d: say("At least one person has to sit at the table."),
    Reason.NOT_YOUR_HAND: lambda say, d: say("Somebody else plays this hand."),
    Reason.NOT_AWAY: lambda say, d: say("You are not away: nobody plays for you."),
    Reason.NOT_SEATED: lambda say, d: say("You do not sit at this table."),
    Reason.NOT_STARTED: lambda say, d: say("The match has not started yet."),
    Reason.PERMISSIONS: lambda say, d: say(
        "I cannot run a table here: I lack the permission {permissions} in {channel}.",
        permissions=d["permissions"],
        channel=d["channel"],
    ),
    Reason.PROFILE_HIDDEN: lambda say, d: say("This player does not show their profile."),
    Reason.SEAT_TAKEN: lambda say, d: say("Somebody sits there by now."),
    Reason.SEATS_EMPTY: lambda say, d: say(
        "Some seats are still empty: wait for players or add computer players."
    ),
    Reason.STALE: lambda say, d: say("Play has gone on since: this is your hand as it is now."),
    Reason.TABLE_FULL: lambda say, d: say("All seats are taken."),
    Reason.TABLE_OVER: lambda say, d: say("This table is closed."),
    Reason.THREAD_IN_THREAD: lambda say, d: say(
        "This already is a thread: open the table here without the thread option."
    ),
    Reason.TOO_FEW_PLAYERS: lambda say, d: say(
        "At least {least} players are needed: wait for more, or add computer players.",
        least=d["least"],
    ),
    Reason.TOO_MANY_TABLES: lambda say, d: say(
        "This server already has {limit} open tables; finish one of them first.", limit=d["limit"]
    ),
    Reason.UNKNOWN_BUTTON: lambda say, d: say("This button is not one of mine (any more)."),
    Reason.UNREADABLE_LOG: lambda say, d: say(
        "What is stored of this table cannot be played again; tell whoever runs this bot."
    ),
    Reason.WORD: lambda say, d: say(
        "Say 1 to {limit} characters without control characters.", limit=d["limit"]
    ),
}


def sentence(say: Say, refusal: Refused | IllegalAction) -> str:
    """The sentence for a refusal."""
    return SENTENCES[refusal.code](say, refusal.details)


def apology(say: Say) -> str:
    """The sentence after an error that is a fault of the bot."""
    return say("Something went wrong on my side. Nothing was changed; please try again.")


def storage_trouble(say: Say) -> str:
    """The sentence for when the database cannot be written."""
    return say(
        "I cannot save the game at the moment, so nothing was changed. Please try again soon; "
        "if it lasts, tell whoever runs this bot."
    )


def reading_trouble(say: Say) -> str:
    """What a person reads when the database cannot be read: nothing was to be changed."""
    return say(
        "I cannot look that up at the moment. Please try again soon; if it lasts, tell whoever "
        "runs this bot."
    )


def answer_lost(say: Say) -> str:
    """What a person reads when their request was carried out, and only the answer failed."""
    return say("That is done and saved. Only my answer to it did not get through.")
