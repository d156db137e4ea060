"""Charts of scores, places, ratings and chances. Only the drawing process imports this.

`points`, `places`, `rating` and `chances` lay out a chart on a `sheet`, which has the positions of
all lines, areas, symbols and texts. They share `chart_parts`, `scales` and `styles`.
`sheet_picture` converts a sheet into a PNG file.
"""
