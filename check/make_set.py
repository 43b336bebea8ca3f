#!/usr/bin/env python3
"""Makes what `armpmu check` runs: every directed program, assembled for each of its variations, and
for each core an index that says what must come out on its machines.

usage: make_set.py DIRECTED OUT STAMP ASSEMBLER...

DIRECTED is the folder of the directed programs; OUT receives a folder for each of its folders, with
CORE.json for each core that runs them. STAMP is written last, and beside it STAMP.d with what was used. A core whose ASSEMBLER is not among them is left out.
Programs are assembled side by side.

An index is a list of runs:

  program, label      whose run it is, and which ("a32 COUNT = 20")
  file, machine       in this folder: the program; its machine's file, or the name of a machine
  status              the exit status that is right
  values              names that stand for numbers
  bare, pins, faults  it runs as firmware; what armpmu run is told by --pin and --inject
  claims              [event number, sentence] of what the program shows
  expect, relations   [left, comparison, right]: formulas of events and values
  change_since        the number of the run before it, where expect_change holds for the differences
  kernel              of a kernel's last run, or null: its name, what a round does, how many rounds it
                      has more than the run before it, and what a round's figures are by arithmetic
"""

import concurrent.futures
import glob
import json
import os
import shutil
import subprocess
import sys


def tool(core, name):
    return core.compiler.removesuffix("gcc") + name


def assemble(directed_folder, core, program, build, symbols, places, out):
    """As the runner of the tests does, without the compiler in between."""
    scratch = out + ".o"
    thumb = ["-mthumb"] if build == "t32" else []
    quiet = [option.removeprefix("-Wa,") for option in core.options if option.startswith("-Wa,")]
    machine = [option for option in core.options if option.startswith("-m")]
    defines = [word for name, value in symbols.items() for word in ("--defsym", f"{name}={value}")]
    subprocess.run([tool(core, "as"), *quiet, *machine, *thumb, "-I", directed_folder, *defines,
                    "-o", scratch, program], check=True)
    subprocess.run([tool(core, "ld"), "-static", "--strip-all", "-z", "noexecstack", *places, "-o", out, scratch],
                   check=True)
    os.unlink(scratch)


def machine_of(directed, folder, stem, machine, keys):
    if not keys:
        return machine
    os.makedirs(os.path.join(folder, stem + ".d"))
    path = directed.write_machine(os.path.join(folder, stem + ".d"), machine, keys)
    os.replace(path, os.path.join(folder, stem + ".ini"))
    os.rmdir(os.path.join(folder, stem + ".d"))
    return stem + ".ini"


def kernel_of(core, program, build, symbols):
    """What the last run of a kernel shows; of other runs None."""
    if not program.kernel or build != program.builds[0]:
        return None
    name, _, values = program.varies[0]
    if symbols[name] != values[-1]:
        return None
    return {"name": program.kernel[0], "work": program.kernel[1], "rounds": values[-1] - values[-2],
            "figures": core.figures, "expected": program.round()}


def describe(directed, core, program, run, before, index):
    """A run's entry in the index, but for its files."""
    build, label, symbols = run
    same_build = before is not None and index[before]["label"].split()[0] == label.split()[0]
    return {
        "program": program.name, "label": label, "status": program.status, "values": symbols,
        "bare": program.bare, "pins": program.pins, "faults": program.faults,
        "claims": program.proves, "expect": [list(rule) for _, rule in program.expect],
        "relations": [list(directed.split_comparison(text)) for text in core.relations],
        "change_since": before if same_build else None,
        "expect_change": [list(rule) for _, rule in program.expect_change],
        "kernel": kernel_of(core, program, build, symbols),
    }


def make_core(directed, source, core, folder, pool):
    cores_of = directed.cores.of_machines()
    indexes = {}  # by core
    os.makedirs(folder)
    paths = sorted(glob.glob(os.path.join(source, "**", "*.s"), recursive=True), key=os.path.basename)
    names = [os.path.basename(path) for path in paths]
    for name in {name for name in names if names.count(name) > 1}:
        sys.exit(f"make_set: {source} has {name} in two folders; the name of a program is told to users")
    n, jobs, files = 0, [], {}  # files: of what is assembled alike one
    for path in paths:
        program = directed.Program(path)
        own = program.machine != core.machine
        others = core.scalable if program.scalable else (*core.also, *(() if program.later else core.oldest))
        for machine in [program.machine, *(() if own else others)]:
            before, index = None, indexes.setdefault(cores_of[machine], [])
            for build, label, symbols, keys in program.runs():
                stem, n = f"{program.name}-{n}", n + 1
                file = files.setdefault((path, build, *symbols.items()), stem)
                if file == stem:
                    jobs.append(pool.submit(assemble, source, core, path, build, symbols,
                                            directed.PLACES, os.path.join(folder, stem)))
                index.append({
                    **describe(directed, core, program, (build, label, symbols), before, index),
                    "file": file, "machine": machine_of(directed, folder, stem, machine, keys),
                })
                before = len(index) - 1
    for job in jobs:
        job.result()
    for name, index in indexes.items():
        with open(os.path.join(folder, name + ".json"), "w", encoding="ascii") as file:
            json.dump(index, file, indent=1)
    folders = sorted({source, *map(os.path.dirname, paths)})
    return folders + paths + sorted(glob.glob(os.path.join(source, "*.inc")))


def main():
    source, out, stamp, *assemblers = sys.argv[1:]
    installed = {os.path.basename(assembler) for assembler in assemblers}
    sys.dont_write_bytecode = True
    sys.path.insert(0, source)
    import cores
    import directed
    import frames
    shutil.rmtree(out, ignore_errors=True)
    os.makedirs(out)
    used = [source, directed.__file__, cores.__file__, frames.__file__, *map(str, cores.MACHINES.glob("*.ini")),
            *glob.glob(os.path.join(source, "*.inc"))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, core in cores.CORES.items():
            folder = os.path.join(source, name)
            if os.path.isdir(folder) and tool(core, "as") in installed:
                used += make_core(directed, folder, core, os.path.join(out, name), pool)
    with open(stamp + ".d", "w", encoding="utf-8") as file:
        file.write(f"{stamp}: " + " ".join(used) + "\n")
    with open(stamp, "w", encoding="utf-8"):
        pass


if __name__ == "__main__":
    main()
