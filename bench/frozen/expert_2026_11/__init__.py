"""The Expert as it played in November 2026, with the Novice that it falls back on.

It is a copy of `players/` of commit b095a39, made before that folder was put in order. Whoever
changes the Expert can see in a tournament whether it has become better:

    make tournament ARGS="expert:600 expert-2026-11:600 --deals 1000"

What differs from the original: its parts import each other from here, everything of the engine
comes through `from_engine`, and its compiled code has folders of its own. Nothing else is changed,
and nothing is to be: no new names, no new sentences, no corrections. Therefore `expert/` and
`novice/` are left out of the checks of style and types. When the engine renames something,
`from_engine` is the one file to mend.
"""
