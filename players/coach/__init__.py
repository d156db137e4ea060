"""The coach: what the choices of a finished round cost, judged by what each seat could know.

`decisions` finds the choices of a seat, `judge` compares them with the Expert's, and `chances`
estimates how likely a team is to win.
"""
