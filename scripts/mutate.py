#!/usr/bin/env python3
"""Spoils the device library or the core models in one place at a time; the tests must notice.

usage: mutate.py [SUBJECT] SOURCE_ROOT BUILD [-j N] [--sample N] [--seed N] [--only REGEX]
                 [--known | --unknown] [--plain] [--list]

BUILD is a built meson folder: it says which tests there are and what they are made of. A mutant is
one change: a comparison turned round or moved by one, a constant moved by one, && and || swapped, a
condition negated, a bitwise or arithmetic operator replaced, a statement left out. A mutant whose
object code is that of the original is no mutant. One that the tests do not notice gets a second
chance: they run again with both sanitizers. The subjects:

    device  src/pmu, by the tests of suite pmu
    models  src/parts, src/trace and src/cores, by the tests of the models and then by armpmu check

Some mutants are equivalent: what they change makes no difference that anything could notice. Each row
of scripts/mutants explains them by where they are and what they are:

    FILE FUNCTION KIND NUMBER WHY    FUNCTION: or the macro or table; KIND: as --list prints it

NUMBER is how many of that kind survive in that function. A run ends with a line for each folder: how
many mutants its tests killed, and how many survivors are not explained. It fails when there is one,
when a row names what is not there, or when a complete run has fewer survivors than a row explains.
"""

import argparse
import concurrent.futures
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter, namedtuple
from pathlib import Path

FLAGS = ["-std=c11", "-O1", "-g0", "-w", "-fPIC", "-D_GNU_SOURCE", '-DARMPMU_VERSION="0"']
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
EQUIVALENT = "scripts/mutants"
# Tests that put their own in the place of functions: of the objects they are linked with.
WRAPPED = {"parts-allocation": ("calloc", "malloc", "free"),
           "cores-allocation": ("calloc", "malloc", "realloc", "free"),
           "parts-schedule_memo": ("calloc", "malloc", "realloc")}
COMMAND_LINKS = ("-ljansson", "-lelf", "-lfdt", "-lm", "-ldl")
CHECK_LIMIT = 300  # seconds for armpmu check of a core
STRICT_LIMIT = 2.5  # seconds: tests that take longer do not run with the sanitizers

# folders: whose files are spoiled; target: the library that they make; suites: of its tests;
# links: what that library needs; checked: armpmu check, too, has to notice
Subject = namedtuple("Subject", "folders target suites links checked")
SUBJECTS = {
    "device": Subject(("src/pmu",), "armpmu", ("pmu",), (), False),
    "models": Subject(("src/parts", "src/trace", "src/cores"), "armpmu-sim-objects",
                      ("parts", "trace", "cores"),
                      ("libarmpmu.a", "-lcapstone", "-linih", "-lpthread"), True),
}

# Which tests and which cores a model's file concerns; without a row: all.
Concern = namedtuple("Concern", "files tests cores")
CONCERNS = (
    Concern(r"/(cortex_a8/|store_buffer|way_predictor|branch_predictor)",
            r"parts|trace|cores-(?!cortex_r4f|neoverse|xscale)", ("cortex-a8",)),
    Concern(r"/cortex_r4f", r"parts|trace|cores-(?!cortex_a8|neoverse|xscale)", ("cortex-r4f",)),
    Concern(r"/xscale", r"parts|trace|cores-(?!cortex|neoverse)", ("xscale1",)),
    Concern(r"/(neoverse/|tage|page_map48|miss_intervals|tag_array)",
            r"parts|trace|cores-(?!cortex|xscale)", ("amuv1",)),
)
CORES = ("cortex-a8", "cortex-r4f", "xscale1", "amuv1")

# path: of the file; function: or macro or table; line: from 1; column: of the change; old, new: text;
# kind: of mutation
Mutant = namedtuple("Mutant", "path function line column old new kind")

# Something that can notice a mutant: a test program, or armpmu check of a core. cost: seconds it
# takes; limit: seconds after which it runs for ever; core: of armpmu check, or None
Test = namedtuple("Test", "name program cost limit core")

# --- Mutants ------------------------------------------------------------------------------------

COMPARISONS = {"==": ["!="], "!=": ["=="], "<": ["<=", ">="], ">": [">=", "<="],
               "<=": ["<", ">"], ">=": [">", "<"]}
OPERATORS = {"&&": ["||"], "||": ["&&"], "&": ["|"], "|": ["&"], "^": ["|"], "<<": [">>"],
             ">>": ["<<"], "|=": ["&="], "&=": ["|="], "+": ["-"], "-": ["+"], "+=": ["-="],
             "-=": ["+="], "*": ["+"]}
