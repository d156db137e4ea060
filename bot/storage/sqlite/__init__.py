"""What is SQLite's own: all of it stands in this folder (a test looks for what has strayed).

The rest of `bot/storage` speaks SQLAlchemy Core.

- `backend.py`: a database in a file as the `Backend` that `Database` works with
- `engines.py`: how the file is opened, with which pragmas; emptying its log
- `errors.py`: what errors mean, in words for a person
- `statements.py`: what only SQLite says so in expressions, tables and triggers
- `connections.py`: connections that ask their thread once for each statement
- `copies.py`: copies of a file, and what is looked at in them, for backups and checks
- `backup.py`, `update_backups.py`: backups that people make, and those before an update
"""
