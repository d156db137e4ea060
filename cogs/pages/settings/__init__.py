"""The pages of ``/tichu settings``."""
