"""When computer players are asked, and the worker processes in which they compute."""
