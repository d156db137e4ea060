"""A state in, a page out. Pages send nothing and read nothing from storage."""
