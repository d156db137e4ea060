"""Delivery of pages to Discord: messages of tables, open hands, replies, permissions."""
