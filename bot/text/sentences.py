"""From reasons to sentences: what a person reads when something is refused.

The reasons are those of the rules (`engine.errors.Reason`) and of the application
(`bot.errors.Reason`). A test checks that every reason has one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from bot.errors import Reason, Refused
from bot.text import Say
from bot.text.cards import variant_name
from bot.text.combinations import rank_word
from engine import IllegalAction, read_rank
from engine import Reason as RuleReason

_Details: TypeAlias = Mapping[str, Any]
"""The details of a refusal, by name."""

_STEPS = re.compile(r"(\d+)\.\.(\d+) step (\d+)")


def _option_name(name: str) -> str:
    """The name that an option of the engine has in ``/tichu new``."""
    names = {"wish_policy": "missed-wish", "bomb_window_ms": "bomb-window", "decks": "two-decks"}
    return names.get(name, name)


def _option(say: Say, details: _Details) -> str:
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


PLAIN: Mapping[Reason | RuleReason, Callable[[Say], str]] = {
    # The rules (engine)
    RuleReason.ALREADY_ANSWERED: lambda say: say("You have already answered."),
    RuleReason.ALREADY_CALLED: lambda say: say("You have already made your call this round."),
    RuleReason.ALREADY_OUT: lambda say: say("You are out: you have no cards left."),
    RuleReason.ALREADY_SUBMITTED: lambda say: say("Your bomb already lies face down on the table."),
    RuleReason.ALREADY_WAIVED: lambda say: say("You have already let this chance for a bomb go."),
    RuleReason.BOMB_IN_OWN_TURN: lambda say: say(
        "It is your turn: play the bomb like any other play."
    ),
    RuleReason.CALL_AFTER_COMMITMENT: lambda say: say(
        "You have passed your cards: Tichu can be called again when all have passed theirs."
    ),
    RuleReason.CALL_AFTER_FIRST_CARD: lambda say: say(
        "Tichu must be called before your first card, and you have already played one."
    ),
    RuleReason.CALL_BEFORE_FULL_HAND: lambda say: say(
        "A small Tichu is called with the whole hand; now only a Grand Tichu is possible."
    ),
    RuleReason.DOES_NOT_BEAT: lambda say: say(
        "That does not beat what lies on the table: it takes the same kind of combination with "
        "the same number of cards and a higher rank, or a bomb."
    ),
    RuleReason.DOG_ONLY_LEADS: lambda say: say("The Dog can only be played as a lead."),
    RuleReason.DOG_TARGET: lambda say: say("The Dog must go to a partner who still has cards."),
    RuleReason.EXCHANGE_FORCED: lambda say: say(
        "Your best cards must be given: Dragon, Phoenix, Mah Jong, then the highest ranks. Only "
        "among equal ones you may choose."
    ),
    RuleReason.EXCHANGE_RECEIVERS: lambda say: say(
        "Give as many cards as are asked for to everybody you owe some, and to nobody else."
    ),
    RuleReason.EXCHANGE_SAME_CARD: lambda say: say("Each of the others must get a different card."),
    RuleReason.GIFT_TO_OPPONENT: lambda say: say(
        "The Dragon's trick goes to one of your opponents."
    ),
    RuleReason.GRAND_TOO_LATE: lambda say: say(
        "A Grand Tichu can only be called with the first cards in hand, before the others come."
    ),
    RuleReason.LEAD_NOT_BOMBABLE: lambda say: say(
        "Nothing lies on the table: the right to lead cannot be bombed."
    ),
    RuleReason.MUST_LEAD: lambda say: say("You lead this trick, so you must play something."),
    RuleReason.NO_CALLS: lambda say: say("Nothing is called in this game."),
    RuleReason.NO_COMBINATION: lambda say: say("These cards form no combination of Tichu."),
    RuleReason.NO_GIFT_DUE: lambda say: say("There is no trick to give away now."),
    RuleReason.NO_GRAND_FOR_DEALER: lambda say: say(
        "The dealer and the Table cannot call a Grand Tichu."
    ),
    RuleReason.NO_PARTNER_CALL: lambda say: say("Your partner has not called."),
    RuleReason.NO_STOP_VOTE: lambda say: say("This game has no vote to end it."),
    RuleReason.NO_SUCH_SEAT: lambda say: say("There is no such seat at this table."),
    RuleReason.NO_WINDOW: lambda say: say("No bomb window is open any more."),
    RuleReason.NOT_A_BOMB: lambda say: say(
        "That is no bomb: it takes four of a rank in four suits, or five or more in a row of one "
        "suit."
    ),
    RuleReason.NOTHING_TO_GIVE: lambda say: say("You have no cards to give away this time."),
    RuleReason.NOT_ASKED_TO_WITHDRAW: lambda say: say("You are not asked to withdraw anything."),
    RuleReason.NOT_HELD: lambda say: say("You do not hold all of these cards."),
    RuleReason.NOT_YOUR_TURN: lambda say: say("It is not your turn."),
    RuleReason.PHOENIX_ON_DRAGON: lambda say: say(
        "The Phoenix cannot beat the Dragon; a bomb can."
    ),
    RuleReason.WINDOW_OPEN: lambda say: say(
        "The bomb window is still open: everybody may bomb for a moment."
    ),
    RuleReason.WISH_RANK: lambda say: say("A wish names a rank from 2 to A."),
    RuleReason.WISH_WITHOUT_MAHJONG: lambda say: say("Only whoever plays the Mah Jong may wish."),
    RuleReason.WITHDRAWAL_FIRST: lambda say: say(
        "First somebody has to say whether a call made at the same time is withdrawn."
    ),
    RuleReason.WRONG_DECK: lambda say: say("That is not the deck of this game."),
    RuleReason.WRONG_PHASE: lambda say: say("That is not possible at this moment."),
    # The application
    Reason.ADVICE_COMING: lambda say: say("Your hint is on its way: one moment."),
    Reason.ALREADY_SEATED: lambda say: say("You already sit at this table."),
    Reason.ALREADY_STARTED: lambda say: say("The match has already started."),
    Reason.BETWEEN_ROUNDS_ONLY: lambda say: say("That is only possible between two rounds."),
    Reason.CHANNEL_TAKEN: lambda say: say(
        "There is already a table in this channel. Use another channel, or the thread option."
    ),
    Reason.HOST_ONLY: lambda say: say("Only the host of this table can do that."),
    Reason.LAST_PERSON: lambda say: say(
        "You are the last person at this table: stop the match with /tichu stop instead."
    ),
    Reason.MODERATORS_ONLY: lambda say: say("Only people who may manage this server can do that."),
    Reason.NO_ADVICE: lambda say: say(
        "There is no hint at the moment. After a start the Experts need a minute to get ready."
    ),
    Reason.NO_COMPUTER: lambda say: say("No computer player sits at this table."),
    Reason.NO_HINTS: lambda say: say("There are no hints at this table."),
    Reason.LEFT_THIS_ROUND: lambda say: say(
        "You have seen a hand of this round: you can sit down again when it is over."
    ),
    Reason.NO_OFFER: lambda say: say("This seat is not offered to you (any more)."),
    Reason.NO_SUCH_CHANNEL: lambda say: say(
        "I find no such text channel in this server (any more)."
    ),
    Reason.NO_TABLE_HERE: lambda say: say(
        "There is no table in this channel. Open one with /tichu new."
    ),
    Reason.NO_ROUND_OVER: lambda say: say("No round of this table is over."),
    Reason.FILE_TOO_LARGE: lambda say: say(
        "This file would be too large to send. Save its rounds one by one instead."
    ),
    Reason.NOT_IN_THIS_FORMAT: lambda say: say(
        "A log of BrettspielWelt cannot tell of a round that a missed wish has ended. Save it in "
        "another format."
    ),
    Reason.NOTHING_PLAYED_HERE: lambda say: say("No round has been played to its end here."),
    Reason.NOBODY_PLAYS: lambda say: say("At least one person has to sit at the table."),
    Reason.NOT_YOUR_HAND: lambda say: say("Somebody else plays this hand."),
    Reason.NOT_AWAY: lambda say: say("You are not away: nobody plays for you."),
    Reason.NOT_SEATED: lambda say: say("You do not sit at this table."),
    Reason.NOT_STARTED: lambda say: say("The match has not started yet."),
    Reason.PROFILE_HIDDEN: lambda say: say("This player does not show their profile."),
    Reason.SEAT_TAKEN: lambda say: say("Somebody sits there by now."),
    Reason.SEATS_EMPTY: lambda say: say(
        "Some seats are still empty: wait for players or add computer players."
    ),
    Reason.STALE: lambda say: say("Play has gone on since: this is your hand as it is now."),
    Reason.TABLE_FULL: lambda say: say("All seats are taken."),
    Reason.TEAM_FULL: lambda say: say("That team is full."),
    Reason.TABLE_OVER: lambda say: say("This table is closed."),
    Reason.THREAD_IN_THREAD: lambda say: say(
        "This already is a thread: open the table here without the thread option."
    ),
    Reason.UNKNOWN_BUTTON: lambda say: say("This button is not one of mine (any more)."),
    Reason.UNREADABLE_LOG: lambda say: say(
        "What is stored of this table cannot be played again; tell whoever runs this bot."
    ),
}
"""The sentences that are always the same.

