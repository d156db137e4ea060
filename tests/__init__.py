"""Tests, laid out like the packages; shared helpers are imported as `tests.<module>`."""
