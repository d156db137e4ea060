"""Schema of the database (SQLAlchemy Core): tables, constraints, indexes, triggers.

The primary data are `actions` and `seat_changes`. Rounds and matches are derived from them, and
ratings and leaderboards (`bot.storage.score_schema`) from rounds and matches. A change here needs a
new migration in `migrations/versions`; a test compares the two.
"""

from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
    column,
    false,
    literal_column,
)
from sqlalchemy.engine import Dialect

from bot.storage import statements

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

OPEN = "status IN ('lobby', 'playing')"
"""SQL condition of an open table; indexes and queries must use the same text."""
HOLDS_CHANNEL = f"{OPEN} AND holds_channel"
"""SQL condition of an open table that does not yield its channel."""


def moment(microseconds: int) -> datetime:
    """Return a stored time as a datetime in UTC."""
    return _EPOCH + microseconds * _MICROSECOND


class Moment(TypeDecorator[datetime]):
    """Column type for aware datetimes, stored as microseconds since 1970 in UTC."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Return the microseconds of an aware datetime; raise `ValueError` for a naive one."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a stored time needs a time zone")
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: int | None, dialect: Dialect) -> datetime | None:
        """Return the stored time as a datetime in UTC."""
        return None if value is None else moment(value)


metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_name)s",
    }
)

tables = Table(
    "tables",
    metadata,
    Column("id", statements.TABLE_ID, primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("parent_channel_id", BigInteger),
    Column("host_id", BigInteger, nullable=False),
    Column("status", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("details", Text, nullable=False),
    Column("lobby_message_id", BigInteger),
    Column("table_message_id", BigInteger),
    Column("created_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("holds_channel", Boolean, nullable=False, server_default="1"),
    Column("version", Integer, nullable=False, server_default="0"),
    CheckConstraint(
        "status IN ('lobby', 'playing', 'finished', 'stopped', 'expired')", name="status"
    ),
    statements.holds_json("options"),
    statements.holds_json("details", name="desk"),
    statements.partial_index(
        "uq_tables_open_channel",
        "channel_id",
        where=literal_column(HOLDS_CHANNEL, Boolean),
        unique=True,
    ),
    statements.partial_index("ix_tables_open", "id", where=literal_column(OPEN, Boolean)),
    Index("ix_tables_guild_id", "guild_id"),
    Index("ix_tables_channel_id", "channel_id"),
    statements.partial_index(
        "ix_tables_parent_channel_id",
        "parent_channel_id",
        where=column("parent_channel_id").is_not(None),
    ),
)

seats = Table(
    "seats",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    CheckConstraint("seat >= 0", name="seat"),
    CheckConstraint("kind IN ('person', 'computer')", name="kind"),
    statements.partial_index(
        "uq_seats_person",
        "table_id",
        "user_id",
        where=column("user_id").is_not(None),
        unique=True,
    ),
    **statements.STORED_BY_KEY,
)

seat_changes = Table(
    "sittings",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, index=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    CheckConstraint("kind IN ('person', 'computer')", name="kind"),
    **statements.STORED_BY_KEY,
)
"""Occupants of seats from the action `seq` on; primary data, like `actions`.

