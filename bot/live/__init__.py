"""Open tables: registry, locks, changes, storage and events."""
