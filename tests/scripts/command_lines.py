"""Whether a command of the documents could be run as it stands there.

What is called must exist and have the options that are named; so must names of data sets, tables and other things that
elmx knows, and files in configs/. Words in capitals, as in `elmx table DIR`, stand for anything.
"""
import functools
import os
import re
import shlex
import subprocess

SEPARATORS = re.compile(r"\s(?:\|\|?|&&|;)\s")
OPTION = re.compile(r"^  (?:(-\w),)?(--[\w-]+)(?: ([A-Z]{2,}))?", re.MULTILINE)
COMMAND = re.compile(r"^  (\w+) ", re.MULTILINE)
NAME = re.compile(r"[a-z][\w-]*")


class CommandLines:
    def __init__(self, program, root, environment):
        self.program, self.root, self.environment = program, root, environment

    def findings(self, text):
        lines = text.replace("\\\n", " ").splitlines()
        commands = [command for line in lines for command in SEPARATORS.split(line.partition(" #")[0])]
        return [finding for command in commands for finding in self.findings_of_command(command)]

    def findings_of_command(self, command):
        words = [word for word in (word.strip("[]") for word in shlex.split(command)) if word]
        if words[:1] == ["elmx"]:
            return self.findings_of_elmx(words[1:])
        if words and words[0].startswith("scripts/"):
            return self.findings_of_script(*words)
        return []

    def findings_of_script(self, script, *words):
        path = self.root / script
        if not path.is_file():
            return [f"{script}: no such file"]
        text = path.read_text(encoding="utf-8")
        if (path.suffix == ".sh" or "__main__" in text) and not (text.startswith("#!") and os.access(path, os.X_OK)):
            return [f"{script}: cannot be executed; it needs a first line with #! and the mode 755"]
        return [f"{script}: no option {word}" for word in words if word.startswith("--") and word not in text]

    def findings_of_elmx(self, words):
        findings, path, help_text, options, rest = [], "elmx", self.help(), self.options(), list(words)
        while rest:
            word = rest.pop(0)
            commands = COMMAND.findall(help_text.partition("Subcommands:")[2])
            if word.startswith("-") and word != "-":
                findings += self.findings_of_option(path, options, word, rest)
            elif word in commands:
                path += f" {word}"
                help_text = self.help(*path.split()[1:])
                options |= self.options(*path.split()[1:])
            elif commands:
                findings.append(f"{path}: no command {word}")
            elif not self.is_known(word, help_text):
                findings.append(f"{path}: nothing is called {word}")
        return findings

    def findings_of_option(self, path, options, word, rest):
        name, with_value, _ = word.partition("=")
        if name not in options:
            return [f"{path}: no option {name}"]
        if options[name] and not with_value:
            if not rest:
                return [f"{path}: {name} without a value"]
            rest.pop(0)
        return []

    def is_known(self, word, help_text):
        if word.startswith("configs/"):
            return (self.root / word).is_file()
        if not NAME.fullmatch(word) or re.search(rf"\b{word}\b", help_text):
            return True
        return self.is_explained(word)

    def options(self, *command):
        """Each option, and what its value is called, or nothing where it has none."""
        return {name: value for *names, value in OPTION.findall(self.help(*command)) for name in names if name}

    @functools.cache
    def is_explained(self, word):
        return self.run("help", word).returncode == 0

    @functools.cache
    def help(self, *command):
        return self.run(*command, "--help").stdout.partition("\nExamples:")[0]

    def run(self, *words):
        return subprocess.run([self.program, *words], env=self.environment, text=True, capture_output=True, check=False)
