#!/usr/bin/env python3
"""`armpmu check`: it must see what is wrong, and say what it cannot run.

usage: check.py ARMPMU
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
ARMPMU = os.path.abspath(sys.argv[1])
SET = Path(ARMPMU).parent / "check" / "set"


def check(*arguments, path=None, **environment):
    """Runs it with the programs of a folder; the ones it finds by itself when that is None."""
    environment = {**os.environ, "LC_ALL": "C", **environment}
    environment.pop("ARMPMU_MACHINE", None)
    if path is not None:
        environment["ARMPMU_CHECK_PATH"] = str(path)
    return subprocess.run([ARMPMU, "check", *arguments], env=environment, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


def changed(folder, change):
    """A copy of the Cortex-A8's programs with a changed index."""
    copy = Path(folder, "set")
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(SET / "cortex_a8", copy / "cortex_a8")
    index = copy / "cortex_a8" / "cortex-a8.json"
    runs = json.loads(index.read_text())
    index.write_text(json.dumps(change(runs)))
    return copy


def only(runs, program):
    return [run for run in runs if run["program"] == program]


def what_is_right_is_ok(folder):
    run = check("--core", "cortex-a8", "0x58", "NEON_Q*")
    assert (run.returncode, run.stderr) == (0, ""), run
    lines = [line for line in run.stdout.splitlines() if line.startswith("  0x")]
    assert len(lines) == 2 and all(" ok " in line for line in lines), run.stdout
    assert "expected      580  measured      580" in lines[0], lines
    assert "2 events ok, 0 wrong" in run.stdout, run.stdout


def sums_hold_on_other_cores(folder):
    """Programs for several cores run on one of them as directed programs."""
    for core in ("cortex-a72", "cortex-a76", "neoverse-n2"):
        run = check("--core", core)
        assert run.returncode == 0, (core, run.stderr, run.stdout[-2000:])


def json_has_an_object_for_each_event(folder):
    run = check("--core", "cortex-a8", "-j", "0x5A", "PMUEXTIN0")
    objects = [json.loads(line) for line in run.stdout.splitlines()]
    assert [one["verdict"] for one in objects] == ["ok", "ok"], objects
    assert objects[0]["expected"] == objects[0]["measured"] == 200, objects


def a_page_has_a_row_for_each_event(folder):
    run = check("--core", "cortex-a8", "--format=md", "0x5A", "PMUEXTIN0")
    page, shown = run.stdout.split("\n## What each program shows\n")
    rows = [line for line in page.splitlines() if line.startswith("| 0x")]
    assert run.returncode == 0 and len(rows) == 2, run
    assert "| `neon_busy`, a32 | 200 | 200 | ok |" in rows[0], rows
    assert "`external_inputs`" in rows[1], rows
    heads = [line.split(" | ")[0] for line in shown.splitlines() if line.startswith("| 0x")]
    assert heads == ["| 0x5a `NEON_INTEGER_BUSY_CYCLES`", "| 0x70 `PMUEXTIN0`"], shown
    assert "## Kernels" not in shown, shown


def a_page_has_the_kernels_that_ran(folder):
    for error, ending in ((0, "| 14 | 10 | 10 | 0.714 |"), (1, "| 14 | 11 | 10 | 0.714 WRONG |")):
        def change(runs):
            kernel = only(runs, "kernel_fir")
            kernel[-1]["kernel"]["expected"][1] += error
            for i, run in enumerate(kernel):
                run["change_since"] = i - 1 if i else None
            return kernel
        run = check("--core", "cortex-a8", "--format=md", "0x11", path=changed(folder, change))
        row, = re.findall(r"\| `kernel_fir` \| FIR of 8 taps: [^|]+ (\|.+)", run.stdout)
        assert row == ending, row


def an_unknown_format_is_refused(folder):
    run = check("--format=html")
    assert run.returncode == 125 and "--format 'html': there are text, csv, json and md" in run.stderr, run


def a_wrong_count_is_told_and_fails(folder):
    def change(runs):
        run = only(runs, "neon_busy")[0]
        run["expect"] = [["NEON_INTEGER_BUSY_CYCLES", "=", "10 * ROUNDS + 1"]]
        return [run]
    run = check("--core", "cortex-a8", path=changed(folder, change))
    assert run.returncode == 1 and run.stderr == "", run
    assert ("WRONG neon_busy, a32: NEON_INTEGER_BUSY_CYCLES = 10 * ROUNDS + 1: measured 200, "
            "expected 201") in run.stdout, run.stdout
    assert "0 events ok, 1 wrong" in run.stdout, run.stdout


def a_wrong_difference_is_told(folder):
    def change(runs):
        kept = only(runs, "neon_queue")[:2]
        kept[1]["change_since"] = 0
        kept[1]["expect_change"] = [["NEON_INTEGER_BUSY_CYCLES", "=", "COUNT + 1"]]
        return kept
    run = check("--core", "cortex-a8", path=changed(folder, change))
    assert run.returncode == 1, run
    assert "COUNT + 1, from one run to the next: measured 1, expected 2" in run.stdout, run.stdout


