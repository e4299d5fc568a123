"""Links and names: every relative link leads to a file and a heading that exist, and so does every path, file, pass, macro and
environment variable that stands in backticks."""

import re

import markdown

FILE = re.compile(r"(?!\d\d-)[\w+-]+(\.[\w+-]+)*\.(cpp|h|hpp|c|td|def|py|sh|md|hw|cmake|map|sql|mlir)")
PATH = re.compile(r"\.?[\w.+-]+(/[\w.+-]+)+/?|[\w.+-]+/")
# (A number and a hyphen begin the names of dumps.) Records of the past name files as they were then.
RECORDS = ("perf/LOG.md", "perf/history/", "CHANGELOG.md")


def faults(tree):
    documents = {path: markdown.read(path) for path in tree.documents()}
    for path, document in documents.items():
        name = str(path.relative_to(tree.root))
        for line, target in document.links:
            if why := _link_fault(tree, documents, path, target):
                yield name, line, why
        if name.startswith(RECORDS):
            continue
        for line, code in document.code:
            if why := _code_fault(tree, path, code.split(":")[0] if PATH.match(code) else code):
                yield name, line, why


def _link_fault(tree, documents, path, target):
    if re.match(r"\w+:", target):
        return None  # another site: not looked at, so that tests need no network
    file, _, anchor = target.partition("#")
    found = (path.parent / file).resolve() if file else path
    if not found.exists():
        return f"link to '{target}': there is no {file}; links are relative to the document's folder"
    if anchor and found in documents and anchor not in documents[found].anchors:
        return f"link to '{target}': no heading of {found.relative_to(tree.root)} makes the anchor '{anchor}'"
    return None


def _code_fault(tree, path, code):
    if re.fullmatch(r"(--)?tawa-[a-z0-9-]+", code):
        known = tree.passes if code.startswith("--") else tree.passes | tree.programs
        return None if code.removeprefix("--") in known else f"`{code}`: no pass or program has this name"
    if re.fullmatch(r"TAWA_[A-Z0-9_]+", code):
        known = code in tree.macros_and_variables or any(name.startswith(code) for name in tree.macros_and_variables if code.endswith("_"))
        return None if known else f"`{code}`: no source file has this macro or environment variable"
    if FILE.fullmatch(code):
        known = code in tree.base_names or (path.parent / code).exists()
        return None if known else f"`{code}`: no file of the tree has this name"
    if PATH.fullmatch(code):
        return _path_fault(tree, path, code)
    return None


def _path_fault(tree, path, code):
    """Of a path in backticks, as seen from the document's folder, from one above it, or from that of the kernels."""
    folders = [folder for folder in path.parents if folder.is_relative_to(tree.root)] + [tree.root / "tests/kernels"]
    if any((folder / code).exists() for folder in folders):
        return None
    meant = code.split("/")[0] in tree.top_folders or FILE.fullmatch(code.rsplit("/", 1)[-1])
    return f"`{code}`: no such path, as seen from the document's folder or from one above it" if meant else None
