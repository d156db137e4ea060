"""Code for PostgreSQL only; a test checks that there is none elsewhere.

- `backend.py`: the `Backend` that `Database` uses
- `transactions.py`: write transactions
- `errors.py`: operator messages for errors
- `statements.py`: SQL expressions, constraints and triggers
"""
