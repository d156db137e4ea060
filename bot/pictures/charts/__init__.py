"""Charts of scores, places and ratings. Only the drawing process imports this.

`points`, `places` and `rating` lay out a chart on a `sheet`: a value with the positions of all
lines, areas, signs and texts. They use `axes`, `scales`, `dates`, `styles` and `signs`.
`sheet_picture` converts a sheet into a PNG file.
"""