NO_SUCH_SEAT, NO_WINDOW and NOT_YOUR_TURN are reasons of the rules and of the application, with the
same code and so with one sentence.
"""

DETAILED: Mapping[Reason | RuleReason, Callable[[Say, _Details], str]] = {
    # The rules (engine)
    RuleReason.OPTION: _option,
    RuleReason.OPTION_OF_OTHER_GAME: lambda say, details: say(
        "{game} does not have the option {option}.",
        game=variant_name(say, details["variant"]),
        option=_option_name(details["option"]),
    ),
    RuleReason.PHOENIX_RANK: lambda say, details: say(
        "With the Phoenix as {ranks} these cards form no combination.",
        ranks=_ranks(say, details["ranks"]),
    ),
    RuleReason.WISH_DUTY: lambda say, details: say(
        "The wish is {wish} and you can play one, so you must.", wish=_ranks(say, details["wish"])
    ),
    # The application
    Reason.CANNOT_WRITE: lambda say, details: say(
        "I cannot write in {channel}: I lack the permission {permissions} there.",
        permissions=details["permissions"],
        channel=details["channel"],
    ),
    Reason.MEMBER_IS_BOT: lambda say, details: say(
        "{name} is a bot. A computer player can have your seat, but not another bot.",
        name=details["name"],
    ),
    Reason.MEMBER_SEATED: lambda say, details: say(
        "{name} already sits at this table.", name=details["name"]
    ),
    Reason.NO_SUCH_ROUND: lambda say, details: say(
        "Round {number} has not been dealt at this table.", number=say.number(details["number"])
    ),
    Reason.NO_SUCH_TABLE: lambda say, details: say(
        "There is no table {number} in this server.", number=details["number"]
    ),
    Reason.NO_WAITS_LEFT: lambda say, details: say(
        "You have used your waits of this round ({limit}).", limit=details["limit"]
    ),
    Reason.ROUND_NOT_OVER: lambda say, details: say(
        "Round {number} of this table cannot be shown: it is not over, or it was never played.",
        number=say.number(details["number"]),
    ),
    Reason.PERMISSIONS: lambda say, details: say(
        "I cannot run a table here: I lack the permission {permissions} in {channel}.",
        permissions=details["permissions"],
        channel=details["channel"],
    ),
    Reason.TOO_FEW_PLAYERS: lambda say, details: say(
        "At least {least} players are needed: wait for more, or add computer players.",
        least=details["least"],
    ),
    Reason.TOO_MANY_PEOPLE: lambda say, details: say(
        "{people} people sit here, and that game has only {most} seats.",
        people=details["people"],
        most=details["most"],
    ),
    Reason.TOO_MANY_TABLES: lambda say, details: say(
        "This server already has {limit} open tables; finish one of them first.",
        limit=details["limit"],
    ),
    Reason.WORD: lambda say, details: say(
        "Say 1 to {limit} characters without control characters.", limit=details["limit"]
    ),
}
"""The sentences that tell something of the details of the refusal."""


def sentence(say: Say, refusal: Refused | IllegalAction) -> str:
    """The sentence for a refusal."""
    plain = PLAIN.get(refusal.code)
    return plain(say) if plain else DETAILED[refusal.code](say, refusal.details)


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
