"""A state in, a page out. Pages send nothing and read nothing from storage.

What all rooms here share stands beside them: controls and their verbs, names of people, the rules.
"""
