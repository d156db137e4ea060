"""Figures as Prometheus reads them.

prometheus_client is loaded only where a port is set: it takes a few megabytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from prometheus_client import GCCollector, PlatformCollector, ProcessCollector
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4, generate_latest
from prometheus_client.metrics_core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector, CollectorRegistry

from bot.runtime.metrics import Histogram
from bot.status.figures import Figure

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4


class Exposition(Collector):
    """The figures that `read` gives, and what Prometheus' own package knows of the process."""

    def __init__(self, read: Callable[[], Iterable[Figure]]) -> None:
        self._read = read
        self._registry = CollectorRegistry(auto_describe=False)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        self._registry.register(self)

    def text(self) -> bytes:
        """All figures as they are now."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Called by prometheus_client."""
        return map(_metric, self._read())


def _metric(figure: Figure) -> Metric:
    """A figure as prometheus_client has it."""
    name, text, labels = figure.name, figure.help, figure.labels
    if figure.kind == "histogram":
        family = HistogramMetricFamily(name, text, labels=labels)
        for values, times in figure.values.items():
            assert isinstance(times, Histogram)
            bounds = [*map(repr, times.bounds), "+Inf"]
            buckets = zip(bounds, accumulate(times.counts), strict=True)
            family.add_metric(values, list(buckets), times.total)
        return family
    kind = CounterMetricFamily if figure.kind == "counter" else GaugeMetricFamily
    simple = kind(name, text, labels=labels)
    for values, value in figure.values.items():
        assert not isinstance(value, Histogram)
        simple.add_metric(values, value)
    return simple
