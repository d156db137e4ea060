"""Tools for the pictures of tables: colours, reference pictures, contact sheet."""
