"""Settings, logs, clock, heartbeat: what any service needs. Nothing here knows of Tichu."""
