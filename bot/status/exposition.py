"""Exposition of the metrics in the text format of Prometheus.

prometheus_client takes a few megabytes, so this module is imported only if a port is set.
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
)
from prometheus_client.metrics_core import (
    Metric as MetricFamily,
)
from prometheus_client.registry import Collector, CollectorRegistry

from bot.runtime.metrics import Histogram
from bot.status.metrics import Metric

if TYPE_CHECKING:
    from collections.abc import Callable

CONTENT_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4


class Exposition(Collector):
    """Metrics returned by `read`, and those of the process by prometheus_client."""

    def __init__(self, read: Callable[[], Iterable[Metric]]) -> None:
        self._read = read
        self._registry = CollectorRegistry(auto_describe=False)
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=self._registry)
        self._registry.register(self)

    def text(self) -> bytes:
        """Return all metrics with their current values."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[MetricFamily]:
        """Return the metrics for prometheus_client."""
        return map(_family, self._read())


def _family(metric: Metric) -> MetricFamily:
    """Convert a metric for prometheus_client."""
    name, text, labels = metric.name, metric.help, metric.labels
    if metric.kind == "histogram":
        family = HistogramMetricFamily(name, text, labels=labels)
        for values, times in metric.values.items():
            assert isinstance(times, Histogram)
            bounds = [*map(repr, times.bounds), "+Inf"]
            buckets = zip(bounds, accumulate(times.counts), strict=True)
            family.add_metric(values, list(buckets), times.total)
        return family
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    simple = kind(name, text, labels=labels)
    for values, value in metric.values.items():
        assert not isinstance(value, Histogram)
        simple.add_metric(values, value)
    return simple
