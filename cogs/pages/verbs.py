"""Verbs in the ids of buttons and selects.

The text of a verb must never change, because buttons with it may exist in channels.
"""

from __future__ import annotations

from enum import StrEnum


class Verb(StrEnum):
    """The action of a control. Pages make controls with these; `cogs.clicks` handles them."""

    # in a lobby
    JOIN = "join"
    LEAVE = "leave"
    SWAP = "swap"
    ADD_COMPUTER = "add-computer"
    REMOVE = "remove-computer"
    FILL = "fill"
    OPTIONS = "options"
    OPTION = "option"
    SET_OPTIONS = "set-options"  # the form of the usual options
    START = "start"
    CHECK_IN = "check-in"  # at the table of an event
    INVITE = "invite"
    CALL_ROLE = "call-role"
    COME = "come"  # join, from an invitation or from the list of tables
    # on the public messages of a match
    HAND = "hand"
    MORE = "more"
    LOG = "log"
    LAST_TRICK = "last-trick"
    FAIR_DEAL = "fair-deal"
    RULES = "rules"
    EXPLAIN = "explain"  # one topic of the rules, beside the page
    LEAVE_MATCH = "leave-match"
    STOP = "stop"
    STOP_VOTE = "stop-vote"
    STOP_NOW = "stop-now"
    AGREE = "agree"
    PLAY_ON = "play-on"
    READY = "ready"
    PAUSE = "pause"
    RESUME = "resume"
    REMATCH = "rematch"
    NEW_PARTNERS = "new-partners"
    NEW_LOBBY = "new-lobby"
    # on the private pages of players
    SAY = "say"
    REACT = "react"
    # in the list of open tables
    TABLES = "tables"
    CONTINUE = "continue"
    # on a private hand
    REFRESH = "refresh"
    GRAND = "grand"
    GRAND_ASK = "grand-ask"
    WITHDRAW = "withdraw"
    PICK = "pick"
    GIVE = "give"
    PLAY = "play"
    CARDS = "cards"
    WISH = "wish"
    PASS = "pass"
    AUTO_PASS = "auto-pass"
    TAKE_BACK = "take-back"
    GO_ON = "go-on"  # turn-based: the bomb window waits for this
    WAIT = "wait"
    BOMB = "bomb"
    BOMBS = "bombs"
    GIFT = "gift"
    DOG = "dog"
    TURN_TO = "turn-to"
    HINT = "hint"
    DO = "do"
    TICHU = "tichu"
    TICHU_YES = "tichu-yes"
    # seats in a match
    IN_THREAD = "in-thread"
    BACK = "back"
    SPEED = "speed"
    TO_COMPUTER = "to-computer"
    TO_MEMBER = "to-member"
    STAY = "stay"
    TAKE_SEAT = "take-seat"
    NO_SEAT = "no-seat"
    SIT = "sit"
    STAY_OUT = "stay-out"
    # past matches
    HISTORY = "history"
    MATCH = "match"
    REPLAY = "replay"
    REPLAY_ROUND = "replay-round"
    REPLAY_VIEW = "replay-view"
    REPLAY_PLAY = "replay-play"  # play on from the position in private
    REPLAY_BACK = "replay-back"
    REVIEW = "review"
    REVIEW_OF = "review-of"  # of the chosen person
    REVIEW_MARK = "review-mark"  # a decision that could have been better
    REVIEW_BACK = "review-back"  # from a private game
    REVIEW_CONSENT = "review-consent"  # to show the reviews of the match to everyone
    TRY_AGAIN = "try-again"  # play on from a decision in private
    PROOF = "proof"
    SAVE = "save"
    # Learn Tichu
    LEARN = "learn"
    LESSON = "lesson"
    LESSON_CARDS = "lesson-cards"
    LESSON_PLAY = "lesson-play"
    LESSON_TABLE = "lesson-table"
    # puzzles
    PUZZLE = "puzzle"
    PUZZLE_ANSWER = "puzzle-answer"
    PUZZLE_PLAY = "puzzle-play"  # play on from the position in private
    PUZZLE_BACK = "puzzle-back"
    # the deal of the day
    DAILY = "daily"
    DAILY_PLAY = "daily-play"
    DAILY_PRACTICE = "daily-practice"  # yesterday's deal
    DAILY_RESULT = "daily-result"
    DAILY_SERVER = "daily-server"  # results of the members
    DAILY_FAIR = "daily-fair"
    DAILY_SHARE = "daily-share"
    DAILY_BOARD = "daily-board"  # standings of a week or month
    DAILY_EXPORT = "daily-export"
    SOLO_LOG = "solo-log"  # of a round that is played alone
    # challenges
    CHALLENGES = "challenges"  # the list
    CHALLENGE_ACCEPT = "challenge-accept"
    CHALLENGE_DECLINE = "challenge-decline"
    CHALLENGE_PLAY = "challenge-play"
    CHALLENGE_LEAVE = "challenge-leave"
    CHALLENGE_LEAVE_NOW = "challenge-leave-now"  # the second confirmation
    CHALLENGE_COMPARE = "challenge-compare"
    CHALLENGE_DEALS = "challenge-deals"
    # events of a club
    EVENT = "event"  # from the list
    EVENT_ANSWER = "event-answer"
    EVENT_DATES = "event-dates"  # the page with an answer for each date
    EVENT_MORE = "event-more"  # the organiser's page
    EVENT_DATE = "event-date"  # chosen by the organiser
    EVENT_BEGIN = "event-begin"
    EVENT_DRAW = "event-draw"  # again
    EVENT_CANCEL = "event-cancel"
    EVENT_CANCEL_NOW = "event-cancel-now"  # the second confirmation
    # tournaments
    EVENT_WATCH = "event-watch"
    EVENT_PARTNER = "event-partner"
    EVENT_OWN = "event-own"  # the own match
    EVENT_WITHDRAW = "event-withdraw"
    EVENT_WITHDRAW_NOW = "event-withdraw-now"  # the second confirmation, or back again
    EVENT_STANDINGS = "event-standings"
    EVENT_EXPORT = "event-export"
    EVENT_ROUND = "event-round"
    EVENT_PAUSE = "event-pause"
    EVENT_DEADLINE = "event-deadline"
    EVENT_TOOL = "event-tool"  # a change for which the organiser chooses from lists
    EVENT_HISTORY = "event-history"
    # leagues
    EVENT_START = "event-start"  # the table of a fixture, by default of the user's next one
    EVENT_FIXTURE = "event-fixture"  # one of the user's fixtures
    EVENT_POSTPONE = "event-postpone"
    EVENT_NEXT = "event-next"  # the next season
    EVENT_HALL = "event-hall"  # of fame
    # people and scores
    LEADERS = "leaders"
    LEADERS_PAGE = "leaders-page"  # the page number; always disabled
    PROFILE = "profile"
    ACHIEVEMENTS = "achievements"
    ACCURACY = "accuracy"
    ACCURACY_LIST = "accuracy-list"  # of the people on the server who compare it
    # a private page, shared in the channel
    SHARE_LEADERS = "share-leaders"
    SHARE_PROFILE = "share-profile"
    SHARE_REPLAY = "share-replay"
    SHARE_MOMENT = "share-moment"
    SHARED_REPLAY = "shared-replay"  # on the shared page, for the one who shared it
    ANIMATE = "animate"
    # settings
    CARD_STYLE = "card-style"
    SORTING = "sorting"
    LANGUAGE = "language"
    ALWAYS_PASS = "always-pass"
    MORE_TIME = "more-time"
    LISTED = "listed"
    WORLDWIDE = "worldwide"
    SHOW_ACCURACY = "show-accuracy"
    COMPARE_ACCURACY = "compare-accuracy"
    RANKING_CHANNEL = "honours"
    NO_RANKING_CHANNEL = "no-honours"
    SETTINGS = "settings"
    NUDGES = "calls"  # the page of their settings
    NUDGE_WAY = "turn-call"
    INVITATIONS = "invitations"
    QUIET = "quiet"
    DAILY_REMINDER = "daily-reminder"
    SERVER = "server"  # a page of settings of the server
    SERVER_SET = "server-set"
    SERVER_CHANNELS = "server-channels"
    SERVER_ROLE = "server-role"
    SERVER_DEFAULT = "server-default"
    USUAL_DEFAULTS = "usual-defaults"
    SET_DEFAULTS = "set-defaults"  # the form of the usual options
    FORGET_ME = "forget-me"
    FORGET_ME_NOW = "forget-me-now"  # the second confirmation
