"""The demo: the real bot in a pretended Discord, played by six people in one browser.

`python -m demo` starts it; nothing of the bot imports it.
"""
