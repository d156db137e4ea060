"""Schema of version 1.0.

It is frozen and does not follow `schema.py`. A later migration that rebuilds `actions` must create
its triggers again, because SQLite drops them with the old table.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "1001"
down_revision = None
branch_labels = None
depends_on = None

_SQLITE_TRIGGERS = (
    """CREATE TRIGGER actions_without_gaps BEFORE INSERT ON actions
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM actions WHERE table_id = NEW.table_id), 0)
BEGIN SELECT RAISE(ABORT, 'actions are numbered without gaps'); END""",
    """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions
WHEN coalesce(OLD.actor_id, -1) < 0 OR coalesce(NEW.actor_id, -1) >= 0
 OR (NEW.table_id, NEW.seq, NEW.round, NEW.seat, NEW.text, NEW.at)
 IS NOT (OLD.table_id, OLD.seq, OLD.round, OLD.seat, OLD.text, OLD.at)
BEGIN SELECT RAISE(ABORT, 'actions are append-only'); END""",
    """CREATE TRIGGER actions_never_go BEFORE DELETE ON actions
BEGIN SELECT RAISE(ABORT, 'actions are append-only'); END""",
)

_POSTGRES_FUNCTIONS = (
    """CREATE FUNCTION json_valid(value text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
    RETURN value::json IS NOT NULL OR value IS NULL;
EXCEPTION WHEN data_exception THEN
    RETURN false;
END $$""",
    """CREATE FUNCTION actions_without_gaps() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.seq <> 1 + coalesce((SELECT max(seq) FROM actions WHERE table_id = NEW.table_id), 0)
    THEN RAISE integrity_constraint_violation USING MESSAGE = 'actions are numbered without gaps';
    END IF;
    RETURN NEW;
END $$""",
    """CREATE FUNCTION actions_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE integrity_constraint_violation USING MESSAGE = 'actions are append-only';
END $$""",
)
_POSTGRES_TRIGGERS = (
    """CREATE TRIGGER actions_without_gaps BEFORE INSERT ON actions FOR EACH ROW
EXECUTE FUNCTION actions_without_gaps()""",
    """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions FOR EACH ROW
WHEN (coalesce(OLD.actor_id, -1) < 0 OR coalesce(NEW.actor_id, -1) >= 0
 OR (NEW.table_id, NEW.seq, NEW.round, NEW.seat, NEW.text, NEW.at)
 IS DISTINCT FROM (OLD.table_id, OLD.seq, OLD.round, OLD.seat, OLD.text, OLD.at))
EXECUTE FUNCTION actions_append_only()""",
    """CREATE TRIGGER actions_never_go BEFORE DELETE ON actions FOR EACH ROW
EXECUTE FUNCTION actions_append_only()""",
)


def upgrade() -> None:
    """Create tables, indexes, functions and triggers."""
    for function in _POSTGRES_FUNCTIONS:
        dialects.on_postgres(function)
    op.create_table(
        "app_state",
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_app_state")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("honours_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("honoured", sa.Text(), nullable=True),
        sa.Column("gone_since", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("owner", sa.Text(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.Column("token", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_leases")),
    )
    op.create_table(
        "lesson_progress",
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("lesson", sa.Text(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.CheckConstraint("step >= 0", name=op.f("ck_lesson_progress_step")),
        sa.PrimaryKeyConstraint("user_id", "lesson", name=op.f("pk_lesson_progress")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "names",
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "user_id", name=op.f("pk_names")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notices",
        sa.Column("number", dialects.TABLE_ID, nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_notices")),
    )
    op.create_table(
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("worldwide", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "personal_settings",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("sorting", sa.Text(), server_default="dog_first", nullable=False),
        sa.Column("auto_pass", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("more_time", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("call", sa.Text(), server_default="mention", nullable=False),
        sa.Column("invitations", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("zone", sa.Text(), server_default="UTC", nullable=False),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("seen_language", sa.Text(), nullable=True),
        sa.Column("quiet_from", sa.Integer(), nullable=True),
        sa.Column("quiet_until", sa.Integer(), nullable=True),
        sa.Column("cards", sa.Text(), nullable=True),
        sa.CheckConstraint(
            "sorting IN ('dog_first', 'rank_high_first', 'combination')",
            name=op.f("ck_personal_settings_sorting"),
        ),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_personal_settings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating_days",
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "variant", "user_id", "day", name=op.f("pk_rating_days")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ratings",
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("scope", "variant", "user_id", name=op.f("pk_ratings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "server_settings",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("channels", sa.Text(), nullable=False),
        sa.Column("defaults", sa.Text(), nullable=False),
        sa.Column("computers", sa.Integer(), nullable=False),
        sa.Column("threads", sa.Boolean(), nullable=False),
        sa.Column("pictures", sa.Boolean(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("opener_role_id", sa.BigInteger(), nullable=True),
        sa.Column("tables_each", sa.Integer(), nullable=True),
        sa.Column("turn_based_each", sa.Integer(), nullable=False),
        sa.Column("invitation_role_id", sa.BigInteger(), nullable=True),
        sa.Column("invitation_cooldown_s", sa.Integer(), nullable=False),
        sa.Column("nudge_s", sa.Integer(), nullable=True),
        sa.Column("language", sa.Text(), nullable=True),
        sa.Column("role_invited_at", sa.BigInteger(), nullable=True),
        sa.Column("cards", sa.Text(), server_default="picture", nullable=False),
        sa.CheckConstraint("json_valid(channels)", name=op.f("ck_server_settings_channels")),
        sa.CheckConstraint("json_valid(defaults)", name=op.f("ck_server_settings_defaults")),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_server_settings")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "standings",
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("period", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("calls_made", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Float(), nullable=False),
        sa.Column("by_rating", sa.Float(), nullable=True),
        sa.Column("by_wins", sa.Float(), nullable=True),
        sa.Column("by_win_rate", sa.Float(), nullable=True),
        sa.Column("by_points", sa.Float(), nullable=True),
        sa.Column("by_calls", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("scope", "variant", "period", "user_id", name=op.f("pk_standings")),
        sqlite_with_rowid=False,
    )
    for order in ("rating", "wins", "win_rate", "points", "calls"):
        dialects.create_index(
            f"ix_standings_by_{order}",
            "standings",
            ["scope", "variant", "period", f"by_{order}", "user_id"],
            where=f"by_{order} IS NOT NULL",
        )
    dialects.create_index("ix_standings_user_id", "standings", ["user_id"])
    op.create_table(
        "tables",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("lobby_message_id", sa.BigInteger(), nullable=True),
        sa.Column("table_message_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.Column("holds_channel", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("version", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint(
            "status IN ('lobby', 'playing', 'finished', 'stopped', 'expired')",
            name=op.f("ck_tables_status"),
        ),
        sa.CheckConstraint("json_valid(details)", name=op.f("ck_tables_desk")),
        sa.CheckConstraint("json_valid(options)", name=op.f("ck_tables_options")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    dialects.create_index("ix_tables_channel_id", "tables", ["channel_id"])
    dialects.create_index("ix_tables_guild_id", "tables", ["guild_id"])
    dialects.create_index(
        "ix_tables_open", "tables", ["id"], where="status IN ('lobby', 'playing')"
    )
    dialects.create_index(
        "ix_tables_parent_channel_id",
        "tables",
        ["parent_channel_id"],
        where="parent_channel_id IS NOT NULL",
    )
    dialects.create_index(
        "uq_tables_open_channel",
        "tables",
        ["channel_id"],
        where="status IN ('lobby', 'playing') AND holds_channel",
        unique=True,
    )
    op.create_table(
        "tallies",
        sa.Column("day", sa.Integer(), nullable=False),
        sa.Column("scope", sa.BigInteger(), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("points", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("wins", sa.Integer(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("calls_made", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("day", "scope", "variant", "user_id", name=op.f("pk_tallies")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "actions",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("actor_id", sa.BigInteger(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("seat >= -1", name=op.f("ck_actions_seat")),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_actions_seq")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_actions_tables")),
        sa.PrimaryKeyConstraint("table_id", "seq", name=op.f("pk_actions")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "matches",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=False),
        sa.Column("rated", sa.Boolean(), server_default="1", nullable=False),
        sa.CheckConstraint("reason IN ('finished', 'stopped')", name=op.f("ck_matches_reason")),
        sa.CheckConstraint("rounds >= 0", name=op.f("ck_matches_rounds")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_matches")),
    )
    op.create_table(
        "outbox",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("nonce", sa.Text(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("json_valid(data)", name=op.f("ck_outbox_data")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_outbox_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_outbox")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rounds",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.Column("variant", sa.Text(), server_default="nanjing", nullable=False),
        sa.Column("rated", sa.Boolean(), server_default="1", nullable=False),
        sa.Column("ordinal", sa.Integer(), server_default="0", nullable=False),
        sa.CheckConstraint("json_valid(result)", name=op.f("ck_rounds_result")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_rounds_number")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rounds_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_rounds")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_rounds_ordinal", "rounds", ["ordinal"])
    op.create_table(
        "seats",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('person', 'computer')", name=op.f("ck_seats_kind")),
        sa.CheckConstraint("seat >= 0", name=op.f("ck_seats_seat")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_tables")),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_seats")),
        sqlite_with_rowid=False,
    )
    dialects.create_index(
        "uq_seats_person",
        "seats",
        ["table_id", "user_id"],
        where="user_id IS NOT NULL",
        unique=True,
    )
    op.create_table(
        "sittings",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.CheckConstraint("kind IN ('person', 'computer')", name=op.f("ck_sittings_kind")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_sittings_tables")),
        sa.PrimaryKeyConstraint("table_id", "seq", "seat", name=op.f("pk_sittings")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_sittings_user_id", "sittings", ["user_id"])
    op.create_table(
        "match_scores",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        dialects.holds_bool("won", op.f("ck_match_scores_won")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_match_scores_matches")
        ),
        sa.PrimaryKeyConstraint("table_id", "column", name=op.f("pk_match_scores")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "match_seats",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("won", sa.Boolean(), nullable=False),
        sa.Column("counts_for", sa.BigInteger(), nullable=True),
        sa.Column("points", sa.Integer(), nullable=True),
        sa.Column("rounds_won", sa.Integer(), nullable=True),
        sa.Column("rounds_dealt", sa.Integer(), nullable=True),
        sa.Column("deals_lost", sa.Integer(), nullable=True),
        sa.CheckConstraint("kind IN ('person', 'computer')", name=op.f("ck_match_seats_kind")),
        dialects.holds_bool("won", op.f("ck_match_seats_won")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_match_seats_matches")
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_match_seats")),
        sqlite_with_rowid=False,
    )
    dialects.create_index("ix_match_seats_counts_for", "match_seats", ["counts_for"])
    dialects.create_index("ix_match_seats_user_id", "match_seats", ["user_id"])
    op.create_table(
        "round_scores",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("card_points", sa.Integer(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.CheckConstraint('"column" >= 0', name=op.f("ck_round_scores_column")),
        sa.ForeignKeyConstraint(
            ["table_id", "number"],
            ["rounds.table_id", "rounds.number"],
            name=op.f("fk_round_scores_rounds"),
        ),
        sa.PrimaryKeyConstraint("table_id", "number", "column", name=op.f("pk_round_scores")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "round_seats",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.BigInteger(), nullable=True),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("column", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=True),
        sa.Column("call", sa.Text(), nullable=True),
        sa.Column("call_made", sa.Boolean(), nullable=True),
        sa.Column("counts_for", sa.BigInteger(), nullable=True),
        sa.Column("turns", sa.Integer(), nullable=True),
        sa.Column("own_turns", sa.Integer(), nullable=True),
        sa.Column("margin", sa.Integer(), nullable=True),
        sa.Column("sweep", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("bombs", sa.Integer(), server_default="0", nullable=False),
        sa.Column("level", sa.Text(), nullable=True),
        sa.CheckConstraint("call IN ('tichu', 'grand')", name=op.f("ck_round_seats_call")),
        sa.CheckConstraint("kind IN ('person', 'computer')", name=op.f("ck_round_seats_kind")),
        dialects.holds_bool("call_made", op.f("ck_round_seats_call_made")),
        sa.CheckConstraint("place >= 1", name=op.f("ck_round_seats_place")),
        sa.ForeignKeyConstraint(
            ["table_id", "number"],
            ["rounds.table_id", "rounds.number"],
            name=op.f("fk_round_seats_rounds"),
        ),
        sa.PrimaryKeyConstraint("table_id", "number", "seat", name=op.f("pk_round_seats")),
        sqlite_with_rowid=False,
    )
    dialects.create_index(
        "ix_round_seats_counts_for",
        "round_seats",
        [
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
        ],
    )
    dialects.create_index("ix_round_seats_user_id", "round_seats", ["user_id"])
    for trigger in _SQLITE_TRIGGERS:
        dialects.on_sqlite(trigger)
    for trigger in _POSTGRES_TRIGGERS:
        dialects.on_postgres(trigger)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
