"""Sentences for refusals, by reason.

The reasons are those of the rules (`engine.errors.Reason`) and of the application
(`bot.errors.Reason`). A test checks that every reason has exactly one sentence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from bot.errors import Reason, Refused
from bot.text import Say, club_sentences
from bot.text.cards import variant_name
from bot.text.combinations import rank_label
from bot.text.people import mention
from engine import IllegalAction, read_rank
from engine import Reason as RuleReason

_Details: TypeAlias = Mapping[str, Any]
"""Details of a refusal, by name."""

_RANGE_WITH_STEP = re.compile(r"(\d+)\.\.(\d+) step (\d+)")


def _option_name(name: str) -> str:
    """Return the name of an engine option in ``/tichu new``."""
    names = {"wish_policy": "missed-wish", "bomb_window_ms": "bomb-window", "decks": "two-decks"}
    return names.get(name, name)


def _too_many_turn_based(say: Say, limit: int) -> str:
    """Return the sentence for too many turn-based tables; the limit may be 0."""
    if not limit:
        return say("There are no turn-based tables on this server.")
    return say.many(
        "You already have {n} turn-based table open on this server. Finish it first.",
        "You already have {n} turn-based tables open on this server. Finish one first.",
        limit,
    )


def _invalid_option(say: Say, details: _Details) -> str:
    """Return the sentence for an invalid value of an option, with the valid values."""
    allowed = details["allowed"]
    steps = _RANGE_WITH_STEP.fullmatch(allowed)
    if steps:
        low, high, step = (say.number(int(number)) for number in steps.groups())
        allowed = (
            say("{low} to {high}", low=low, high=high)
            if step == "1"
            else say("{low} to {high} in steps of {step}", low=low, high=high, step=step)
        )
    return say(
        "{option} can't be {value}. Possible: {allowed}.",
        option=_option_name(details["option"]),
        value=details["value"],
        allowed=allowed,
    )


def _ranks(say: Say, texts: str) -> str:
    """Format ranks in notation ("9 J") as printed on the cards."""
    return " ".join(rank_label(say, read_rank(text)) for text in texts.split())


PLAIN: Mapping[Reason | RuleReason, Callable[[Say], str]] = {
    # The rules (engine)
    RuleReason.ALREADY_ANSWERED: lambda say: say("You've already answered."),
    RuleReason.ALREADY_CALLED: lambda say: say("You've already called this round."),
    RuleReason.ALREADY_OUT: lambda say: say("You're out – no cards left."),
    RuleReason.ALREADY_SUBMITTED: lambda say: say("Your bomb is already down."),
    RuleReason.ALREADY_WAIVED: lambda say: say("You've already let this chance to bomb go."),
    RuleReason.BOMB_IN_OWN_TURN: lambda say: say(
        "It's your turn – play the bomb like any other play."
    ),
    RuleReason.CALL_AFTER_COMMITMENT: lambda say: say(
        "You've passed your cards. You can call Tichu once everyone has."
    ),
    RuleReason.CALL_AFTER_FIRST_CARD: lambda say: say(
        "Too late – Tichu is called before your first card."
    ),
    RuleReason.CALL_BEFORE_FULL_HAND: lambda say: say(
        "Only Grand Tichu for now. You can call Tichu with your full hand."
    ),
    RuleReason.DOES_NOT_BEAT: lambda say: say(
        "That doesn't beat the last play. Play the same kind and number of cards, higher – or "
        "a bomb."
    ),
    RuleReason.DOG_ONLY_LEADS: lambda say: say("The Dog can only be led."),
    RuleReason.DOG_TARGET: lambda say: say("The Dog must go to a partner who still has cards."),
    RuleReason.EXCHANGE_FORCED: lambda say: say(
        "You must pass your best cards: Dragon, Phoenix, Mah Jong, then from the ace down. You "
        "choose only between equal ones."
    ),
    RuleReason.EXCHANGE_RECEIVERS: lambda say: say(
        "Pass everyone as many cards as the page asks for."
    ),
    RuleReason.EXCHANGE_SAME_CARD: lambda say: say("Pick different cards, one for each player."),
    RuleReason.GIFT_TO_OPPONENT: lambda say: say("The Dragon trick goes to an opponent."),
    RuleReason.GRAND_TOO_LATE: lambda say: say(
        "Too late – Grand Tichu is called with your first cards only."
    ),
    RuleReason.LEAD_NOT_BOMBABLE: lambda say: say("Nothing to bomb – the table is empty."),
    RuleReason.MUST_LEAD: lambda say: say("You lead, so you must play something."),
    RuleReason.NO_CALLS: lambda say: say("There are no calls in this game."),
    RuleReason.NO_COMBINATION: lambda say: say("Not a combination."),
    RuleReason.NO_GIFT_DUE: lambda say: say("There's no trick to give away now."),
    RuleReason.NO_GRAND_FOR_DEALER: lambda say: say(
        "The dealer and the Table can't call Grand Tichu."
    ),
    RuleReason.NO_PARTNER_CALL: lambda say: say("Your partner hasn't called."),
    RuleReason.NO_STOP_VOTE: lambda say: say("This game can't be ended by a vote."),
    RuleReason.NO_SUCH_SEAT: lambda say: say("This table has no such seat."),
    RuleReason.NO_WINDOW: lambda say: say("Too late – the bomb window has closed."),
    RuleReason.NOT_A_BOMB: lambda say: say(
        "Not a bomb. You need four of a rank, or five or more in a row in one suit."
    ),
    RuleReason.NOTHING_TO_GIVE: lambda say: say("You have no cards to pass this time."),
    RuleReason.NOT_ASKED_TO_WITHDRAW: lambda say: say("You're not asked to withdraw anything."),
    RuleReason.NOT_HELD: lambda say: say("You don't hold all of these cards."),
    RuleReason.NOT_YOUR_TURN: lambda say: say("It's not your turn."),
    RuleReason.PHOENIX_ON_DRAGON: lambda say: say("The Phoenix can't beat the Dragon. A bomb can."),
    RuleReason.WINDOW_OPEN: lambda say: say("Wait a moment – anyone may still bomb."),
    RuleReason.WISH_RANK: lambda say: say("You can wish for a rank from 2 to A."),
    RuleReason.WISH_WITHOUT_MAHJONG: lambda say: say("Only the Mah Jong brings a wish."),
    RuleReason.WITHDRAWAL_FIRST: lambda say: say(
        "Wait – a partner must first decide whether their call stands."
    ),
    RuleReason.WRONG_DECK: lambda say: say("That isn't this game's deck."),
    RuleReason.WRONG_PHASE: lambda say: say("Not possible right now."),
    # The application
    **club_sentences.PLAIN,
    Reason.ADVICE_COMING: lambda say: say("Your hint is coming – one moment."),
    Reason.ALREADY_SEATED: lambda say: say("You're already at this table."),
    Reason.ALREADY_STARTED: lambda say: say("The match has already started."),
    Reason.BETWEEN_ROUNDS_ONLY: lambda say: say("Only possible between rounds."),
    Reason.BUSY: lambda say: say(
        "Lots of people are asking me things right now – try again in a minute."
    ),
    Reason.CHALLENGED_ALREADY: lambda say: say(
        "You two have a challenge already. `/tichu challenge` shows it."
    ),
    Reason.CHALLENGE_ANSWERED: lambda say: say("This challenge is accepted already."),
    Reason.CHALLENGE_OFFERED: lambda say: say("You can play once the challenge is accepted."),
    Reason.CHALLENGE_OPEN: lambda say: say("Results come when the challenge is over."),
    Reason.CHALLENGE_OVER: lambda say: say("This challenge is over."),
    Reason.CHALLENGE_PLAYED: lambda say: say("There's nothing left for you to play here."),
    Reason.CHALLENGE_YOURSELF: lambda say: say("You can't challenge yourself."),
    Reason.CHANNEL_BUSY: lambda say: say(
        "Another table is playing in this channel. You can continue here when it's over."
    ),
    Reason.CHANNEL_TAKEN: lambda say: say(
        "This channel already has a table. Use another channel, or the thread option."
    ),
    Reason.CHOSEN_MEANWHILE: lambda say: say(
        "This page was out of date, so nothing changed. Here it is as it is now."
    ),
    Reason.HOST_HAS_MANY: lambda say: say(
        "This table's host already has as many tables open as allowed. You can continue when "
        "one of them is over."
    ),
    Reason.INVITED_MANY: lambda say: say(
        "You've invited lots of people. Wait a minute before the next one."
    ),
    Reason.LAST_PERSON: lambda say: say(
        "You're the last person here. Use /tichu stop to end the match."
    ),
    Reason.NO_CHALLENGE_HERE: lambda say: say(
        "I can't post a challenge here. Use a channel of a server where I am, too."
    ),
    Reason.NOT_YOUR_CHALLENGE: lambda say: say("This challenge isn't for you."),
    Reason.MANAGERS_ONLY: lambda say: say("Only server managers can do that."),
    Reason.MODERATORS_ONLY: lambda say: say("Only moderators can do that."),
    Reason.NO_ADVICE: lambda say: say("Hints are warming up – try again in a minute."),
    Reason.COMPUTERS_NOT_READY: lambda say: say(
        # Translators: computer players, for the first minutes after the bot's start
        "The computers are still warming up – try again in a minute."
    ),
    Reason.COMPUTERS_UPDATED: lambda say: say(
        # Translators: computer players; the deal is one that many people play, each alone
        "My computers have been updated, so this deal can't go on. The next one is open to all."
    ),
    Reason.DAILY_OVER: lambda say: say("That deal's day is over. `/tichu daily` has today's deal."),
    Reason.NO_SOLO_ROUNDS: lambda say: say(
        "I have no computers for this here, because I run without Experts."
    ),
    Reason.SHARED_ALREADY: lambda say: say("You've shared this already."),
    Reason.HANDS_NOT_YET: lambda say: say(
        "Others still play this deal. You'll see all hands when it's over for everyone."
    ),
    Reason.SOLO_ROUND_OVER: lambda say: say(
        "You've played this deal. `/tichu daily` or `/tichu challenge` shows your result."
    ),
    Reason.NO_EXPERTS: lambda say: say("No hints or reviews here: the bot runs without Experts."),
    Reason.NEEDS_THREAD: lambda say: say(
        "A turn-based table needs a thread of its own. Open one with `/tichu new pace:`."
    ),
    Reason.NO_COMPUTER: lambda say: say("There's no computer at this table."),
    Reason.NO_PAUSE: lambda say: say("No need to pause – everyone has hours per turn here."),
    Reason.NO_HINTS_ALLOWED: lambda say: say("This server doesn't allow hints."),
    Reason.NO_HINTS: lambda say: say("This table has no hints."),
    Reason.LEFT_THIS_ROUND: lambda say: say(
        "You've seen a hand this round. You can sit down again in the next one."
    ),
    Reason.NO_OFFER: lambda say: say("This seat wasn't offered to you."),
    Reason.NO_SUCH_CHANNEL: lambda say: say("I can't find that channel."),
    Reason.NO_SUCH_ROLE: lambda say: say("I can't find that role."),
    Reason.NO_SUCH_ZONE: lambda say: say(
        "I don't know that time zone. Type a city, such as Berlin, and pick from the list."
    ),
    Reason.NO_TABLE_HERE: lambda say: say("No table in this channel. Open one with /tichu new."),
    Reason.NO_THREADS_HERE: lambda say: say(
        "I can only open a thread in a text channel. Go there, or leave out the options thread and "
        "pace."
    ),
    Reason.NO_ROUND_OVER: lambda say: say("No round has finished yet."),
    Reason.FILE_TOO_LARGE: lambda say: say(
        "That file is too large to send. Save the rounds one by one."
    ),
    Reason.NOT_IN_THIS_FORMAT: lambda say: say(
        "A BrettspielWelt log can't record a round that ended with an ignored wish. Save it in "
        "another format."
    ),
    Reason.NOTHING_PLAYED: lambda say: say("You haven't finished a round yet."),
    Reason.NOTHING_PLAYED_HERE: lambda say: say("Nobody has finished a round here yet."),
    Reason.NOBODY_PLAYS: lambda say: say("At least one person has to play."),
    Reason.NOT_YOUR_HAND: lambda say: say("That isn't your hand."),
    Reason.NOT_AWAY: lambda say: say("You're not away – nobody is playing for you."),
    Reason.NOT_SEATED: lambda say: say("You're watching this table."),
    Reason.NOT_STARTED: lambda say: say("The match hasn't started yet."),
    Reason.NO_ROLE_TO_INVITE: lambda say: say(
        "There's no role to invite here. A server manager can choose one in /tichu settings."
    ),
    Reason.OPENED_MANY: lambda say: say(
        "You've opened lots of tables in a row. Wait a moment before the next one."
    ),
    Reason.OPENERS_GONE: lambda say: say(
        "The role that may open tables here is gone. A server manager can choose another one "
        "in /tichu settings."
    ),
    Reason.PAUSED: lambda say: say("This table is paused. You can join once it goes on."),
    Reason.PRIVATE_GAME_OVER: lambda say: say(
        "That attempt is over – **Try again** starts from the same position."
    ),
    Reason.ACCURACY_OFF: lambda say: say(
        "Accuracy is off here. You choose in /tichu settings whether to see yours, and whether to "
        "compare it with others who allow it."
    ),
    Reason.PROFILE_HIDDEN: lambda say: say("Their profile and past matches are private."),
    Reason.NO_REVIEW_OF_GAME: lambda say: say(
        "No reviews of Grand Seigneur yet: its Experts aren't far enough ahead to judge you."
    ),
    Reason.NOT_YOUR_REVIEW: lambda say: say(
        "You can only ask for reviews of rounds that count for you, from your own seat."
    ),
    Reason.NO_REVIEW_YET: lambda say: say("Nobody has asked for that review yet."),
    Reason.REVIEW_FOR_PLAYERS: lambda say: say(
        "A review is for those who played the round – or for everyone, once all of them agree."
    ),
    Reason.NOT_YOUR_REPLAY: lambda say: say(
        "Only the person who shared this replay can step through it. **Open for me** opens your "
        "own."
    ),
    Reason.NO_POSTING_HERE: lambda say: say(
        "You can't write in this channel, so you can't post here."
    ),
    Reason.NOT_SHOWN_HERE: lambda say: say(
        "Not everyone here can see that table's channel. Share it there."
    ),
    Reason.BEING_FORGOTTEN: lambda say: say(
        "Someone's data is being deleted right now. Try again in a moment."
    ),
    Reason.RESTARTING: lambda say: say("I'm restarting, so I did nothing. Try again in a minute."),
    Reason.ROLE_CALLED_ALREADY: lambda say: say("The role was already invited to this table."),
    Reason.SEAT_TAKEN: lambda say: say("That seat was just taken."),
    Reason.SERVERS_ONLY: lambda say: say("That only works on a server that has added me."),
    Reason.SEATS_EMPTY: lambda say: say(
        "Some seats are empty. Wait for players, or add computers."
    ),
    Reason.STALE: lambda say: say("The game moved on – here's your hand now."),
    Reason.TABLE_FULL: lambda say: say("All seats are taken."),
    Reason.TEAM_FULL: lambda say: say("That team is full."),
    Reason.TABLE_OVER: lambda say: say("This table is closed."),
    Reason.TOO_FAST: lambda say: say("That was too fast for me – wait a second."),
    Reason.TOO_LATE: lambda say: say("That reached me too late, so I did nothing. Try again."),
    Reason.UNKNOWN_BUTTON: lambda say: say("That button is out of date."),
    Reason.WINDOW_HELD: lambda say: say("Someone is already holding – play goes on in a moment."),
    Reason.WINDOW_STAYS_OPEN: lambda say: say(
        "No need to hold – the bomb window stays open until the next player plays or ends it."
    ),
    Reason.WRITTEN_ELSEWHERE: lambda say: say(
        "The table changed just then, so your click didn't count. Look again, then repeat it."
    ),
}
"""Sentences without details.