WORDS = {"true": ["false"], "false": ["true"]}

BINARY = re.compile(r"(?<= )(==|!=|<=|>=|<<|>>|&&|\|\||\|=|&=|\+=|-=|[<>&|^+*-])(?= |$)")
NUMBER = re.compile(r"(?<![\w.])(0x[0-9a-fA-F]+|\d+)(u?)(?![\w.])")
WORD = re.compile(r"\b(true|false)\b")
NEGATION = re.compile(r"(?<![\w)])([!~])(?=[\w(])")
CONDITION = re.compile(r"^\s*(?:\} else )?(?:if|while) \((.*)\)( \{)?$")
STATEMENT = re.compile(r"^\s+(?!return\b|case\b|default\b|break\b|continue\b|else\b|const\b|static\b|"
                       r"struct\b|enum\b|unsigned\b|uint\w+_t\b|int\b|size_t\b|bool\b|goto\b|\})"
                       r"[\w*(].*;$")


# What a line at the left margin defines: a macro, a function, or data.
DEFINES = re.compile(r"#\s*define\s+(\w+)|(?=\w)(?:__attribute__\(\((?:[^()]|\([^()]*\))*\)\) )?"
                     r"(?:[\w* ]*[ *])?(\w+)(?=[(\[;]| =)")


def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_of(text):
    """The text with comments and strings blanked out, places unchanged."""
    pattern = r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\])\''
    return re.sub(pattern, blank, text, flags=re.DOTALL)


def names_of_lines(text):
    """The function that each line is in; the macro's or the table's name outside of functions."""
    names, name, macro = [], "", None
    for line in code_of(text).splitlines():
        defines = DEFINES.match(line)
        if macro is None and defines and defines.group(1):
            macro = defines.group(1)
        elif macro is None and defines:
            name = defines.group(2)
        names.append(macro or name)
        if macro and not line.endswith("\\"):
            macro = None
    return names


def numbers(match):
    """One more and one less than a constant of C, in which a leading 0 is octal."""
    text, suffix = match.groups()
    value = int(text, 8 if re.fullmatch("0[0-7]+", text) else 0)
    return [f"{near}{suffix}" for near in (value + 1, value - 1) if near >= 0]


def mutants_of_line(path, function, number, line):
    def made(match, news, kind):
        for new in news:
            yield Mutant(path, function, number, match.start(), match.group(), new, kind)

    for match in BINARY.finditer(line):
        operator = match.group()
        yield from made(match, COMPARISONS.get(operator, []), "comparison")
        yield from made(match, OPERATORS.get(operator, []), "operator")
    for match in NUMBER.finditer(line):
        yield from made(match, numbers(match), "constant")
    for match in WORD.finditer(line):
        yield from made(match, WORDS[match.group()], "constant")
    for match in NEGATION.finditer(line):
        yield from made(match, [""], "operator")
    match = CONDITION.match(line)
    if match and balanced(match.group(1)):
        yield Mutant(path, function, number, match.start(1), match.group(1),
                     f"!({match.group(1)})", "condition")
    if STATEMENT.match(line) and balanced(line):
        start = len(line) - len(line.lstrip())
        yield Mutant(path, function, number, start, line[start:], ";", "statement")


def balanced(text):
    return text.count("(") == text.count(")")


def is_mutable(line):
    return not re.match(r"\s*(#\s*(include|if|endif|ifndef|else|undef)|_Static_assert|extern\b)",
                        line)


def mutants_of(path, text):
    lines = zip(names_of_lines(text), code_of(text).splitlines())
    for number, (function, line) in enumerate(lines, 1):
        if is_mutable(line):
            yield from mutants_of_line(path, function, number, line.rstrip())


def apply(text, mutant):
    lines = text.splitlines(keepends=True)
    line = lines[mutant.line - 1]
    end = mutant.column + len(mutant.old)
    lines[mutant.line - 1] = line[:mutant.column] + mutant.new + line[end:]
    return "".join(lines)


def change_of(mutant):
    if mutant.kind == "statement":
        return "left out"
    if mutant.kind == "condition":
        return "negated"
    return f"{mutant.old} -> {mutant.new or 'nothing'}"


def spelled(mutant):
    return f"{mutant.path}:{mutant.line}: {mutant.function}: {mutant.kind}: {change_of(mutant)}"


# --- Building and running ------------------------------------------------------------------------

