"""Infrastructure of any service: settings, logs, clock, heartbeat, garbage collection.

Nothing here depends on Tichu.
"""
