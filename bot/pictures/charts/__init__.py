"""Charts of scores, places and ratings. Only the drawing process imports this.

`points`, `places` and `rating` lay out a chart on a `sheet`, which has the positions of all lines,
areas, symbols and texts. They share `chart_parts`, `scales` and `styles`. `sheet_picture` converts
a sheet into a PNG file.
"""
