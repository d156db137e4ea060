"""Computer players: `engine.view` of a seat in, the action of the seat out.

They see exactly what a person in their seat sees. All randomness comes from a seed or generator of
the caller.
"""
