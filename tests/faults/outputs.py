"""Every call with which armpmu writes what a user reads fails once, in each way it can.

usage: outputs.py [--all] BREAK ARMPMU KNOWN FIRMWARE PROGRAM MACHINES [PART/PARTS]

BREAK: break_calls.c. KNOWN: the command with an engine of known counts. FIRMWARE and PROGRAM: what it runs.
--all: every call; without it, of commands that make many a few, and more with ARMPMU_TEST_LONG set. PART/PARTS: every so manieth case.

A call that is interrupted or cut short changes nothing. After an error the status is 125, one sentence says
why (none for a pipe without a reader), a report's file is as it was, or has the counts so far where a log of the run
failed, a log is what was written before, and no other file is left.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

TREE = """/dts-v1/; / { #address-cells = <1>; #size-cells = <1>; interrupt-parent = <&g>;
    g: interrupt-controller@1000 { compatible = "arm,cortex-a15-gic"; interrupt-controller; reg = <0x1000 16>;
                                   #interrupt-cells = <3>; }; };"""
OLD = b"old content, longer than nothing\n"
REASONS = {"ENOSPC": "No space left on device", "EIO": "Input/output error", "EPIPE": None}
CUT = (b"# truncated", b'"cut-short": true', b"The counting ended before", b"# not complete", b'"is-complete": false')
WAYS = ("ENOSPC", "EIO", "EPIPE", "EINTR", "short")
SAMPLE = 12 if "ARMPMU_TEST_LONG" in os.environ else 6

failures = []
n_runs = 0


def kind_of(words):
    """The kind of a report's file. Intervals are written as they come."""
    return "log" if "-I" in words else "whole"


def cases(tools):
    """Words, and the files written: "whole" or "log", by name."""
    firmware, program = [tools.firmware], [tools.program, "status", "0"]
    for words in (["--help"], ["--version"], ["help"], *(["help", name] for name in (
            "stat", "run", "guest", "list", "regs", "check", "dtb", "calibrate", "completion", "--man"))):
        yield [tools.armpmu, *words], {}
    for shell in ("bash", "zsh", "fish"):
        yield [tools.armpmu, "completion", shell], {}
    for words in ([], ["-v"], ["-j"], ["--format=md"], ["machine"], ["-j", "machine"], ["core"],
                  ["register"], ["metric"], ["CPU*"]):
        yield [tools.armpmu, "list", *words], {}
    for words in ([], ["-j"], ["cortex-a8"], ["cortex-a8", "PMNC"], ["--format=md", "cortex-a8"],
                  ["decode", "cortex-a8", "PMNC", "9"], ["encode", "cortex-a8", "PMNC", "E=1"],
                  ["asm", "cortex-a8", "PMNC"]):
        yield [tools.armpmu, "regs", *words], {}
    for words in ([], ["-j"], ["--format=md"]):
        yield [tools.armpmu, "check", *words, "SW_INCR"], {}
    yield [tools.armpmu, "dtb", "--core=cortex-a8", "--irq=spi:1", "tree.dtb", "out"], {"out": "whole"}
    yield [tools.armpmu, "dtb", "--core=cortex-a8", "--irq=spi:1", "tree.dtb", "tree.dtb"], {"tree.dtb": "whole"}
    yield [tools.armpmu, "calibrate", "--core=cortex-a8"], {}
    yield [tools.armpmu, "calibrate", "--core=cortex-a8", "-o", "out"], {"out": "whole"}
    board = Path(__file__).resolve().with_name("board.txt")
    yield [tools.armpmu, "calibrate", f"--read={board}", "--name=x"], {}
    yield [tools.armpmu, "calibrate", f"--read={board}", "--name=x", "-o", "out"], {"out": "whole"}
    for words in ([], ["-j"], ["-x,"], ["-I", "200c"], ["-j", "-I", "200c"], ["-e", "all"], ["--per-thread"],
                  ["--mode=hw", "-e", "cycles"], ["-r", "2"]):
        yield [tools.armpmu, "stat", *words, *firmware], {}
        yield [tools.armpmu, "stat", *words, "-o", "out", *firmware], {"out": kind_of(words)}
    for words in (["-x,"], ["-j", "-I", "200c"]):
        yield [tools.armpmu, "stat", *words, "--append", "-o", "out", *firmware], {"out": "whole"}
    for command in ("stat", "run"):
        yield [tools.armpmu, command, "--vcd=out", *firmware], {"out": "log"}
        yield [tools.armpmu, command, "--trace-regs=out", *firmware], {"out": "log"}
        yield [tools.armpmu, command, "--trace-regs", "--max-insns=100", *firmware], {}
    yield [tools.armpmu, "stat", "--vcd=waves", "--trace-regs=trace", "-o", "out", *firmware], {
        "waves": "log", "trace": "log", "out": "whole"}
    yield [tools.armpmu, "run", "--max-insns=100", *firmware], {}
    yield [tools.armpmu, "stat", *program], {}
    yield [tools.armpmu, "stat", "-j", "-o", "out", *program], {"out": "whole"}
    yield [tools.armpmu, "record", "-q", "--trace=out", *program], {"out": "log"}
    yield [tools.armpmu, "replay", "-j", "-o", "out", tools.trace], {"out": "whole"}
    for words in ([], ["-j"], ["-x,"], ["-I", "10"], ["--per-cpu"]):
        yield [tools.known, "guest", *words, "work"], {}
        yield [tools.known, "guest", *words, "-o", "out", "work"], {"out": kind_of(words)}
    yield [tools.known, "guest", "--print-args"], {}
    yield from profile_cases(tools)


def profile_cases(tools):
    """The commands that read a profile, those that make one, and a sweep."""
    profile = ["-i", tools.profile]
    for words in ([], ["-j"], ["-x,"], ["-g", "-e", "cycles"], ["-G"], ["--children", "-s", "line"]):
        yield [tools.armpmu, "report", *words, *profile], {}
    for words in ([], ["-j"], ["-x,"]):
        yield [tools.armpmu, "annotate", *words, *profile], {}
    yield [tools.armpmu, "script", "-g", *profile], {}
    for words in ([], ["-j"], ["--format=md"]):
        yield [tools.armpmu, "diff", *words, tools.profile, tools.other], {}
    for words in (["list", "-x,"], ["regs", "-j=1"], ["explain", "-j", tools.program], ["report", "-j=1", *profile],
                  ["annotate", "--format=md", *profile], ["diff", tools.profile, tools.other]):
        yield [tools.armpmu, *words, "-o", "out"], {"out": "whole"}
    for form in tools.formats:
        yield [tools.armpmu, "convert", "--to", form, "-e", "cycles", "-o", "out", *profile], {"out": "whole"}
    yield [tools.armpmu, "record", "-q", "-g", "-o", "out", tools.firmware], {"out": "whole"}
    for words in ([], ["--format=csv"], ["--format=json"]):
        yield [tools.armpmu, "sweep", *words, "--replay", tools.trace, "--set", "memory.latency_cycles=10,20",
               "--machine", "cortex-a8"], {}
    for words in (["--format=csv", "--comments"], ["--format=json"]):
        yield [tools.armpmu, "sweep", *words, "-o", "out", "--replay", tools.trace, "--set", "memory.latency_cycles=10,20",
               "--machine", "cortex-a8"], {"out": "whole"}


class Run:
    """One run in a folder of its own."""

    def __init__(self, tools, words, files, way, n):
        global n_runs
        n_runs += 1
        with tempfile.TemporaryDirectory(prefix="armpmu-faults-") as name:
            base = Path(name)
            folder = base / "folder"
            folder.mkdir()
            (folder / "tree.dtb").write_bytes(tools.tree)
            for file in files:
                if file != "tree.dtb":
                    (folder / file).write_bytes(OLD)
            with open(base / "stdout", "wb") as out, open(base / "stderr", "wb") as err:
                self.status = subprocess.run(
                    [tools.breaker, way, str(n), base / "broken", *words], cwd=folder, stdout=out, stderr=err,
                    stdin=subprocess.DEVNULL, check=False,
                    env={**os.environ, "ARMPMU_MACHINE_PATH": tools.machines}).returncode
            self.out = (base / "stdout").read_bytes()
            self.err = (base / "stderr").read_bytes()
            self.files = {path.name: path.read_bytes() for path in folder.iterdir()}
            count, *broken = (base / "broken").read_text().rstrip("\n").split(maxsplit=3)
            self.n = int(count)
            self.call, self.fd, self.path = (broken + ["", "", ""])[:3]


def problem(whole, run, files, way):
    """What is wrong with a run in which a call was broken; None if nothing."""
    if run.call == "":
        return "no call was broken"
    if way in ("EINTR", "short"):
        if run.call in ("rename", "chmod"):  # the kernel does not interrupt these
            return None
        same = (run.status, run.out, run.err, run.files) == (whole.status, whole.out, whole.err, whole.files)
        return None if same else f"differs: status {run.status}, {run.err[-200:]}"
    if run.status != 125:
        return f"status {run.status}"
    if set(run.files) != set(whole.files):
        return f"files {sorted(run.files)}"
    said = [line for line in run.err.decode().splitlines() if line.startswith("armpmu: ")]
    expected = 0 if REASONS[way] is None else 1
    if run.fd != "2" and len(said) != expected + sum(
            line.startswith("armpmu: ") for line in whole.err.decode().splitlines()):
        return f"said {said}"
    if run.fd != "2" and expected and not any(REASONS[way] in line for line in said):
        return f"said {said}"
    if not whole.out.startswith(run.out):
        return "another text on standard output"
    return file_problem(whole, run, files)


def file_problem(whole, run, files):
    for name, kind in files.items():
        old = whole.old[name]
        content = run.files[name]
        if kind == "whole" and content != old and (run.path.endswith(("/" + name, ".tmp")) or run.call == "rename"):
            return f"{name} is not as it was"
        log_failed = files.get(Path(run.path).name) == "log"
        is_cut = kind == "whole" and log_failed and any(mark in content for mark in CUT)
        if content != old and not whole.files[name].startswith(content) and not is_cut:
            return f"{name} is neither as it was nor what it should be"
    return None


def judge(tools, words, files, every):
    whole = Run(tools, words, files, "EIO", 0)
    whole.old = {name: tools.tree if name == "tree.dtb" else OLD for name in files}
    if whole.status not in (0, 124) or whole.n == 0:
        failures.append(f"{words}: status {whole.status}, {whole.n} calls: {whole.err[-300:]}")
        return 0
    numbers = range(1, whole.n + 1)
    if not every and whole.n > SAMPLE:
        numbers = sorted({1 + i * (whole.n - 1) // (SAMPLE - 1) for i in range(SAMPLE)})
    for n in numbers:
        for way in WAYS if every else (WAYS[(n + n_runs) % 5],):
            run = Run(tools, words, files, way, n)
            wrong = problem(whole, run, files, way)
            if wrong is not None:
                failures.append(f"{' '.join(map(str, words[1:]))}: {way} in call {n} of {whole.n}, {run.call} "
                                f"{run.fd} {run.path}: {wrong}")
    return whole.n


class Tools:
    def __init__(self, words):
        self.breaker, self.armpmu, self.known, self.firmware, self.program, self.machines = (
            str(Path(word).resolve()) for word in words[:6])
        part, parts = words[6].split("/") if len(words) > 6 else ("0", "1")
        self.part, self.parts = int(part), int(parts)
        self.tree = subprocess.run(["dtc", "-q", "-O", "dtb"], input=TREE.encode(), capture_output=True,
                                   check=True).stdout if shutil.which("dtc") else b""
        self.scratch = tempfile.TemporaryDirectory(prefix="armpmu-faults-")
        self.trace = Path(self.scratch.name, "trace")
        subprocess.run([self.armpmu, "record", "-q", "--trace", self.trace, "--", self.program], check=True,
                       stdin=subprocess.DEVNULL, capture_output=True)
        self.profile = Path(self.scratch.name, "profile")
        subprocess.run([self.armpmu, "record", "-q", "-g", "-o", self.profile, "--", self.program], check=True,
                       stdin=subprocess.DEVNULL, capture_output=True)
        self.other = Path(self.scratch.name, "other")
        subprocess.run([self.armpmu, "record", "-q", "-g", "-o", self.other, "--set", "l1d.size_kb=16", "--",
                        self.program], check=True, stdin=subprocess.DEVNULL, capture_output=True)
        text = subprocess.run([self.armpmu, "convert", "--help"], check=True, capture_output=True, text=True).stdout
        formats = re.findall(r"^([a-z-]+) +\S*armpmu\S* ", text.partition("FORMAT  ")[2], re.MULTILINE)
        # Those for compilers need debug information, or AArch64, which the program here has not.
        self.formats = [form for form in formats if form not in ("llvm-sample", "autofdo", "bolt")]


def main(words):
    every = "--all" in words
    tools = Tools([word for word in words if word != "--all"])
    if subprocess.run([tools.breaker, "EIO", "0", "/dev/null", tools.armpmu, "--version"], check=False,
                      capture_output=True).returncode == 120:
        print("system calls cannot be broken here")
        return 77
    n_cases = n_calls = 0
    for i, (command, files) in enumerate(cases(tools)):
        if i % tools.parts != tools.part or (command[1] == "dtb" and not tools.tree):
            continue
        n_cases += 1
        n_calls += judge(tools, command, files, every)
    print(f"{n_cases} commands, {n_calls} calls, {n_runs} runs, {len(failures)} wrong")
    for failure in failures:
        print("WRONG", failure)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
