"""The tests, laid out like the storeys; shared material is imported as `tests.<module>`."""
