"""Code for SQLite only; a test checks that there is none elsewhere.

The rest of `bot/storage` uses SQLAlchemy Core.

- `backend.py`: the `Backend` that `Database` uses
- `engines.py`: opening of the file with its pragmas, VACUUM, emptying of its log
- `errors.py`: operator messages for errors
- `statements.py`: SQL expressions, constraints and triggers
- `connections.py`: connections with one thread hop a statement
- `copies.py`: copies of a file and their inspection, for backups and checks
- `backup.py`, `update_backups.py`: backups on request, and those before a migration
"""