def a_relation_that_fails_is_told(folder):
    def change(runs):
        run = only(runs, "neon_busy")[0]
        run["relations"] = [["CPU_CYCLES", "<", "INST_RETIRED"]]
        return [run]
    run = check("--core", "cortex-a8", path=changed(folder, change))
    assert run.returncode == 1 and "CPU_CYCLES < INST_RETIRED" in run.stdout, run


def a_program_that_ends_otherwise_is_told(folder):
    def change(runs):
        run = only(runs, "neon_busy")[0]
        run["status"] = 3
        return [run]
    run = check("--core", "cortex-a8", path=changed(folder, change))
    assert run.returncode == 1 and "exit status 0, expected 3" in run.stdout, run


def a_bare_program_that_fails_is_told(folder):
    def change(runs):
        run = only(runs, "neon_busy")[0]
        run["bare"] = True  # its system call finds no system
        return [run]
    run = check("--core", "cortex-a8", path=changed(folder, change))
    assert run.returncode == 1 and "neon_busy, a32: exit status -1, expected 0" in run.stdout, run


def what_cannot_be_run_is_said(folder):
    empty = Path(folder, "empty")
    empty.mkdir()
    run = check("--core", "cortex-a8", path=empty)
    assert run.returncode == 125, run
    assert f"there are no programs for a cortex-a8 in {empty}; they are" in run.stderr, run
    run = check("--core", "cortex-a8", "NO_SUCH_EVENT")
    assert run.returncode == 125 and "no event is called 'NO_SUCH_EVENT'" in run.stderr, run
    run = check("--core", "cortex-a9")
    assert run.returncode == 125 and "--core 'cortex-a9' is not a core" in run.stderr, run
    run = check("--core", "cortex-a8", "--qemu", "/no/such/qemu", "0x5A")
    assert run.returncode == 125 and "/no/such/qemu" in run.stderr, run
    run = check("--bogus")
    assert run.returncode == 125 and "unknown option --bogus" in run.stderr, run


def a_damaged_index_is_said(folder):
    for text in ("[", "{}x", '[{"program": "x"}]', '[{"program": 3}]',
                 '[{"program": "p", "label": "l", "file": "f", "machine": "cortex-r4f", "status": 0}]',
                 '[{"program": "p", "label": "l", "file": "f", "machine": "cortex-a8-plain", '
                 '"status": 0, "expect": [["a", "="]]}]',
                 '[{"program": "p", "label": "l", "file": "f", "machine": "cortex-a8-plain", '
                 '"status": 0, "pins": [3]}]',
                 '[{"program": "p", "label": "l", "file": "f", "machine": "cortex-a8-plain", '
                 '"status": 0, "kernel": {"name": "k", "work": "w", "rounds": 0, '
                 '"figures": ["a", "b"], "expected": [1, 1]}}]'):
        copy = changed(folder, lambda runs: runs)
        (copy / "cortex_a8" / "cortex-a8.json").write_text(text)
        run = check("--core", "cortex-a8", path=copy)
        assert run.returncode == 125 and "cortex_a8/cortex-a8.json: " in run.stderr, (text, run)

    def unknown_name(runs):
        run = only(runs, "neon_busy")[0]
        run["expect"] = [["NEON_INTEGER_BUSY_CYCLES", "=", "NOBODY"]]
        return [run]
    run = check("--core", "cortex-a8", path=changed(folder, unknown_name))
    assert run.returncode == 125 and "'NOBODY': NOBODY is not known" in run.stderr, run


def users_other_than_root_can_run_them(_):
    """Linux maps nothing at address 0 for them; firmware has no Linux."""
    for index in SET.glob("*/*.json"):
        files = {index.parent / run["file"] for run in json.loads(index.read_text()) if not run["bare"]}
        headers = subprocess.run(["readelf", "-lW", *files], env={**os.environ, "LC_ALL": "C"}, text=True, check=True,
                                 stdout=subprocess.PIPE).stdout
        assert not re.search(r"LOAD +\S+ 0x0+ ", headers), index


def main():
    if not (SET / "cortex_a8" / "cortex-a8.json").is_file():
        print("the programs are not assembled: gcc-arm-linux-gnueabihf was missing")
        return SKIPPED
    failed = 0
    for test in (what_is_right_is_ok, sums_hold_on_other_cores, users_other_than_root_can_run_them,
                 json_has_an_object_for_each_event, a_page_has_a_row_for_each_event,
                 a_page_has_the_kernels_that_ran, an_unknown_format_is_refused,
                 a_bare_program_that_fails_is_told,
                 a_wrong_count_is_told_and_fails, a_wrong_difference_is_told,
                 a_relation_that_fails_is_told, a_program_that_ends_otherwise_is_told,
                 what_cannot_be_run_is_said, a_damaged_index_is_said):
        with tempfile.TemporaryDirectory(prefix="armpmu-") as folder:
            try:
                test(folder)
                print(f"ok {test.__name__}")
            except AssertionError as error:
                failed += 1
                print(f"FAILED {test.__name__}: {error}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
