"""Pages of a table: lobby, table message, result, and the private pages behind their buttons."""
