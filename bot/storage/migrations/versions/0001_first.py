"""First schema: tables, seats, actions with their triggers, rounds, matches, app_state.

It is frozen and does not follow `schema.py`. A later migration that rebuilds `actions` must create
its triggers again, because SQLite drops them with the old table.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_TRIGGERS = (
    """CREATE TRIGGER actions_without_gaps BEFORE INSERT ON actions
WHEN NEW.seq <> 1 + coalesce((SELECT max(seq) FROM actions WHERE table_id = NEW.table_id), 0)
BEGIN SELECT RAISE(ABORT, 'actions are numbered without gaps'); END""",
    """CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions
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
"""PostgreSQL triggers in the form of 0009, because no older schema was used there."""


def upgrade() -> None:
    """Create the first schema."""
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
        "tables",
        sa.Column("id", dialects.TABLE_ID, nullable=False),
        sa.Column("guild_id", sa.BigInteger(), nullable=False),
        sa.Column("channel_id", sa.BigInteger(), nullable=False),
        sa.Column("parent_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("host_id", sa.BigInteger(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("desk", sa.Text(), nullable=False),
        sa.Column("lobby_message_id", sa.BigInteger(), nullable=True),
        sa.Column("table_message_id", sa.BigInteger(), nullable=True),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=True),
        sa.CheckConstraint(
            "status IN ('lobby', 'playing', 'finished', 'stopped', 'expired')",
            name=op.f("ck_tables_status"),
        ),
        sa.CheckConstraint("json_valid(desk)", name=op.f("ck_tables_desk")),
        sa.CheckConstraint("json_valid(options)", name=op.f("ck_tables_options")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
    )
    op.create_index(
        "uq_tables_open_channel",
        "tables",
        ["channel_id"],
        unique=True,
        sqlite_where=sa.text("status IN ('lobby', 'playing')"),
        postgresql_where=sa.text("status IN ('lobby', 'playing')"),
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
        sa.CheckConstraint("reason IN ('finished', 'stopped')", name=op.f("ck_matches_reason")),
        sa.CheckConstraint("rounds >= 0", name=op.f("ck_matches_rounds")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_tables")),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_matches")),
    )
    op.create_table(
        "rounds",
        sa.Column("table_id", dialects.TABLE_ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("ended_at", sa.BigInteger(), nullable=False),
        sa.Column("result", sa.Text(), nullable=False),
        sa.CheckConstraint("json_valid(result)", name=op.f("ck_rounds_result")),
        sa.CheckConstraint("number >= 1", name=op.f("ck_rounds_number")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_rounds_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_rounds")),
        sqlite_with_rowid=False,
    )
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
    op.create_index(
        "uq_seats_person",
        "seats",
        ["table_id", "user_id"],
        unique=True,
        sqlite_where=sa.text("user_id IS NOT NULL"),
        postgresql_where=sa.text("user_id IS NOT NULL"),
    )
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
        sa.CheckConstraint("kind IN ('person', 'computer')", name=op.f("ck_match_seats_kind")),
        dialects.holds_bool("won", op.f("ck_match_seats_won")),
        sa.ForeignKeyConstraint(
            ["table_id"], ["matches.table_id"], name=op.f("fk_match_seats_matches")
        ),
        sa.PrimaryKeyConstraint("table_id", "seat", name=op.f("pk_match_seats")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_match_seats_user_id"), "match_seats", ["user_id"], unique=False)
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
    op.create_index(op.f("ix_round_seats_user_id"), "round_seats", ["user_id"], unique=False)
    for trigger in _TRIGGERS:
        dialects.on_sqlite(trigger)
    for trigger in _POSTGRES_TRIGGERS:
        dialects.on_postgres(trigger)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
