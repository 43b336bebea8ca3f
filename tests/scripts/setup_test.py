"""scripts/setup asks for exactly what is missing, for any user.

apt-get, dpkg-query, id, sudo and scripts/build-qemu are stand-ins that write down how they were called: nothing
is installed or built here.
"""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts/setup"
TOOLS = ("sh", "env", "sed", "awk", "cat", "dirname")


class System:
    """A folder of commands that is all the PATH of a run."""

    def __init__(self, folder, installed="", user=0, sudo=False, apt=True):
        self.path = Path(folder)
        self.calls = self.path / "calls"
        self.calls.touch()
        for tool in TOOLS:
            (self.path / tool).symlink_to(shutil.which(tool))
        self.script = Path(shutil.copy(SCRIPT, self.path))
        self.command("build-qemu", f'echo build-qemu >>"{self.calls}"')
        self.command("id", f"echo {user}")
        if apt:
            self.command("apt-get", f'echo "apt-get $*" >>"{self.calls}"')
            self.command("dpkg-query", 'for package; do :; done\n'
                         f'case " {installed} " in *" all "* | *" $package "*) printf installed ;; '
                         '*) exit 1 ;; esac')
        if sudo:
            self.command("sudo", f'echo "sudo $*" >>"{self.calls}"')

    def command(self, name, body):
        file = self.path / name
        file.write_text(f"#!/bin/sh\n{body}\n", encoding="ascii")
        file.chmod(0o755)

    def setup(self, *groups):
        return subprocess.run([self.script, *groups], env={"PATH": str(self.path)}, text=True,
                              check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE)

    def called(self):
        return self.calls.read_text(encoding="ascii").splitlines()


class Setup(unittest.TestCase):
    def system(self, **how):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return System(folder.name, **how)

    def test_nothing_missing_is_one_line_and_no_apt(self):
        system = self.system(installed="all")
        run = system.setup("all")
        self.assertEqual((run.returncode, len(run.stdout.splitlines())), (0, 1))
        self.assertIn("nothing is missing", run.stdout)
        self.assertEqual(system.called(), ["build-qemu"])

    def test_only_what_is_missing_is_installed_and_explained(self):
        system = self.system(installed="valgrind libglib2.0-dev")
        run = system.setup("bench")
        self.assertEqual(run.returncode, 0)
        self.assertRegex(run.stdout, r"xz-utils +\w+")
        self.assertNotIn("valgrind", run.stdout)
        self.assertEqual(system.called()[0], "apt-get update -qq")
        self.assertTrue(system.called()[1].endswith(" xz-utils"), system.called())

    def test_a_package_of_two_groups_is_installed_once(self):
        system = self.system()
        run = system.setup("test", "bench")
        self.assertEqual(run.stdout.count("    gcc-arm-none-eabi "), 1)
        self.assertEqual(system.called()[1].split().count("gcc-arm-none-eabi"), 1)

    def test_the_default_is_what_building_and_running_need(self):
        system = self.system()
        system.setup()
        install = system.called()[1]
        self.assertIn(" libunicorn2", install)
        self.assertEqual(system.called()[2:], ["build-qemu"])
        self.assertIn(" meson", install)
        self.assertIn("make", install.split())
        self.assertNotIn("cmocka", install)
        self.assertNotIn("valgrind", install)

    def test_each_group_has_what_its_first_command_needs(self):
        for group, package in (("deb", "build-essential"), ("bare", "gcc-arm-none-eabi"), ("bare", "libnewlib-arm-none-eabi")):
            system = self.system()
            system.setup("build", group)
            self.assertIn(package, system.called()[1].split())

    def test_the_long_names_of_packages_stand_alone(self):
        system = self.system()
        system.setup("all")
        self.assertIn("binutils-arm-linux-gnueabihf", system.called()[1].split())

    def test_qemu_is_built_after_the_packages_and_its_failure_fails(self):
        system = self.system()
        system.command("build-qemu", "exit 1")
        self.assertEqual(system.setup("qemu").returncode, 1)
        self.assertIn("python3-venv", system.called()[1].split())

    def test_a_user_goes_through_sudo(self):
        system = self.system(user=1000, sudo=True)
        self.assertEqual(system.setup("bench").returncode, 0)
        self.assertTrue(all(call.startswith("sudo -n ") for call in system.called()))

    def test_a_user_without_sudo_is_told_the_command(self):
        system = self.system(user=1000)
        run = system.setup("bench")
        self.assertEqual(run.returncode, 1)
        self.assertIn("apt-get install --no-install-recommends valgrind", run.stderr)
        self.assertEqual(system.called(), [])

    def test_a_system_without_apt_is_told_so(self):
        run = self.system(apt=False).setup()
        self.assertEqual(run.returncode, 1)
        self.assertIn("no apt-get", run.stderr)

    def test_unknown_groups_are_named(self):
        system = self.system()
        run = system.setup("everything")
        self.assertEqual(run.returncode, 1)
        self.assertIn("'everything'", run.stderr)
        self.assertEqual(system.called(), [])

    def test_an_install_that_fails_fails(self):
        system = self.system()
        system.command("apt-get", 'case $1 in install) exit 100 ;; esac')
        run = system.setup("bench")
        self.assertEqual(run.returncode, 1)
        self.assertIn("could not install: valgrind", run.stderr)


if __name__ == "__main__":
    unittest.main()
