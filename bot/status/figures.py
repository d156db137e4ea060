"""All metrics of a bot, with their current values.

`docs/grafana.json` shows them, and `docs/operating.md` explains them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.client import TichuBot
from bot.runtime.discord_private import heartbeat_age_s
from bot.runtime.metrics import Histogram, Metrics
from bot.status.current_bot import shards
from bot.table.state import OpenTable
from engine import VARIANTS

Labels: TypeAlias = tuple[str, ...]
"""Values of a metric's labels, in order."""
TableStatus = Literal["lobby", "playing", "paused"]
STATUSES: Final[tuple[TableStatus, ...]] = ("lobby", "playing", "paused")


class Figure(NamedTuple):
    """Metric, with a value for each combination of labels."""

    name: str
    """Public name; the exposition appends ``_total`` to that of a counter."""
    kind: Literal["counter", "gauge", "histogram"]
    """Type of the metric."""
    help: str
    """Help text, one sentence."""
    values: Mapping[Labels, float | Histogram]
    """Values; histograms for a histogram."""
    labels: tuple[str, ...] = ()
    """Names of the labels."""


def figures(bot: TichuBot) -> Iterator[Figure]:
    """Yield the metrics of a bot; before login only some of them."""
    yield from _of_traffic(bot.metrics)
    if hasattr(bot, "tables"):
        yield from _of_play(bot)
    yield from _of_shards(bot)


def table_status(table: OpenTable) -> TableStatus:
    """Return the status of an open table."""
    if not table.running:
        return "lobby"
    return "paused" if table.timers.paused else "playing"


def _of_traffic(metrics: Metrics) -> Iterator[Figure]:
    """Yield the metrics of requests, responses, queues and the event loop."""
    yield Figure(
        "tichu_interaction_seconds",
        "histogram",
        "From the arrival of a click or command until Discord has taken the first answer.",
        {(kind,): times for kind, times in metrics.answers.items()},
        ("kind",),
    )
    yield Figure(
        "tichu_loop_lag_seconds",
        "histogram",
        "How much too late the event loop came to what was due.",
        {(): metrics.loop_lag},
    )
    yield Figure(
        "tichu_discord_requests",
        "counter",
        "Requests to Discord; the status is 'lost' if there was no answer.",
        metrics.requests,
        ("method", "route", "status"),
    )
    yield Figure(
        "tichu_discord_request_seconds",
        "histogram",
        "From a request to Discord until its answer began.",
        {(): metrics.request_times},
    )
    yield Figure(
        "tichu_discord_rate_limited",
        "counter",
        "Requests after which Discord wanted the bot to wait (429), by scope of the limit.",
        {(scope,): count for scope, count in metrics.limited.items()},
        ("scope",),
    )
    yield Figure(
        "tichu_open_hands",
        "gauge",
        "Private hands that are kept fresh on somebody's screen.",
        {(): metrics.open_hands()},
    )
    yield Figure(
        "tichu_queue_length",
        "gauge",
        "What waits: messages for channels, those of them that are in the outbox, changes to be "
        "stored, pictures, decisions of computer players.",
        {(queue,): length() for queue, length in metrics.queues.items()},
        ("queue",),
    )


def _of_play(bot: TichuBot) -> Iterator[Figure]:
    """Yield the metrics of tables, storage and computer players."""
    tables = Counter((table.options.variant, table_status(table)) for table in bot.tables.all())
    yield Figure(
        "tichu_tables",
        "gauge",
        "Open tables by game and by what goes on there.",
        {(game, status): tables[game, status] for game in VARIANTS for status in STATUSES},
        ("game", "status"),
    )
    yield Figure(
        "tichu_damaged_tables",
        "gauge",
        "Open tables that could not be read back; see the log of the start.",
        {(): len(bot.tables.damaged)},
    )
    yield Figure(
        "tichu_commit_seconds",
        "histogram",
        "From a change that is to be stored until it was on the disk.",
        {(): bot.store.tables.commit_times},
    )
    yield Figure(
        "tichu_storage_trouble",
        "gauge",
        "1 while the database cannot be written, as far as it was tried.",
        {(): bot.store.failing},
    )
    yield Figure(
        "tichu_computer_decisions",
        "counter",
        "Decisions of computer players that fell due.",
        {(): bot.thinking.asked},
    )
    yield Figure(
        "tichu_computer_decisions_late",
        "counter",
        "Those of them that an Expert had not made in time: a Novice decided.",
        {(): bot.thinking.late},
    )
    yield Figure(
        "tichu_workers_ready",
        "gauge",
        "Processes in which Experts are ready or think.",
        {(): 0 if bot.workers is None else bot.workers.size},
    )
    yield Figure(
        "tichu_worker_restarts",
        "counter",
        "Processes that were gone, hung, or could not start: those of Experts and the painter.",
        {
            ("expert",): 0 if bot.workers is None else bot.workers.replaced,
            ("painter",): bot.pictures.failed,
        },
        ("process",),
    )


def _of_shards(bot: TichuBot) -> Iterator[Figure]:
    """Yield the metrics of each shard."""
    own = shards(bot)
    latencies = {n: shard.latency for n, shard in bot.shards.items()}
    ages = {n: heartbeat_age_s(shard) for n, shard in bot.shards.items()}
    yield Figure(
        "tichu_shard_count",
        "gauge",
        "How many connections to Discord the bot has in all its processes.",
        {(): bot.shard_count} if own and bot.shard_count is not None else {},
    )
    yield Figure(
        "tichu_gateway_connected",
        "gauge",
        "1 if this connection to Discord is there.",
        {(str(shard.number),): shard.connected for shard in own},
        ("shard",),
    )
    yield Figure(
        "tichu_shard_lease",
        "gauge",
        "1 if this process plays for the servers of the shard: no other one has the lease.",
        {(str(shard.number),): shard.served for shard in own},
        ("shard",),
    )
    yield Figure(
        "tichu_shard_servers",
        "gauge",
        "Servers with the bot, by shard.",
        {(str(shard.number),): shard.servers for shard in own},
        ("shard",),
    )
    yield Figure(
        "tichu_shard_tables",
        "gauge",
        "Open tables, by shard.",
        {(str(shard.number),): shard.tables for shard in own},
        ("shard",),
    )
    yield Figure(
        "tichu_gateway_latency_seconds",
        "gauge",
        "How long Discord took to answer the last heartbeat of this connection.",
        {(str(n),): seconds for n, seconds in latencies.items() if math.isfinite(seconds)},
        ("shard",),
    )
    yield Figure(
        "tichu_gateway_heartbeat_age_seconds",
        "gauge",
        "How long ago Discord answered a heartbeat of this connection; usually below 45.",
        {(str(n),): age for n, age in ages.items() if age is not None},
        ("shard",),
    )
