"""Ratings, leaderboards and seat changes, and more about each round and its seats.

Little is known about rounds of older versions; `python -m bot rebuild` derives the rest.
"""

import sqlalchemy as sa
from alembic import op

from bot.storage.migrations import dialects

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_FILLED = (
    """UPDATE rounds SET
variant = coalesce((SELECT json_extract(options, '$.variant') FROM tables WHERE id = table_id),
                   variant),
rated = (SELECT coalesce(json_extract(options, '$.hints'), 0) = 0 FROM tables WHERE id = table_id),
ordinal = place
FROM (SELECT table_id AS t, number AS n,
             row_number() OVER (ORDER BY ended_at, table_id, number) AS place FROM rounds)
WHERE t = rounds.table_id AND n = rounds.number""",
    """INSERT INTO sittings (table_id, seq, seat, user_id, name, kind)
SELECT table_id, 1, seat, user_id, name, kind FROM seats
WHERE EXISTS (SELECT 1 FROM actions WHERE actions.table_id = seats.table_id)""",
    """INSERT OR REPLACE INTO names (scope, user_id, name)
SELECT guild_id, user_id, name FROM seats JOIN tables ON tables.id = table_id
WHERE user_id IS NOT NULL ORDER BY table_id""",
    """UPDATE matches SET rated =
(SELECT coalesce(json_extract(options, '$.hints'), 0) = 0 FROM tables WHERE id = table_id)""",
    "UPDATE match_seats SET counts_for = user_id",
)


def upgrade() -> None:
    """Add tables and columns, and fill the columns as far as possible without replays."""
    op.create_table(
        "guilds",
        sa.Column("guild_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("honours_channel_id", sa.BigInteger(), nullable=True),
        sa.Column("honoured", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("guild_id", name=op.f("pk_guilds")),
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
        "people",
        sa.Column("user_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hidden", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("worldwide", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.PrimaryKeyConstraint("user_id", name=op.f("pk_people")),
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
    op.create_index(
        "ix_standings_by_calls",
        "standings",
        ["scope", "variant", "period", "by_calls", "user_id"],
        unique=False,
        sqlite_where=sa.text("by_calls IS NOT NULL"),
        postgresql_where=sa.text("by_calls IS NOT NULL"),
    )
    op.create_index(
        "ix_standings_by_points",
        "standings",
        ["scope", "variant", "period", "by_points", "user_id"],
        unique=False,
        sqlite_where=sa.text("by_points IS NOT NULL"),
        postgresql_where=sa.text("by_points IS NOT NULL"),
    )
    op.create_index(
        "ix_standings_by_rating",
        "standings",
        ["scope", "variant", "period", "by_rating", "user_id"],
        unique=False,
        sqlite_where=sa.text("by_rating IS NOT NULL"),
        postgresql_where=sa.text("by_rating IS NOT NULL"),
    )
    op.create_index(
        "ix_standings_by_win_rate",
        "standings",
        ["scope", "variant", "period", "by_win_rate", "user_id"],
        unique=False,
        sqlite_where=sa.text("by_win_rate IS NOT NULL"),
        postgresql_where=sa.text("by_win_rate IS NOT NULL"),
    )
    op.create_index(
        "ix_standings_by_wins",
        "standings",
        ["scope", "variant", "period", "by_wins", "user_id"],
        unique=False,
        sqlite_where=sa.text("by_wins IS NOT NULL"),
        postgresql_where=sa.text("by_wins IS NOT NULL"),
    )
    op.create_index("ix_standings_user_id", "standings", ["user_id"], unique=False)
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
    op.add_column("match_seats", sa.Column("counts_for", sa.BigInteger(), nullable=True))
    op.create_index(op.f("ix_match_seats_counts_for"), "match_seats", ["counts_for"], unique=False)
    op.add_column("round_seats", sa.Column("margin", sa.Integer(), nullable=True))
    op.add_column(
        "round_seats", sa.Column("sweep", sa.Boolean(), server_default="0", nullable=False)
    )
    op.add_column(
        "round_seats", sa.Column("bombs", sa.Integer(), server_default="0", nullable=False)
    )
    op.add_column("round_seats", sa.Column("level", sa.Text(), nullable=True))
    op.add_column("matches", sa.Column("rated", sa.Boolean(), server_default="1", nullable=False))
    op.add_column(
        "rounds", sa.Column("variant", sa.Text(), server_default="nanjing", nullable=False)
    )
    op.add_column("rounds", sa.Column("rated", sa.Boolean(), server_default="1", nullable=False))
    op.add_column("rounds", sa.Column("ordinal", sa.Integer(), server_default="0", nullable=False))
    op.create_index(op.f("ix_rounds_ordinal"), "rounds", ["ordinal"], unique=False)
    op.create_index("ix_tables_guild_id", "tables", ["guild_id"], unique=False)
    op.create_index("ix_tables_channel_id", "tables", ["channel_id"], unique=False)
    for statement in _FILLED:
        dialects.on_sqlite(statement)


def downgrade() -> None:
    """Refuse downgrades, because older programs refuse newer databases."""
    raise NotImplementedError
