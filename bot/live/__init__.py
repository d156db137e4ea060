"""The open tables: found, locked, changed, stored and told about."""
