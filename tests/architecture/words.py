"""House rules on names and words, over every text file of the sources.

usage: words.py SOURCE_ROOT

Prints one line for each breach; fails when there is one, and without files.
"""

import re
import sys
from pathlib import Path

SKIPPED_NAMES = {".git", ".cache", "subprojects", "__pycache__"}

# A name that says nothing about what is inside.
EMPTY_NAMES = {"util", "utils", "common", "misc", "helpers", "stuff"}

# Spelled so that this file does not break its own rules.
FORBIDDEN = {
    r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b": "finish it or leave it out",
    r"/(?:ho" r"me|ro" r"ot|wo" r"rk)/[\w.]": "a path of one person's machine",
    r"^(?:<{7}|>{7}) ": "a merge left unfinished",
}


def is_skipped(path):
    return any(part in SKIPPED_NAMES or part.startswith("build") for part in path.parts[:-1]) or \
        path.name in SKIPPED_NAMES


def complaints_about(path, text):
    if EMPTY_NAMES & {part.split(".")[0] for part in path.parts}:
        yield f"{path}: a name that says nothing"
    for number, line in enumerate(text.splitlines(), 1):
        for pattern, reason in FORBIDDEN.items():
            word = re.search(pattern, line)
            if word:
                yield f"{path}:{number}: '{word.group()}': {reason}"


def check(root):
    files = sorted(root.rglob("*"))
    complaints = [] if files else [f"{root}: no files"]
    for file in files:
        path = file.relative_to(root)
        if is_skipped(path) or not file.is_file():
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # binary test data has no words
        complaints += complaints_about(path, text)
    return complaints


if __name__ == "__main__":
    found = check(Path(sys.argv[1]))
    print("\n".join(found) or "no breach of the house rules")
    sys.exit(1 if found else 0)
