"""The tracked files of the repository, and the names that documents may speak of."""

import re
import subprocess
from functools import cached_property
from pathlib import Path


class Tree:
    """A checkout. Lists are made once, when they are first asked for."""

    def __init__(self, root):
        self.root = Path(root).resolve()

    @cached_property
    def files(self):
        """Paths from the root, in order: what git tracks, and what is new and not ignored."""
        listed = subprocess.run(
            ["git", "-c", f"safe.directory={self.root}", "-C", str(self.root), "ls-files", "--cached", "--others", "--exclude-standard"],
            capture_output=True, text=True)
        if listed.returncode == 0:
            return sorted(name for name in set(listed.stdout.split("\n")) if name and (self.root / name).is_file())
        everything = (path for path in self.root.rglob("*") if path.is_file())
        names = (str(path.relative_to(self.root)) for path in everything)
        return sorted(name for name in names if not name.startswith(("build/", ".git/", "shared/")))

    @cached_property
    def base_names(self):
        return {name.rsplit("/", 1)[-1] for name in self.files}

    @cached_property
    def top_folders(self):
        return {name.split("/", 1)[0] for name in self.files if "/" in name}

    def documents(self):
        return [self.root / name for name in self.files if name.endswith(".md")]

    def text(self, *suffixes):
        """All tracked text with one of these endings, documents excepted."""
        names = (name for name in self.files if name.endswith(suffixes))
        return "\n".join((self.root / name).read_text(encoding="utf-8", errors="replace") for name in names)

    @cached_property
    def passes(self):
        """Command-line names of the passes: --tawa-NAME."""
        return set(re.findall(r'Pass<"([\w-]+)"', self.text(".td")))

    @cached_property
    def programs(self):
        return set(re.findall(r"(?:add_executable|OUTPUT_NAME|add_test\(NAME|tawa_add_\w+)[ (]+([\w-]+)", self.text("CMakeLists.txt", ".cmake"))) | {"tawa"}

    @cached_property
    def macros_and_variables(self):
        return set(re.findall(r"\bTAWA_[A-Z0-9_]+\b", self.text(".h", ".hpp", ".def", ".cpp", ".c", ".txt", ".cmake", ".json", ".sh", ".py")))
