"""Computer players: the view of a seat goes in (`engine.view`), the action of the seat comes out.

They see exactly what a person in their seat sees. All randomness comes from a seed or generator
that the caller gives.
"""
