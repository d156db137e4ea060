"""How pages reach Discord: messages of tables, open hands, replies, permissions."""
