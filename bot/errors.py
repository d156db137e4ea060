"""Refusals of the application: requests of users that cannot be carried out now.

`Reason` lists every reason. Code refuses with `Refused(Reason...)`, and the text layer has one
sentence for each reason (`bot.text.sentences`). Refusals by the rules of Tichu are the engine's
(`engine.errors.IllegalAction`).
"""

from __future__ import annotations

from enum import StrEnum


class Reason(StrEnum):
    """Reasons for which the application refuses a request.

    A comment lists the details that `Refused` needs for the sentence of that reason.
    """

    # Choice of a table, and opening one here
    ANOTHER_CHANNEL = "another-channel"  # channel
    CANNOT_WRITE = "cannot-write"  # channel, permissions
    CHANNEL_BUSY = "channel-busy"
    CHANNEL_TAKEN = "channel-taken"
    HOST_HAS_MANY = "host-has-many"
    NO_SUCH_CHANNEL = "no-such-channel"
    NO_TABLES_HERE = "no-tables-here"  # channels
    NO_SUCH_TABLE = "no-such-table"  # number
    NO_TABLE_HERE = "no-table-here"
    NO_THREADS_HERE = "no-threads-here"
    OPENED_MANY = "opened-many"
    OPENERS_GONE = "openers-gone"
    OPENERS_ONLY = "openers-only"  # role
    PERMISSIONS = "permissions"  # channel, permissions
    SERVERS_ONLY = "servers-only"
    TABLE_DAMAGED = "table-damaged"  # error
    TABLE_OVER = "table-over"
    THREAD_LOCKED = "thread-locked"  # channel
    MAY_NOT_OPEN = "may-not-open"  # permissions
    TOO_MANY_OWN_TABLES = "too-many-own-tables"  # limit
    TOO_MANY_TABLES = "too-many-tables"  # limit
    TOO_MANY_TURN_BASED = "too-many-turn-based"  # limit

    # Lobby
    ALREADY_STARTED = "already-started"
    NEEDS_THREAD = "needs-thread"
    INVITED_ALREADY = "invited-already"  # name
    INVITED_MANY = "invited-many"
    NO_COMPUTER = "no-computer"
    NOBODY_PLAYS = "nobody-plays"
    NO_ROLE_TO_INVITE = "no-role-to-invite"
    NOT_STARTED = "not-started"
    NOT_TO_BE_INVITED = "not-to-be-invited"  # name
    ROLE_CALLED_ALREADY = "role-called-already"
    ROLE_CALLED_LATELY = "role-called-lately"  # when
    ROLE_NOT_MENTIONABLE = "role-not-mentionable"  # role
    SEATS_EMPTY = "seats-empty"
    SEES_NO_CHANNEL = "sees-no-channel"  # name
    TABLE_FULL = "table-full"
    TABLE_OF_EVENT = "table-of-event"
    ENTRANTS_ONLY = "entrants-only"
    TEAM_FULL = "team-full"
    TOO_FEW_PLAYERS = "too-few-players"  # least
    TOO_MANY_PEOPLE = "too-many-people"  # people, most

    # Challenges
    CHALLENGED_ALREADY = "challenged-already"
    CHALLENGE_ANSWERED = "challenge-answered"
    CHALLENGE_DECLINED = "challenge-declined"  # when
    CHALLENGE_OFFERED = "challenge-offered"
    CHALLENGE_OPEN = "challenge-open"
    CHALLENGE_OVER = "challenge-over"
    CHALLENGE_PLAYED = "challenge-played"
    CHALLENGE_YOURSELF = "challenge-yourself"
    MANY_CHALLENGES = "many-challenges"  # limit
    NO_CHALLENGE_HERE = "no-challenge-here"
    NOT_YOUR_CHALLENGE = "not-your-challenge"

    # Events of clubs
    DATE_CHOSEN = "date-chosen"
    DATE_PAST = "date-past"
    DATE_TOO_FAR = "date-too-far"
    DATE_UNREADABLE = "date-unreadable"  # examples
    EVENT_BEGUN = "event-begun"
    EVENT_DRAWN = "event-drawn"
    EVENT_OVER = "event-over"
    EVENT_PAUSED = "event-paused"
    FEW_PAIRS = "few-pairs"  # least
    FIXTURE_NOT_DUE = "fixture-not-due"
    FIXTURE_OVER = "fixture-over"
    MANY_EVENTS = "many-events"  # limit
    MORNING_OR_EVENING = "morning-or-evening"
    NOBODY_IS_IN = "nobody-is-in"
    NOT_YOUR_MATCH = "not-your-match"
    NO_SUCH_EVENT = "no-such-event"
    NOT_IN_TOURNAMENT = "not-in-tournament"
    ORGANISER_ONLY = "organiser-only"  # organiser
    PARTNER_NOT_IN = "partner-not-in"
    ROUND_BEGUN = "round-begun"
    TOURNAMENT_DRAWN = "tournament-drawn"
    TOURNAMENT_FULL = "tournament-full"  # most

    # Permissions
    HOST_ONLY = "host-only"  # host
    MANAGERS_ONLY = "managers-only"
    MODERATORS_ONLY = "moderators-only"
    NOT_SEATED = "not-seated"
    NOT_YOUR_HAND = "not-your-hand"

    # Changes of seats
    ALREADY_SEATED = "already-seated"
    ASKED_JUST_NOW = "asked-just-now"  # seconds
    LAST_PERSON = "last-person"
    LEFT_THIS_ROUND = "left-this-round"
    MEMBER_IS_BOT = "member-is-bot"  # name
    MEMBER_SEATED = "member-seated"  # name
    NO_OFFER = "no-offer"
    NO_SUCH_SEAT = "no-such-seat"
    NOT_AWAY = "not-away"
    PAUSED = "paused"
    SEAT_TAKEN = "seat-taken"

    # Running match
    BEING_FORGOTTEN = "being-forgotten"
    BETWEEN_ROUNDS_ONLY = "between-rounds-only"
    NO_PAUSE = "no-pause"
    NO_WAITS_LEFT = "no-waits-left"  # limit
    NO_WINDOW = "no-window"
    NOT_YOUR_TURN = "not-your-turn"
    REACTED_JUST_NOW = "reacted-just-now"  # seconds
    RESTARTING = "restarting"
    SAME_CARDS_OPTIONS = "same-cards-options"
    SHARED_DEALS = "shared-deals"
    STALE = "stale"
    TOO_FAST = "too-fast"
    TOO_LATE = "too-late"
    UNKNOWN_BUTTON = "unknown-button"
    WINDOW_HELD = "window-held"
    WINDOW_STAYS_OPEN = "window-stays-open"
    WORD = "word"  # limit
    WRITTEN_ELSEWHERE = "written-elsewhere"

    # Hints
    ADVICE_COMING = "advice-coming"
    NO_ADVICE = "no-advice"
    NO_EXPERTS = "no-experts"
    NO_HINTS = "no-hints"
    NO_HINTS_ALLOWED = "no-hints-allowed"

    # Boards
    COMPUTERS_NOT_READY = "computers-not-ready"
    COMPUTERS_UPDATED = "computers-updated"
    DAILY_OVER = "daily-over"
    HANDS_NOT_YET = "hands-not-yet"
    NO_SOLO_ROUNDS = "no-solo-rounds"
    SOLO_ROUND_OVER = "solo-round-over"

    # Settings
    CHOSEN_MEANWHILE = "chosen-meanwhile"
    NO_SUCH_ROLE = "no-such-role"
    NO_SUCH_ZONE = "no-such-zone"

    # Finished rounds and matches, and data about people
    ACCURACY_OFF = "accuracy-off"
    BUSY = "busy"
    FILE_TOO_LARGE = "file-too-large"
    NO_POSTING_HERE = "no-posting-here"
    NO_REVIEW_OF_GAME = "no-review-of-game"
    NO_REVIEW_YET = "no-review-yet"
    NO_ROUND_OVER = "no-round-over"
    NO_SUCH_ROUND = "no-such-round"  # number
    NOT_IN_THIS_FORMAT = "not-in-this-format"
    NOT_SHOWN_HERE = "not-shown-here"
    NOT_YOUR_REPLAY = "not-your-replay"
    NOT_YOUR_REVIEW = "not-your-review"
    NOT_YOUR_TABLE = "not-your-table"  # number
    NOTHING_PLAYED = "nothing-played"
    NOTHING_PLAYED_HERE = "nothing-played-here"
    PRIVATE_GAME_OVER = "private-game-over"
    PROFILE_HIDDEN = "profile-hidden"
    REVIEW_FOR_PLAYERS = "review-for-players"
    SHARED_ALREADY = "shared-already"
    SHARED_JUST_NOW = "shared-just-now"  # seconds
    REVIEW_LIMIT = "review-limit"  # limit
    ROUND_NOT_OVER = "round-not-over"  # number
    UNREADABLE_LOG = "unreadable-log"  # number, error


class Refused(Exception):
    """The request cannot be carried out; nothing has changed.

    `code` is the reason, `details` are the values that its sentence needs (never a hidden card).
    """

    def __init__(self, code: Reason, **details: object) -> None:
        super().__init__(code)
        self.code = code
        self.details = details


class Stale(Refused):
    """A click on a stale button; answered with the current position."""

    ahead = False
    """True if the button is of a later state of the match than the stored one."""

    def __init__(self, *, ahead: bool = False) -> None:
        super().__init__(Reason.STALE)
        self.ahead = ahead


class WrittenElsewhere(Stale):
    """Another process has changed the table, which was reloaded."""

    def __init__(self) -> None:
        super(Stale, self).__init__(Reason.WRITTEN_ELSEWHERE)
