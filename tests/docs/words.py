"""Words that the project's prose does without: each has a plainer technical term. Read are documents, comments and messages,
not identifiers nor what is in backticks. Records of the past keep the words of their time."""

import io
import re
import tokenize

WORDS = {
    r"so-manieth": "'every n-th' or 'round-robin'",
    r"behind": "'after', 'beyond' or 'through'",
    r"nobody|no one": "'no role', 'no thread', 'nothing' or 'unused'",
    r"somebody|someone|everybody|everyone|anybody": "name the role, thread, process or user",
    r"(?<!user )(?<!users )who|whom|himself": "'which', 'that', or the role or thread by name (people may be 'users who')",
    r"for ever": "'deadlock', 'permanently' or 'never'",
}
SHED = re.compile(r"\b(?:" + "|".join(f"({word})" for word in WORDS) + r")\b", re.I)
RECORDS = ("CHANGELOG.md", "perf/LOG.md", "perf/history/", "perf/results/")
GENERATED = ("docs/reference/",)
ITSELF = ("tests/docs/words.py", "tests/docs/check_docs_test.py")
C_LIKE = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|R"\((.*?)\)"', re.S)


def faults(tree):
    for name in tree.files:
        if name.startswith(RECORDS + GENERATED) or name in ITSELF:
            continue
        if name.endswith(".cpp") and _read(tree.root / name).startswith("// See "):
            yield name, 1, "the first sentence says what the file does, not where that is said"
        for start, text in _prose(name, tree.root / name):
            for found in SHED.finditer(re.sub(r"`[^`\n]*`", _blank, text)):
                instead = list(WORDS.values())[found.lastindex - 1]
                yield name, start + text.count("\n", 0, found.start()), f"'{found.group()}': write {instead}"


def _prose(name, path):
    """Pieces of prose with the line at which each begins."""
    if name.endswith(".md"):
        return [(1, re.sub(r"```.*?```", _blank, _read(path), flags=re.S))]
    if name.endswith((".td", ".cmake", "CMakeLists.txt")):
        return [(1, _read(path))]
    if name.endswith(".py"):
        return _python(_read(path))
    if name.endswith(".mlir"):
        return _matches(re.compile(r"//[^\n]*"), _read(path))
    return _matches(C_LIKE, _read(path)) if name.endswith((".h", ".hpp", ".c", ".cpp", ".def")) else []


def _read(path):
    return path.read_text(encoding="utf-8", errors="replace")


def _blank(found):
    return re.sub(r"[^\n]", " ", found.group())


def _matches(pattern, text):
    return [(text.count("\n", 0, found.start()) + 1, found.group()) for found in pattern.finditer(text)]


def _python(text):
    """Comments and strings, without the expressions inside of formatted strings."""
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    kinds = {tokenize.COMMENT, tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}
    return [(token.start[0], re.sub(r"\{[^{}]*\}", _blank, token.string)) for token in tokens if token.type in kinds]
