"""Development tools that no server needs, such as drawing the art and the catalogues."""
