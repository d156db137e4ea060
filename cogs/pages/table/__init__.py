"""What stands at a table: lobby, table message, result, and the pages behind their buttons."""
