"""The tests, laid out like the layers; shared material is imported as `tests.<module>`."""
