# /// attack
# what = "Uses a package that does the exercise's work."
# status = "any"
# ///

from scipy.special import softmax
