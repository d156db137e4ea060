"""Remakes what belongs to the pictures of tables: colours, reference pictures, contact sheet."""
