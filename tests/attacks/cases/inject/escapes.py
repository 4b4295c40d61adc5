# /// attack
# what = "Terminal escapes, bidi and HTML in everything that may be shown."
# status = "error"
# ///

print("\x1b]0;title\x07\x1b[31mred\x1b[0m \u202eevil\u202c <script>alert(1)</script> </table>")
print("\x1b[2J\x9b31m\r\x08\x00")


class Odd(Exception):
    pass


def softmax(x, axis=-1):
    raise Odd("\x1b[31m<script>")
