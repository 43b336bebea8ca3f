"""Arm programs for the tests: compiled here, run under QEMU with our own plugins."""

import collections
import os
import shutil
import stat
import subprocess

SKIPPED = 77  # meson: the test was skipped
COMPILER = "arm-linux-gnueabihf-gcc"
SYSROOT = "/usr/arm-linux-gnueabihf"
QEMU = "qemu-arm"

# Whose programs: compiler, emulator, machine to count with (None for the default), and the Debian
# package of the compiler.
Target = collections.namedtuple("Target", "compiler qemu machine package")
ARM = Target(COMPILER, QEMU, None, "gcc-arm-linux-gnueabihf")
AARCH64 = Target("aarch64-linux-gnu-gcc", "qemu-aarch64", "neoverse-v1", "gcc-aarch64-linux-gnu")


def missing_tools(target=ARM):
    """A sentence when something these tests need is not installed, else None."""
    packages = {target.compiler: target.package, target.qemu: "qemu-user"}
    for tool, package in packages.items():
        if not shutil.which(tool):
            return f"{tool} is not installed (Debian package {package})"
    return None


def compile_program(source, out, flags, target=ARM):
    subprocess.run([target.compiler, "-std=gnu11", "-O2", *flags, "-o", out, source, "-lm", "-pthread"],
                   check=True)
    return out


def qemu_with_plugin(folder, plugin, out, target=ARM):
    """An emulator like QEMU that also loads a plugin of ours, which writes to `out`; without one
    when plugin is None, for the same environment (a shell adds to it).

    Both plugins then see the very same run: what one counts and the other does not cannot be
    put down to another stack address or another turn of a race."""
    name = os.path.basename(plugin) if plugin else "nothing"
    more = f"-plugin '{os.path.abspath(plugin)},out={out}'" if plugin else ""
    path = os.path.join(folder, f"qemu-with-{name}.sh")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"#!/bin/sh\nexec {shutil.which(target.qemu)} {more} \"$@\"\n")
    os.chmod(path, os.stat(path).st_mode | stat.S_IXUSR)
    return path

