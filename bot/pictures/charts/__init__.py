"""Charts of scores, places and ratings. Only the drawing process imports this.

`points`, `places` and `rating` lay out a chart on a `sheet`: a value that says which lines, areas,
signs and texts are where, with the help of `axes`, `scales`, `dates`, `styles` and `signs`.
`sheet_picture` turns a sheet into a PNG file.
"""