The table in the database is called ``sittings``.
"""

actions = Table(
    "actions",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("round", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("actor_id", BigInteger),
    Column("text", Text, nullable=False),
    Column("at", Moment, nullable=False),
    CheckConstraint("seq >= 1", name="seq"),
    CheckConstraint("seat >= -1", name="seat"),
    **statements.STORED_BY_KEY,
)

statements.make_append_only(actions)

rounds = Table(
    "rounds",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("ended_at", Moment, nullable=False),
    Column("result", Text, nullable=False),
    Column("variant", Text, nullable=False, server_default="nanjing"),
    Column("rated", Boolean, nullable=False, server_default="1"),
    Column("ordinal", Integer, nullable=False, server_default="0", index=True),
    CheckConstraint("number >= 1", name="number"),
    statements.holds_json("result"),
    **statements.STORED_BY_KEY,
)

round_scores = Table(
    "round_scores",
    metadata,
    Column("table_id", statements.TABLE_ID, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("column", Integer, primary_key=True),
    Column("card_points", Integer),
    Column("score", Integer, nullable=False),
    Column("total", Integer, nullable=False),
    ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    CheckConstraint('"column" >= 0', name="column"),
    **statements.STORED_BY_KEY,
)

OF_A_PROFILE = (
    "counts_for",
    "table_id",
    "number",
    "column",
    "margin",
    "call",
    "call_made",
    "sweep",
    "bombs",
    "place",
)
"""Columns of the covering index for profiles, so that no row is looked up."""

round_seats = Table(
    "round_seats",
    metadata,
    Column("table_id", statements.TABLE_ID, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, index=True),
    Column("kind", Text, nullable=False),
    Column("column", Integer, nullable=False),
    Column("place", Integer),
    Column("call", Text),
    Column("call_made", Boolean),
    Column("counts_for", BigInteger),
    Column("turns", Integer),
    Column("own_turns", Integer),
    Column("margin", Integer),
    Column("sweep", Boolean, nullable=False, server_default="0"),
    Column("bombs", Integer, nullable=False, server_default="0"),
    Column("level", Text),
    ForeignKeyConstraint(["table_id", "number"], ["rounds.table_id", "rounds.number"]),
    CheckConstraint("kind IN ('person', 'computer')", name="kind"),
    CheckConstraint("place >= 1", name="place"),
    CheckConstraint("call IN ('tichu', 'grand')", name="call"),
    statements.holds_bool("call_made"),
    Index("ix_round_seats_counts_for", *OF_A_PROFILE),
    **statements.STORED_BY_KEY,
)

matches = Table(
    "matches",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("variant", Text, nullable=False),
    Column("ended_at", Moment, nullable=False),
    Column("reason", Text, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("rated", Boolean, nullable=False, server_default="1"),
    CheckConstraint("reason IN ('finished', 'stopped')", name="reason"),
    CheckConstraint("rounds >= 0", name="rounds"),
)

match_scores = Table(
    "match_scores",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("matches.table_id"), primary_key=True),
    Column("column", Integer, primary_key=True),
    Column("total", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    statements.holds_bool("won"),
    **statements.STORED_BY_KEY,
)

match_seats = Table(
    "match_seats",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("matches.table_id"), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, index=True),
    Column("name", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("column", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Column("counts_for", BigInteger, index=True),
    Column("points", Integer),
    Column("rounds_won", Integer),
    Column("rounds_dealt", Integer),
    Column("deals_lost", Integer),
    CheckConstraint("kind IN ('person', 'computer')", name="kind"),
    statements.holds_bool("won"),
    **statements.STORED_BY_KEY,
)
"""Seats at the end of a match.

`points` (in hundredths) and `rounds_won` are sums over the seat's rounds. They are NULL unless all
rounds count for the same person as the match, and all margins are known. `rounds_dealt` counts the
rounds in which the seat was the dealer, `deals_lost` its rounds as the dealer with a negative
margin. Both are NULL if `points` is.
"""

personal_settings = Table(
    "personal_settings",
    metadata,
    statements.discord_id_key("user_id"),
    Column("sorting", Text, nullable=False, server_default="dog_first"),
    Column("auto_pass", Boolean, nullable=False, server_default="0"),
    Column("more_time", Boolean, nullable=False, server_default="0"),
    Column("call", Text, nullable=False, server_default="mention"),
    Column("invitations", Boolean, nullable=False, server_default="1"),
    Column("zone", Text, nullable=False, server_default="UTC"),
    Column("language", Text),
    Column("seen_language", Text),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("cards", Text),
    Column("accuracy", Boolean, nullable=False, server_default="0"),
    Column("accuracy_compared", Boolean, nullable=False, server_default="0"),
    Column("daily_reminder", Integer),
    Column("reminder_refused", Boolean, nullable=False, server_default="0"),
    Column("reminded_on", Text),
    CheckConstraint("sorting IN ('dog_first', 'rank_high_first', 'combination')", name="sorting"),
    **statements.STORED_BY_KEY,
)

server_settings = Table(
    "server_settings",
    metadata,
    statements.discord_id_key("guild_id"),
    Column("channels", Text, nullable=False),
    Column("defaults", Text, nullable=False),
    Column("computers", Integer, nullable=False),
    Column("threads", Boolean, nullable=False),
    Column("pictures", Boolean, nullable=False),
    Column("hints", Boolean, nullable=False),
    Column("opener_role_id", BigInteger),
    Column("tables_each", Integer),
    Column("turn_based_each", Integer, nullable=False),
    Column("invitation_role_id", BigInteger),
    Column("invitation_cooldown_s", Integer, nullable=False),
    Column("nudge_s", Integer),
    Column("language", Text),
    Column("role_invited_at", Moment),
    Column("cards", Text, nullable=False, server_default="picture"),
    statements.holds_json("channels"),
    statements.holds_json("defaults"),
    **statements.STORED_BY_KEY,
)
"""Settings of servers; `channels` is a JSON list, `defaults` a JSON object.

