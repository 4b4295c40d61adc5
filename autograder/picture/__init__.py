"""Pictures of attention: as text, as sentences, as HTML, as figures.

What is shown is computed by the student's own functions, or is numbers that the build froze;
no implementation of an exercise stands here.
"""

from autograder.picture.compare import compare as compare
from autograder.picture.html import page as page
from autograder.picture.html import sheet_html as sheet_html
from autograder.picture.look import Look as Look
from autograder.picture.look import look_of as look_of
from autograder.picture.parts import Sheet as Sheet
from autograder.picture.text import sheet_lines as sheet_lines