def compiler():
    return os.environ.get("CC", "cc").split()


def run(command, **options):
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False, **options)


def must(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            check=False)
    if result.returncode != 0:
        sys.exit(f"mutate: {' '.join(map(str, command))} failed:\n{result.stdout}")


def introspect(build, what):
    said = subprocess.run(["meson", "introspect", str(build), what], check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    return json.loads(said)


def c_sources(target):
    return [source for group in target["target_sources"] for source in group.get("sources", [])
            if source.endswith(".c")]


def definitions(target):
    """The -D and -I that a target is compiled with and FLAGS has not."""
    given = [flag for group in target["target_sources"] for flag in group.get("parameters", [])]
    return [flag for flag in given
            if re.match(r"-[DI]", flag) and not re.match(r"-D(NDEBUG|_GNU_SOURCE|ARMPMU_VERSION)",
                                                         flag)]


class Bench:
    """The library's objects, and the tests linked to a shared library that can be exchanged."""

    def __init__(self, subject, root, build, folder, strict=False):
        self.subject, self.root, self.build, self.folder = subject, root, build, folder
        self.strict, self.flags = strict, FLAGS + (SANITIZERS if strict else [])
        self.kills = Counter()  # by file and test
        folder.mkdir()
        targets = introspect(build, "--targets")
        self.library = next(t for t in targets if t["name"] == subject.target and
                            t["type"].endswith("library") and c_sources(t))
        self.objects = self.compile_library()
        self.link(folder, self.objects.values())
        self.tests = self.compile_tests(targets, introspect(build, "--tests"))
        if subject.checked and not strict:
            self.tests += self.check_tests()

    def compile(self, source, to):
        return [*compiler(), *self.flags, *definitions(self.library), "-c", str(source), "-o",
                str(to)]

    def links(self):
        return [str(self.build / "src" / word) if word.endswith(".a") else word
                for word in self.subject.links]

    def link(self, folder, objects):
        must([*compiler(), *self.flags, "-shared", "-o", str(folder / "libmutant.so"),
              *map(str, objects)])

    def compile_library(self):
        objects = {}
        for source in c_sources(self.library):
            path = Path(source).resolve().relative_to(self.root).as_posix()
            objects[path] = self.folder / (path.replace("/", "_") + ".o")
            must(self.compile(source, objects[path]))
        return objects

    def executable(self, target, links):
        program = self.folder / target["name"]
        must([*compiler(), *self.flags, *definitions(target), "-o", str(program),
              *c_sources(target), f"-L{self.folder}", "-lmutant", *links, *self.links()])
        return program

    def compile_tests(self, targets, tests):
        """The programs of the suites; with the sanitizers the fast ones alone."""
        wanted = {t["cmd"][0] for t in tests if len(t["cmd"]) == 1 and
                  any(s.split(":")[-1] in self.subject.suites for s in t["suite"])}
        programs = [self.executable(target, ["-lcmocka"]) for target in targets
                    if target["type"] == "executable" and wanted & set(target["filename"]) and
                    target["name"] not in WRAPPED]
        self.wrapped = {target["name"]: target for target in targets if target["name"] in WRAPPED
                        and wanted & set(target["filename"])}
        programs += [self.wrap(name, self.objects.values(), self.folder) for name in self.wrapped]
        return [test for test in map(self.timed, programs)
                if not self.strict or test.cost < STRICT_LIMIT]

    def wrap(self, name, objects, folder):
        target = self.wrapped[name]
        must([*compiler(), *self.flags, *definitions(target), "-o", str(folder / name),
              *c_sources(target), *map(str, objects),
              *(f"-Wl,--wrap={function}" for function in WRAPPED[name]), "-lcmocka",
              *self.links()])
        return folder / name

    def check_tests(self):
        """armpmu itself, with what it looks for beside it, for armpmu check of each core."""
        program = self.folder / "armpmu"
        must([*compiler(), "-o", str(program), *map(str, self.build.glob("armpmu.p/*.o")),
              f"-L{self.folder}", "-lmutant", *map(str, self.build.glob("src/qemu/**/*.a")),
              *self.links(), *COMMAND_LINKS])
        (self.folder / "armpmu-qemu.so").symlink_to(self.build / "armpmu-qemu.so")
        return [self.timed(program, core) for core in CORES]

    def timed(self, program, core=None):
        """The test with its cost; it has to pass with the library as it is."""
        name = f"armpmu check --core {core}" if core else program.name
        before = os.times().elapsed
        if not self.passes(Test(name, program, 0, CHECK_LIMIT, core), self.folder):
            sys.exit(f"mutate: {name} fails with the library as it is")
        cost = os.times().elapsed - before
        return Test(name, program, cost, CHECK_LIMIT if core else 5 + 10 * cost, core)

    def passes(self, test, library):
        environment = {**os.environ, "LD_LIBRARY_PATH": str(library)}
        command = [test.program]
        if test.core:
            environment |= {"ARMPMU_CHECK_PATH": str(self.build / "check" / "set"),
                            "ARMPMU_MACHINE_PATH": str(self.root / "machines")}
            command += ["check", "--core", test.core]
        try:
            return run(command, env=environment, cwd=library, timeout=test.limit).returncode == 0
        except subprocess.TimeoutExpired:
            return False

    def verdict(self, mutant, folder):
        """'killed' by a test, 'survived', or 'no mutant': not C, or the same code."""
        text = (self.root / mutant.path).read_text(encoding="utf-8")
        source, changed = folder / Path(mutant.path).name, folder / "mutant.o"
        source.write_text(apply(text, mutant), encoding="utf-8")
        if run(self.compile(source, changed)).returncode != 0:
            return "no mutant"
        if changed.read_bytes() == self.objects[mutant.path].read_bytes():
            return "no mutant"
        objects = [changed if path == mutant.path else o for path, o in self.objects.items()]
        self.link(folder, objects)
        for test in self.concerned(mutant.path):
            if test.name in self.wrapped:
                test = test._replace(program=self.wrap(test.name, objects, folder))
            if not self.passes(test, folder):
                self.kills[mutant.path, test.name] += 1
                return "killed"
        return "survived"

    def concerned(self, path):
        """What can notice a change of a file, what is cheap or has noticed many first."""
        row = next((row for row in CONCERNS if re.search(row.files, path)),
                   Concern("", "", CORES))
        tests = [test for test in self.tests
                 if (test.core in row.cores if test.core else re.search(row.tests, test.name))]
        return sorted(tests, key=lambda test: (test.cost + 0.1) /
                                              (self.kills[path, test.name] + 0.2))


def judge(plain, strict, mutants, jobs):
    """(mutant, verdict) of each, as they come in."""
    here = threading.local()

    def one(mutant):
        if not hasattr(here, "folder"):
            here.folder = Path(tempfile.mkdtemp(dir=plain.folder))
        verdict = plain.verdict(mutant, here.folder)
        if verdict == "survived" and strict and strict.verdict(mutant, here.folder) == "killed":
            verdict = "killed"
        return mutant, verdict

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        try:
            yield from pool.map(one, mutants)
        finally:
            pool.shutdown(cancel_futures=True)


# --- What is known of survivors ------------------------------------------------------------------

def place_of(mutant):
    """What a row of scripts/mutants explains it by."""
    return mutant.path, mutant.function, mutant.kind


def equivalents(root):
    """{place: (number, why)} of scripts/mutants."""
    path, rows = root / EQUIVALENT, {}
    lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
    for number, line in enumerate(lines, 1):
        words = line.split(maxsplit=4)
        if not words or line.startswith("#"):
            continue
        if len(words) < 5 or not words[3].isdigit():
            sys.exit(f"{EQUIVALENT}:{number}: 'FILE FUNCTION KIND NUMBER WHY' is wanted")
        if tuple(words[:3]) in rows:
            sys.exit(f"{EQUIVALENT}:{number}: a second row for {' '.join(words[:3])}")
        rows[tuple(words[:3])] = int(words[3]), words[4]
    return rows


def all_mutants(root, folders):
    for folder in folders:
        for file in sorted((root / folder).rglob("*.c")):
            path = file.relative_to(root).as_posix()
            yield from mutants_of(path, file.read_text(encoding="utf-8"))


def try_all(plain, strict, mutants, jobs):
    """(mutant, verdict) of each; of those that there was time for, when interrupted."""
    verdicts = []
    try:
        for mutant, verdict in judge(plain, strict, mutants, jobs):
            verdicts.append((mutant, verdict))
            if len(verdicts) % 100 == 0:
                print(f"{len(verdicts)} of {len(mutants)}", flush=True)
            if verdict == "survived":
                print("survived:", spelled(mutant), flush=True)
    except KeyboardInterrupt:
        print(f"interrupted after {len(verdicts)} of {len(mutants)} mutants")
    return verdicts


def unexplained(survivors, rows):
    """{place: its survivors} where more survived than the row explains."""
    by_place = {}
    for mutant in survivors:
        by_place.setdefault(place_of(mutant), []).append(mutant)
    return {place: found for place, found in by_place.items()
            if len(found) > rows.get(place, (0, ""))[0]}


def stale(rows, there, survivors, complete):
    """Rows that name what is not there, or, of a complete run, that explain more than survived."""
    counts = Counter(map(place_of, survivors))
    for place, (number, _) in rows.items():
        if place not in there:
            yield f"{' '.join(place)}: there is no such mutant"
        elif complete and counts[place] < number:
            yield f"{' '.join(place)}: it explains {number}, {counts[place]} survived"


def scores(verdicts, surprises, rows):
    """A line for each folder."""
    folders = {}
    for mutant, verdict in verdicts:
        folders.setdefault(os.path.dirname(mutant.path), Counter())[verdict] += 1
    for place, found in surprises.items():
        folders[os.path.dirname(place[0])]["surprises"] += len(found) - rows.get(place, (0,))[0]
    for folder, counts in sorted(folders.items()):
        real = counts["killed"] + counts["survived"]
        share = f"{100 * counts['killed'] / real:5.1f} %" if real else "    -  "
        yield (f"{folder:24} {real:5} mutants {share} killed, {counts['survived']} survived, "
               f"{counts['surprises']} of them not explained")


def report(rows, there, verdicts, complete):
    """Prints what came out; rows: of the subject's folders; there: the places of all mutants."""
    survivors = [mutant for mutant, verdict in verdicts if verdict == "survived"]
    surprises, wrong = unexplained(survivors, rows), list(stale(rows, there, survivors, complete))
    for place, found in surprises.items():
        print(f"{' '.join(place)}: {len(found)} survived, {EQUIVALENT} explains "
              f"{rows.get(place, (0, ''))[0]}")
        print(*("    " + spelled(mutant) for mutant in found), sep="\n")
    for complaint in wrong:
        print(f"{EQUIVALENT}: {complaint}")
    print(*scores(verdicts, surprises, rows), sep="\n")
    real = sum(verdict != "no mutant" for _, verdict in verdicts)
    print(f"{real} mutants ({len(verdicts) - real} more are no change), {len(survivors)} survived")
    return 1 if surprises or wrong or real == 0 else 0


def options():
    parser = argparse.ArgumentParser(
        description="Spoils the device library or the core models, expects red tests.")
    parser.add_argument("subject", choices=SUBJECTS, nargs="?", default="device")
    parser.add_argument("root", type=Path)
    parser.add_argument("build", type=Path)
    parser.add_argument("-j", dest="jobs", type=int, default=os.cpu_count())
    parser.add_argument("--sample", type=int, help="this many mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--only", help="mutants in whose line of --list this finds something")
    parser.add_argument("--plain", action="store_true",
                        help="survivors get no second chance with the sanitizers")
    parser.add_argument("--known", action="store_true",
                        help=f"only mutants where {EQUIVALENT} has a row")
    parser.add_argument("--unknown", action="store_true",
                        help=f"only mutants where {EQUIVALENT} has none")
    parser.add_argument("--list", action="store_true", help="print the mutants, test nothing")
    return parser.parse_args()


def main():
    args = options()
    root, subject = args.root.resolve(), SUBJECTS[args.subject]
    args.build = args.build.resolve()
    everywhere = list(all_mutants(root, subject.folders))
    rows = {place: row for place, row in equivalents(root).items()
            if place[0].startswith(tuple(folder + "/" for folder in subject.folders))}
    mutants = [m for m in everywhere if args.only is None or re.search(args.only, spelled(m))]
    if args.known or args.unknown:
        mutants = [m for m in mutants if (place_of(m) in rows) == args.known]
    complete = args.sample is None and args.only is None and not args.known and not args.unknown
    random.Random(args.seed).shuffle(mutants)
    if args.sample is not None and args.sample < len(mutants):
        mutants = mutants[:args.sample]
        print(f"a sample of {args.sample}, seed {args.seed}")
    if args.list:
        for mutant in mutants:
            print(spelled(mutant))
        return 0
    folder = Path(tempfile.mkdtemp(prefix="armpmu-mutate-"))
    try:
        plain = Bench(subject, root, args.build, folder / "plain")
        strict = None if args.plain else Bench(subject, root, args.build, folder / "strict", True)
        verdicts = try_all(plain, strict, mutants, args.jobs)
        complete = complete and len(verdicts) == len(mutants)
        return report(rows, set(map(place_of, everywhere)), verdicts, complete)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
