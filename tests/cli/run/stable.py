"""armpmu stat --stable: nothing around the program changes its counts, and without it something does.

usage: stable.py ARMPMU MACHINE PROGRAM

PROGRAM: surroundings.c, built for Linux. MACHINE: one that runs it.
"""

import os
import pty
import resource
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

ARMPMU, PROGRAM = (str(Path(sys.argv[i]).resolve()) for i in (1, 3))
MACHINE = sys.argv[2]
SYSROOTS = {"cortex-a8": "/usr/arm-linux-gnueabihf", "neoverse-v1": "/usr/aarch64-linux-gnu"}
PLAIN = {"PATH": os.environ["PATH"]}


def counts(program, options=("--stable",), environment=None, **how):
    words = [ARMPMU, "stat", "--machine", MACHINE, "-x,", "-e", "all", *options]
    run = subprocess.run([*words, "--", program], env=environment or PLAIN, capture_output=True,
                         check=False, text=True, **how)
    assert run.returncode == 0 and run.stderr.count("\n") > 5, run
    return run.stderr


def limit_stack():
    hard = resource.getrlimit(resource.RLIMIT_STACK)[1]
    assert hard == resource.RLIM_INFINITY or hard > 64 << 20, hard
    resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, hard))


def variants(folder):
    """What a person or a runner has otherwise, by name: arguments of counts()."""
    longer = folder / "a" / "longer" / "path" / ("x" * 100)
    longer.mkdir(parents=True)
    name = Path(PROGRAM).name
    shutil.copy(PROGRAM, longer / name)
    (folder / "linked").symlink_to(longer)
    many = {f"VARIABLE_{i}": "value" * i for i in range(40)}
    return {
        "another variable": (PROGRAM, {"environment": PLAIN | {"ONE": "more"}}),
        "many variables": (PROGRAM, {"environment": PLAIN | many}),
        "a locale and a time zone": (PROGRAM, {"environment": PLAIN | {
            "LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo", "LD_BIND_NOW": "1"}}),
        "variables of QEMU": (PROGRAM, {"environment": PLAIN | {
            "QEMU_STACK_SIZE": "33554432", "QEMU_SET_ENV": "SET=1", "QEMU_RAND_SEED": "7"}}),
        "a longer path": (str(longer / name), {}),
        "a path of another kind": (name, {"environment": PLAIN | {
            "PATH": f"{longer}:{PLAIN['PATH']}"}}),
        "another working folder": (f"./{name}", {"cwd": longer}),
        "a link on the way": (str(folder / "linked" / name), {}),
        "a larger stack": (PROGRAM, {"preexec_fn": limit_stack}),
    }


def nothing_changes_the_counts(folder, base):
    for name, (program, how) in variants(folder).items():
        assert counts(program, **how) == base, f"{name} changes the counts"


def without_it_they_change(_folder, _base):
    """The comparison can fail."""
    assert counts(PROGRAM, ()) != counts(PROGRAM, (), PLAIN | {"ONE": "more"})


def variables_can_be_added(_folder, base):
    added = counts(PROGRAM, ("--stable", "--env", "NAME=value"))
    assert added != base
    assert added == counts(PROGRAM, ("--stable", "--env=NAME=value"), PLAIN | {"ONE": "more"})


def surroundings(*arguments, **how):
    """Lines that the program prints; the folder that it ran in is gone."""
    run = subprocess.run([ARMPMU, "stat", "--machine", MACHINE, "-n", "--stable", "--", PROGRAM,
                          *arguments], capture_output=True, check=True, text=True,
                         **how)
    path, *lines = run.stdout.splitlines()
    assert len(path) == len("/tmp/armpmu-XXXXXX/program"), path
    assert path.startswith("/tmp/armpmu-") and not Path(path).parent.exists(), path
    return lines


def arguments_have_their_place(_folder, _base):
    """A longer one moves no other, nor what is on the stack; and the variables are those of the manual."""
    short = surroundings("short")
    assert surroundings("a longer argument" * 20) == short
    assert surroundings("short", preexec_fn=limit_stack) == short
    assert surroundings("short", "one more") != short
    assert short[0].startswith(f"2 arguments, {Path(PROGRAM).name} at "), short
    variables = {line.split("=")[0] for line in short if "=" in line or line.startswith("ARMPMU")}
    assert variables == {"PATH", "HOME", "LC_ALL", "TZ", "ARMPMU_PADDING"}, variables


def sizes_seen(options, *files):
    run = subprocess.run([ARMPMU, "stat", "--machine", MACHINE, "-n", *options, "--", PROGRAM, "sizes", *files],
                         capture_output=True, check=True, text=True)
    return [int(size) for size in run.stdout.split()]


def the_loader_finds_no_list_of_the_hosts_libraries(folder, _base):
    """QEMU gives a program the host's files where the sysroot has none."""
    loader = next((line.split("interpreter:")[1].strip(" ]") for line in subprocess.run(
        ["readelf", "-lW", PROGRAM], capture_output=True, check=True, text=True).stdout.splitlines()
                   if "interpreter:" in line), None)
    if loader is None or Path(loader).exists():  # static, or the program is of the host's kind
        return
    cache, passwd = "/etc/ld.so.cache", "/etc/passwd"
    host = [Path(cache).stat().st_size, Path(passwd).stat().st_size]
    assert host[0] > 0 and sizes_seen((), cache, passwd) == host
    assert sizes_seen(("--stable",), cache, passwd, loader) == [0, host[1], sizes_seen((), loader)[0]]
    sysroot = folder / "sysroot"
    sysroot.mkdir()
    (sysroot / "lib").symlink_to(f"{SYSROOTS[MACHINE]}/lib")
    (sysroot / "etc").mkdir()
    (sysroot / "etc/passwd").write_text("four")
    assert sizes_seen(("--stable", "--sysroot", sysroot), cache, passwd) == [0, 4]
    (sysroot / "etc/ld.so.cache").write_text("three")
    assert sizes_seen(("--stable", "--sysroot", sysroot), cache, passwd) == [5, 4]


