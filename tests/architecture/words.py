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

# Words of our own that stood for words of the field, in names of files, types, functions and variables
# of src/ and include/: docs/glossary.md.
OLD_WORDS = {
    "backlog": "queue", "bell": "doorbell", "bounce": "trampoline", "complain": "print_error",
    "debt": "pending_fixup", "errand": "stub", "face": "access", "faces": "accesses",
    "forecast": "address_summary", "foresee": "predict", "foresight": "tage",
    "foretell": "early_accesses", "foretold": "known_early", "holders": "dirty_blocks",
    "listener": "counter_source", "misled": "mispredicted", "outstanding": "miss_intervals",
    "piece": "code_block", "pieces": "code_blocks", "route": "encoding", "settle": "sync",
    "settled": "synced", "site": "hook", "stretch": "tb", "teach": "train", "told": "last_read",
    "variant": "schedule_memo", "variants": "memos", "verdict": "comparison", "wiring": "counters",
}
OLD_PHRASES = {
    "option_grammar": "options", "option_word": "options", "system_operation": "maintenance_insn",
    "wide_cache": "tag_array", "walk_run": "trace_reader_run",
}
NAMED = ("src", "include")

# Phrases of our own that a reader must translate, and those of the field: none in messages, help and documents.
PLAIN_PHRASES = {
    r"parted by": "separated by", r"\bbehind\b": "after", r"stands? above": "see above", r"stands? beside": "is next to",
    r"cut short": "truncated, interrupted", r"at hand": "current, available", r"\bso many\b": "the number",
    r"with the same words": "with the same arguments", r"\bnobody\b": "no process, no caller", r"\bin turns\b": "alternately",
    r"what is left of": "the rest of", r"\bheld to\b": "checked against", r"\bin front of\b": "before",
    r"\bof those that\b": "name them", r"for want of": "for lack of", r"cannot go on\b": "cannot continue",
    r"shows those there are": "lists them", r"\bfor ever\b": "forever", r"with(?:out)? end\b": "endless",
    r"and its kin\b": "and similar ones", r"\bOn what\b": "Target", r"all the same\b": "anyway", r"\bas a rule\b": "usually",
}
# Comments of src/ and include/ begin with their subject and use the common verb: none of these.
COMMENT_PHRASES = (
    r"^What\b", r"^Whether\b", r"^Of\b", r"\bbehind\b", r"\bstands?\b", r"\bnobody\b", r"\bso many\b", r"\bat hand\b",
    r"cut short", r"\bgo(?:es)? on\b", r"\bof those\b", r"\bparted\b", r"\banew\b",
)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)

# Spelled so that this file does not break its own rules.
FORBIDDEN = {
    r"\b(?:TO" r"DO|FIX" r"ME|X" r"XX)\b": "finish it or leave it out",
    r"/(?:ho" r"me|ro" r"ot|wo" r"rk)/[\w.]": "a path of one person's machine",
    r"^(?:<{7}|>{7}) ": "a merge left unfinished",
}


def is_skipped(path):
    return any(part in SKIPPED_NAMES or part.startswith("build") for part in path.parts[:-1]) or \
        path.name in SKIPPED_NAMES


def old_words(name):
    """(old, new) of a name of code, or of a file without its ending."""
    lower = name.lower()
    yield from ((part, OLD_WORDS[part]) for part in lower.split("_") if part in OLD_WORDS)
    yield from ((old, new) for old, new in OLD_PHRASES.items() if old in lower)


def old_names(path, text):
    for old, new in old_words(path.stem):
        yield f"{path}: '{old}' of the file's name is '{new}'"
    if path.suffix not in (".c", ".h", ".inc"):
        return
    code = NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for number, line in enumerate(code.splitlines(), 1):
        for name in re.findall(r"\b[A-Za-z_]\w*", line):
            for old, new in old_words(name):
                yield f"{path}:{number}: '{name}': the word for '{old}' is '{new}'"


def plain(path, number, text, where):
    for phrase, word in PLAIN_PHRASES.items():
        if re.search(phrase, text):
            yield f"{path}:{number}: in {where}: '{re.search(phrase, text).group()}' is '{word}'"


def phrases_of_messages(path, text):
    if path.suffix not in (".c", ".h", ".def", ".inc"):
        return
    code = COMMENT.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)
    for number, line in enumerate(code.splitlines(), 1):
        for string in re.findall(r'"((?:\\.|[^"\\])*)"', line):
            yield from plain(path, number, string, "a message")


def is_prose(path):
    """Pages that people write; docs/events and docs/registers are printed from the catalogue."""
    return path.suffix == ".md" and path.parts[:-1] in ((), ("docs",)) and path.name != "CHANGELOG.md"


def phrases_of_pages(path, text):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        fenced ^= line.startswith("```")
        if not fenced and not line.startswith(("```", "    ")):
            yield from plain(path, number, re.sub(r"`[^`]*`", "", line), "a page")


def comments(path, text):
    """The comments of a source file, each in one line without its marks."""
    if path.parts[0] in NAMED and path.suffix in (".c", ".h", ".def", ".inc"):
        for comment in COMMENT.findall(text):
            yield re.sub(r"\s+\*?\s*", " ", re.sub(r"^/[*/]+<?\s*|\s*\*/$", "", comment))


def phrases_of_comments(path, text):
    for comment in comments(path, text):
        for phrase in COMMENT_PHRASES:
            if re.search(phrase, comment):
                yield f"{path}: in a comment: '{re.search(phrase, comment).group()}': begin with the subject, use the common verb"


def complaints_about(path, text):
    if path.parts[0] in NAMED:
        yield from old_names(path, text)
        yield from phrases_of_messages(path, text)
    yield from phrases_of_comments(path, text)
    if is_prose(path):
        yield from phrases_of_pages(path, text)
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
