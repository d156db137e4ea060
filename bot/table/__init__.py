"""One table, pure: from one state of a table to the next. Nothing waits or stores here."""
