"""What any service needs: settings, logs, clock, heartbeat, garbage collection.

Nothing here knows of Tichu.
"""