def wrong_words_are_refused(_folder, _base):
    for words, sentence in ((["--env", "A=1"], "--env needs --stable"),
                            (["--stable", "--env", "A"], "--env 'A': a variable and its value")):
        run = subprocess.run([ARMPMU, "stat", *words, "--", PROGRAM], capture_output=True,
                             check=False, text=True)
        assert run.returncode == 125 and sentence in run.stderr, run


def a_profile_has_the_programs_own_file(folder, _base):
    data = folder / "stable.data"
    subprocess.run([ARMPMU, "record", "--stable", "--machine", MACHINE, "-q", "-o", data, "--",
                    PROGRAM], check=True, capture_output=True)
    report = subprocess.run([ARMPMU, "report", "-s", "dso", "-i", data], check=True, text=True,
                            capture_output=True).stdout
    assert Path(PROGRAM).name in report and "armpmu-" not in report, report


def lines_counted(folder, **streams):
    """Instructions of a program that writes 2000 lines."""
    report = folder / "lines"
    subprocess.run([ARMPMU, "stat", "--stable", "--machine", MACHINE, "-j", "-e", "instructions,cycles", "-o", report, "--",
                    PROGRAM, "lines"], check=True, timeout=100, env=PLAIN | {"TERM": "dumb"}, **streams)  # no progress
    return report.read_text()


def on_a_terminal(folder, errors_too):
    """What is counted there, and what the terminal shows."""
    ours, theirs = pty.openpty()
    shown = []
    reader = threading.Thread(target=read_terminal, args=(ours, shown))
    reader.start()
    streams = {"stderr": theirs} if errors_too else {"stderr": subprocess.DEVNULL}
    counted = lines_counted(folder, stdin=theirs, stdout=theirs, **streams)
    os.close(theirs)
    reader.join(60)
    os.close(ours)
    return counted, b"".join(shown).decode().replace("\r\n", "\n")


def read_terminal(terminal, shown):
    try:
        while text := os.read(terminal, 65536):
            shown.append(text)
    except OSError:  # Linux's end of a terminal
        pass


def no_stream_changes_the_counts(folder, _base):
    base = lines_counted(folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    both = folder / "both"
    with both.open("w") as file:
        assert lines_counted(folder, stdout=file, stderr=subprocess.STDOUT) == base
    with both.open("a") as file:
        assert lines_counted(folder, stdout=file, stderr=file) == base
    text = both.read_text()
    assert len(text) % 2 == 0 and len(text) > 2 * 2000 * len("line 1"), len(text)
    assert lines_counted(folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == base
    counted, shown = on_a_terminal(folder, True)
    assert counted == base
    assert len(shown) == len(text) // 2, shown
    counted, shown = on_a_terminal(folder, False)
    assert counted == base
    assert [line for line in shown.splitlines() if line.startswith("line ")] == [
        f"line {i}" for i in range(2000) if i % 10 != 9], shown


def output_comes_before_the_report(folder, _base):
    both = folder / "in order"
    with both.open("w") as file:
        subprocess.run([ARMPMU, "stat", "--stable", "--machine", MACHINE, "-e", "cycles", "--", PROGRAM], stdout=file,
                       stderr=file, check=True, timeout=100)
    text = both.read_text()
    assert "AT_EXECFN" in text.split("CPU_CYCLES")[0] and "AT_EXECFN" not in text.split("CPU_CYCLES")[1], text


def a_full_disk_is_told(folder, _base):
    with open("/dev/full", "w") as full:
        run = subprocess.run([ARMPMU, "stat", "--stable", "--machine", MACHINE, "-e", "cycles", "--", PROGRAM, "lines"],
                             stdout=full, stderr=subprocess.PIPE, text=True, timeout=100, check=False)
    assert "cannot write the program's standard output: No space left on device" in run.stderr, run.stderr


def closed_streams_stay_closed(folder, _base):
    report = folder / "closed"
    script = 'exec "$@" >&- 2>&-'
    subprocess.run(["sh", "-c", script, "sh", ARMPMU, "stat", "--stable", "--machine", MACHINE, "-e", "cycles", "-o", report,
                    "--", PROGRAM], check=True, timeout=100)
    assert "CPU_CYCLES" in report.read_text()


def main():
    with tempfile.TemporaryDirectory() as name:
        base = counts(PROGRAM)
        for check in (nothing_changes_the_counts, without_it_they_change, variables_can_be_added,
                      arguments_have_their_place, no_stream_changes_the_counts,
                      output_comes_before_the_report, a_full_disk_is_told, closed_streams_stay_closed,
                      the_loader_finds_no_list_of_the_hosts_libraries, wrong_words_are_refused,
                      a_profile_has_the_programs_own_file):
            check(Path(name), base)


main()
