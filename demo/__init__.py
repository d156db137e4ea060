"""The demo: the real bot in a simulated Discord, on a page in the browser for up to six people.

`python -m demo` starts it. Nothing of the bot imports it.
"""
