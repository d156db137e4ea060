"""`python -m bot doctor`: examines Discord's behaviour, and adapts the bot to it.

The running bot reads `behaviour.py`. The rest examines Discord: `steps.py` lists the steps, each a
function of a `Visit`, and `examination.py` runs them.
"""