NO_SUCH_SEAT, NO_WINDOW and NOT_YOUR_TURN are reasons of the application, too. They have the same
code there, and so the same sentence.
"""

DETAILED: Mapping[Reason | RuleReason, Callable[[Say, _Details], str]] = {
    **club_sentences.DETAILED,
    # The rules (engine)
    RuleReason.OPTION: _invalid_option,
    RuleReason.OPTION_OF_OTHER_GAME: lambda say, details: say(
        "{game} has no option {option}.",
        game=variant_name(say, details["variant"]),
        option=_option_name(details["option"]),
    ),
    RuleReason.PHOENIX_RANK: lambda say, details: say(
        "With the Phoenix as {ranks} that isn't a combination.",
        ranks=_ranks(say, details["ranks"]),
    ),
    RuleReason.WISH_DUTY: lambda say, details: say(
        "Wish: {wish}. You can play one, so you must.", wish=_ranks(say, details["wish"])
    ),
    # The application
    Reason.ANOTHER_CHANNEL: lambda say, details: say(
        "You can only do that in {channel}.", channel=details["channel"]
    ),
    Reason.HOST_ONLY: lambda say, details: say(
        "Only {host}, the host, can do that.", host=mention(details["host"])
    ),
    Reason.ASKED_JUST_NOW: lambda say, details: say(
        "You just asked a few people. Wait {seconds} s.", seconds=details["seconds"]
    ),
    Reason.CANNOT_WRITE: lambda say, details: say(
        "I can't write in {channel}: I'm missing {permissions} there.",
        permissions=details["permissions"],
        channel=details["channel"],
    ),
    Reason.CHALLENGE_DECLINED: lambda say, details: say(
        "Your last challenge was declined. You can challenge them again {when}.",
        when=details["when"],
    ),
    Reason.MANY_CHALLENGES: lambda say, details: say.many(
        "You already have {n} open challenge. Finish it first.",
        "You already have {n} open challenges. Finish one first.",
        details["limit"],
    ),
    Reason.INVITED_ALREADY: lambda say, details: say(
        "{name} was already invited to this table.", name=details["name"]
    ),
    Reason.MAY_NOT_OPEN: lambda say, details: say(
        "You can't open a table here: you're missing {permissions} in this channel.",
        permissions=details["permissions"],
    ),
    Reason.MEMBER_IS_BOT: lambda say, details: say(
        "{name} is a bot and can't play. A computer can.",
        name=details["name"],
    ),
    Reason.MEMBER_SEATED: lambda say, details: say(
        "{name} is already at this table.", name=details["name"]
    ),
    Reason.NOT_TO_BE_INVITED: lambda say, details: say(
        "{name} can't be invited right now.", name=details["name"]
    ),
    Reason.ROLE_CALLED_LATELY: lambda say, details: say(
        "The role was invited recently. You can invite it again {when}.",
        when=details["when"],
    ),
    Reason.SEES_NO_CHANNEL: lambda say, details: say(
        "{name} can't see this channel.", name=details["name"]
    ),
    Reason.NO_SUCH_ROUND: lambda say, details: say(
        "Round {number} hasn't been dealt at this table.", number=say.number(details["number"])
    ),
    Reason.NO_SUCH_TABLE: lambda say, details: say(
        "This server has no table {number}.", number=details["number"]
    ),
    Reason.NOT_YOUR_TABLE: lambda say, details: say(
        "You didn't play at table {number}. Here I only show your own matches.",
        number=details["number"],
    ),
    Reason.NO_TABLES_HERE: lambda say, details: (
        say("Tables can't be opened here. Try {channels}.", channels=say.join(details["channels"]))
        if details["channels"]
        else say("Tables can't be opened in this channel.")
    ),
    Reason.ROLE_NOT_MENTIONABLE: lambda say, details: say(
        "I can't mention {role}. Someone who manages roles can allow it in the role's own "
        "settings.",
        role=details["role"],
    ),
    Reason.OPENERS_ONLY: lambda say, details: say(
        "Only {role} and server managers can open tables here.",
        role=details["role"],
    ),
    Reason.NO_WAITS_LEFT: lambda say, details: say(
        "You've used up your holds for this round ({limit}).", limit=details["limit"]
    ),
    Reason.REACTED_JUST_NOW: lambda say, details: say(
        "You just said something. Once every {seconds} s is enough.", seconds=details["seconds"]
    ),
    Reason.SHARED_JUST_NOW: lambda say, details: say(
        "You just shared something. Wait {seconds} s.", seconds=details["seconds"]
    ),
    Reason.REVIEW_LIMIT: lambda say, details: say(
        "That's {limit} new reviews today. More are possible tomorrow, and those you have stay.",
        limit=say.number(details["limit"]),
    ),
    Reason.ROUND_NOT_OVER: lambda say, details: say(
        "Round {number} can't be shown – it isn't over, or was never played.",
        number=say.number(details["number"]),
    ),
    Reason.THREAD_LOCKED: lambda say, details: say(
        "{channel} is locked, so your table is paused. Ask a moderator to unlock it.",
        channel=details["channel"],
    ),
    Reason.PERMISSIONS: lambda say, details: say(
        "I can't run a table here: I'm missing {permissions} in {channel}.",
        permissions=details["permissions"],
        channel=details["channel"],
    ),
    Reason.TABLE_DAMAGED: lambda say, details: with_error(
        say,
        say(
            "This table's record is damaged, so it can't go on. Please tell whoever runs this bot, "
            "and open a new table with /tichu new."
        ),
        details["error"],
    ),
    Reason.UNREADABLE_LOG: lambda say, details: with_error(
        say,
        say(
            "The record of table {number} is damaged, so I can't show it. Please tell whoever runs "
            "this bot.",
            number=details["number"],
        ),
        details["error"],
    ),
    Reason.TOO_FEW_PLAYERS: lambda say, details: say.many(
        "You need at least {n} player. Wait for more, or add computers.",
        "You need at least {n} players. Wait for more, or add computers.",
        details["least"],
    ),
    Reason.TOO_MANY_PEOPLE: lambda say, details: say(
        "There are {people} people at this table, but that game has only {most} seats.",
        people=details["people"],
        most=details["most"],
    ),
    Reason.TOO_MANY_OWN_TABLES: lambda say, details: say.many(
        "You already have {n} table open on this server. Finish it first.",
        "You already have {n} tables open on this server. Finish one first.",
        details["limit"],
    ),
    Reason.TOO_MANY_TABLES: lambda say, details: say.many(
        "This server already has {n} open table. Finish it first.",
        "This server already has {n} open tables. Finish one first.",
        details["limit"],
    ),
    Reason.TOO_MANY_TURN_BASED: lambda say, details: _too_many_turn_based(say, details["limit"]),
    Reason.WORD: lambda say, details: say(
        "Use 1 to {limit} ordinary characters.", limit=details["limit"]
    ),
}
"""Sentences with details of the refusal."""


def sentence(say: Say, refusal: Refused | IllegalAction) -> str:
    """Return the sentence for a refusal."""
    plain = PLAIN.get(refusal.code)
    return plain(say) if plain else DETAILED[refusal.code](say, refusal.details)


def apology(say: Say) -> str:
    """Return the sentence for an unhandled exception."""
    return say("Something went wrong on my side. Nothing changed – please try again.")


def write_failed(say: Say) -> str:
    """Return the sentence for a failed write to the database."""
    return say("I couldn't save that. Try again in a moment.")


def database_damaged(say: Say) -> str:
    """Return the sentence for a damaged database, which is a permanent failure."""
    return say(
        "My database is damaged, so I can't save anything. Please tell whoever runs this bot."
    )


def with_error(say: Say, sentence: str, error: str | None) -> str:
    """Return a sentence followed by the error id, if any, which operators find in the log."""
    if error is None:
        return sentence
    return say("{words} (Error {error})", words=sentence, error=error)


def read_failed(say: Say) -> str:
    """Return the sentence for a failed read of the database; nothing was to be changed."""
    return say("I couldn't look that up. Try again in a moment.")


def response_lost(say: Say) -> str:
    """Return the sentence for a request that was carried out but whose answer failed."""
    return say("Done and saved – only my answer got lost.")
