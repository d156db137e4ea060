"""What developers run and no server needs: drawing the art, the message catalogue."""
