"""Pages of a table: lobby, table message, result, private pages."""
