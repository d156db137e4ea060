"""Student's t distribution."""

from __future__ import annotations

from statistics import NormalDist


def quantile(probability: float, freedom: int) -> float:
    """Return a quantile of Student's t distribution (Abramowitz and Stegun, 26.7.5)."""
    z = NormalDist().inv_cdf(probability)
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum((term / freedom**power for power, term in enumerate(terms)), 0.0)
