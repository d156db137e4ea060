"""Demo: the real bot in a simulated Discord, on a browser page for up to six people.

`python -m demo` starts it. No code of the bot imports it.
"""