`role_invited_at` is no setting, but the time of the last mention of the role for invitations.
"""

lesson_progress = Table(
    "lesson_progress",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("lesson", Text, primary_key=True),
    Column("step", Integer, nullable=False),
    Column("done", Boolean, nullable=False),
    CheckConstraint("step >= 0", name="step"),
    **statements.STORED_BY_KEY,
)

reviews = Table(
    "reviews",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("user_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("made_at", Moment, nullable=False),
    Column("body", Text, nullable=False),
    statements.holds_json("body"),
    Index("ix_reviews_user_id", "user_id", "made_at"),
)
"""Reviews of finished rounds; `user_id` is the person whose decisions are judged."""

review_agreements = Table(
    "review_agreements",
    metadata,
    Column("table_id", statements.TABLE_ID, ForeignKey("tables.id"), primary_key=True),
    Column("user_id", BigInteger, primary_key=True, index=True),
    **statements.STORED_BY_KEY,
)
"""People who agree that everybody who sees the replays of a table may see its reviews."""

puzzle_players = Table(
    "puzzle_players",
    metadata,
    statements.discord_id_key("user_id"),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    Column("tried", Integer, nullable=False),
    Column("solved", Integer, nullable=False),
    Column("streak", Integer, nullable=False),
    Column("best_streak", Integer, nullable=False),
    Column("puzzle", Text),
    **statements.STORED_BY_KEY,
)
"""Ratings and streaks of people who solve puzzles; `puzzle` is the one that they have begun."""

puzzle_answers = Table(
    "puzzle_answers",
    metadata,
    Column("user_id", BigInteger, primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("choice", Text, nullable=False),
    Column("solved", Boolean, nullable=False),
    Column("times", Integer, nullable=False),
    Column("answered_at", Moment, nullable=False),
    **statements.STORED_BY_KEY,
)
"""Last answer of each person to each puzzle, and how many times they have answered it."""

puzzle_ratings = Table(
    "puzzle_ratings",
    metadata,
    Column("puzzle", Text, primary_key=True),
    Column("mu", Float, nullable=False),
    Column("sigma", Float, nullable=False),
    **statements.STORED_BY_KEY,
)
"""Ratings of puzzles that somebody has answered; the others have those of the data."""

boards = Table(
    "boards",
    metadata,
    Column("id", statements.TABLE_ID, primary_key=True),
    Column("day", Integer, unique=True),
    Column("challenge_id", BigInteger),
    Column("number", Integer, nullable=False),
    Column("secret", Text, nullable=False),
    Column("version", Integer),
    Column("expert_points", Integer),
    Column("expert_call", Text),
    Column("expert_call_made", Boolean),
    Column("expert_place", Integer),
    CheckConstraint("number >= 1", name="number"),
    CheckConstraint("(day IS NULL) <> (challenge_id IS NULL)", name="kind"),
    CheckConstraint("expert_call IN ('tichu', 'grand')", name="expert_call"),
    statements.holds_bool("expert_call_made"),
    UniqueConstraint("challenge_id", "number"),
)
"""Deals that several people play, each alone: of a day, counted since 1970, or of a challenge.

`version` is that of the computers, from the first round on. The columns `expert_...` are the result
of the Expert, once it is known.
"""

solo_rounds = Table(
    "solo_rounds",
    metadata,
    Column("id", statements.TABLE_ID, primary_key=True),
    Column("board_id", statements.TABLE_ID, ForeignKey("boards.id"), nullable=False),
    Column("user_id", BigInteger, nullable=False, index=True),
    Column("practice", Boolean, nullable=False),
    Column("name", Text, nullable=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("version", Integer, nullable=False),
    Column("begun_at", Moment, nullable=False),
    Column("ended_at", Moment),
    Column("action_count", Integer, nullable=False),
    Column("actions", Text, nullable=False),
    Column("points", Integer),
    Column("call", Text),
    Column("call_made", Boolean),
    Column("place", Integer),
    Column("match_points", Float),
    Column("shared", Boolean, nullable=False, server_default=false()),
    Column("review", Text),
    Column("review_version", Integer),
    CheckConstraint("action_count >= 0", name="action_count"),
    CheckConstraint("call IN ('tichu', 'grand')", name="call"),
    CheckConstraint("place >= 1", name="place"),
    statements.holds_bool("practice"),
    statements.holds_bool("call_made"),
    statements.holds_bool("shared"),
    UniqueConstraint("board_id", "user_id", "practice"),
    sqlite_autoincrement=True,
)
"""Rounds of one person on a board, with their actions after the deal, one a line.

A review is JSON text of its version (`bot.coach.stored_review`).
Numbers are never used again, because the buttons of a round have its number.
"""

daily_servers = Table(
    "daily_servers",
    metadata,
    Column("guild_id", BigInteger, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, index=True),
    **statements.STORED_BY_KEY,
)
"""People who have opened the deal of the day in a server, where their results are compared."""

app_state = Table(
    "app_state",
    metadata,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
    **statements.STORED_BY_KEY,
)
