"""Computer players: what a seat sees goes in (`engine.view`), the action it takes comes out.

They see exactly what a person in their seat sees. All randomness comes from the given generator.
"""
