"""`python -m bot doctor`: finds out how Discord behaves, and what the bot does about it.

`behaviour.py` is what the running bot reads. The rest asks Discord: `steps.py` lists the steps,
each a function of a `Visit`, and `examination.py` carries them out.
"""
