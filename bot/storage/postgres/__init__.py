"""What is PostgreSQL's own: all of it stands in this folder (a test looks for what has strayed).

- `backend.py`: a database of PostgreSQL as the `Backend` that `Database` works with
- `transactions.py`: transactions that write, one after the other
- `errors.py`: what errors mean, in words for a person
- `statements.py`: what only PostgreSQL says so in expressions, tables and triggers
"""
