"""Commands in documents: programs, subcommands, options and names of tests that fenced blocks and backticks show exist."""

import re
import shlex
import subprocess

import markdown
from references import RECORDS


class Commands:
    """Knows what `tawa`, `tawa-opt`, `./dev`, ctest and the measuring programs accept, by asking them."""

    def __init__(self, tree, tawa, tawa_opt, ctest, build):
        self.tree, self.tawa, self.tawa_opt, self.help = tree, tawa, tawa_opt, {}
        self.list_tests = [ctest, "--test-dir", build, "-N"]

    def faults(self):
        for path in self.tree.documents():
            name, document = str(path.relative_to(self.tree.root)), markdown.read(path)
            if name.startswith(RECORDS):
                continue
            shell = [block for block in document.blocks if block.language in ("", "sh", "bash", "console")]
            lines = [command for block in shell for command in block.commands()] + document.code
            for line, command in lines:
                if why := self.fault(command):
                    yield name, line, why

    def fault(self, command):
        """None where the command is right, or is no command that is looked at."""
        words = self._words(command)
        if not words:
            return None
        program = words[0].rsplit("/", 1)[-1]
        if program == "tawa" and len(words) > 1:
            return self._subcommand(words, [self.tawa])
        if words[0] == "./dev":
            return self._dev(words) or self._tests(words)
        if program == "ctest":
            return self._tests(words)
        if program == "tawa-opt":
            return self._options(words[1:], self._ask([self.tawa_opt, "--help"]), "tawa-opt")
        if program == "python3" and len(words) > 1:
            return self._script(words[1], words[2:])
        return None

    @staticmethod
    def _words(command):
        if not re.match(r"(\w+=\S+ +)*(\S*/)?(tawa|tawa-opt|python3|ctest|\./dev|dev) ", command):
            return None
        try:
            words = shlex.split(command)
        except ValueError:
            return None  # a quote that ends on another line
        while words and re.match(r"\w+=", words[0]):
            words = words[1:]
        return words

    def _ask(self, command):
        key = tuple(command)
        if key not in self.help:
            done = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=self.tree.root)
            self.help[key] = done.stdout + done.stderr
        return self.help[key]

    def _options(self, words, known, program):
        for word in words:
            option = word.split("=")[0]
            if re.match(r"--\w", option) and not re.search(re.escape(option) + r"(?![\w-])", known):
                return f"'{program}' has no option {option}"
        return None

    def _subcommand(self, words, program):
        command = words[1]
        if command in ("--help", "--version", "help", "...") or command.isupper():  # capitals: stands for any
            return None
        if not re.search(rf"^  {re.escape(command)} ", self._ask(program + ["--help"]), re.M):
            return f"'tawa' has no command '{command}'"
        return self._options(words[2:], self._ask(program + [command, "--help"]) + "--help", f"tawa {command}")

    def _dev(self, words):
        known = self._ask(["./dev", "help"])
        arguments = [word for at, word in enumerate(words) if at and not word.startswith("-") and words[at - 1] not in ("-j", "--preset", "--build-dir")]
        if arguments and arguments[0] != "help" and not re.search(rf"^  {re.escape(arguments[0])}\b", known, re.M):
            return f"'./dev' has no command '{arguments[0]}'"
        return None

    def _tests(self, words):
        """Each alternative of `-R` matches a test."""
        chosen = [word for at, word in enumerate(words) if at and words[at - 1] == "-R" and not word.isupper()]
        names = re.findall(r"Test +#\d+: (\S+)", self._ask(self.list_tests)) if chosen else []
        for pattern in (part for word in chosen for part in word.split("|")):
            if not any(re.search(pattern, name) for name in names):
                return f"no test matches '{pattern}'"
        return None

    def _script(self, script, words):
        if "/perf/harness/" in script:  # of a folder that was carried to another machine
            script = script[script.index("perf/harness/"):]
        file = self.tree.root / script
        if script.startswith("-"):
            return None
        if not file.exists():
            return f"there is no {script}"
        return self._options(words, file.read_text(encoding="utf-8"), script)
