"""The nbgrader course: made, released, collected, graded and reported.

nbgrader is imported only by the modules that run inside it, and late elsewhere.
"""
