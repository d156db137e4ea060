"""Pages: functions from a table's state to a message; no requests, no storage.

Modules shared by all packages here are on this level: controls and their verbs, names of people,
the rules.
"""
