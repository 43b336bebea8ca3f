"""The jobs of docs/comparing.md and action.yml, run as they are written, but for the steps that download.

usage: ci_test.py SOURCE_ROOT FOLDER_OF_ARMPMU
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import yaml
except ImportError:
    print("python3-yaml is not installed: jobs of docs/comparing.md are not tested")
    sys.exit(77)

ROOT, BIN = (Path(word).resolve() for word in sys.argv[1:3])
PAGE = (ROOT / "docs/comparing.md").read_text(encoding="utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
JOBS = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", PAGE, re.S)]
BASELINE, _, METRICS, RECORD = re.findall(r"```sh\n(.*?)```", PAGE, re.S)

MAKEFILE = "bench: bench.c\n\tarm-linux-gnueabihf-gcc -O1 -g -static -DN=$(N) -o bench bench.c\nN = 1000\n.PHONY: bench\n"
PROGRAM = "int main(int argc, char **argv)\n{\n    (void)argv;\n    for (volatile int i = 0; i < N * argc; i++)\n        ;\n    return 0;\n}\n"

# Keeps comments in the file $COMMENTS: 120 of others at first, a hundred a page. The token comes as configuration.
CURL = """
import json, os, re, sys
words = sys.argv[1:]
assert "secret" in sys.stdin.read() and "secret" not in " ".join(words)
path = os.environ["COMMENTS"]
comments = json.load(open(path)) if os.path.exists(path) else [{"id": i, "body": "of others"} for i in range(120)]
method = words[words.index("-X") + 1] if "-X" in words else "GET"
url = [word for word in words if word.startswith("https://api")][0]
if method == "GET":
    page = int(re.search("[?&]page=([0-9]+)", url)[1])
    print(json.dumps(comments[100 * page - 100:100 * page]))
    sys.exit()
body = json.loads(words[words.index("-d") + 1])["body"]
if method == "POST":
    assert re.search("/(issues|merge_requests)/[0-9]+/(comments|notes)$", url), url
    comments.append({"id": 1000, "body": body})
else:
    assert method == ("PUT" if "notes" in url else "PATCH") and url.endswith("/1000"), (method, url)
    comments[-1]["body"] = body
json.dump(comments, open(path, "w"))
"""


def step(steps, name):
    return next(one for one in steps if one.get("name") == name)


class Jobs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bench.c").write_text(PROGRAM, encoding="ascii")
        self.make_it_take(1000)
        self.summary = self.folder / "summary.md"
        self.succeed(BASELINE)

    def make_it_take(self, turns):
        (self.folder / "Makefile").write_text(MAKEFILE.replace("1000", str(turns)), encoding="ascii")

    def run_it(self, script, **variables):
        """A step, as GitHub runs bash; GitLab stops at errors as well."""
        environment = {"PATH": f"{BIN}:{os.environ['PATH']}", "HOME": str(self.folder),
                       "GITHUB_STEP_SUMMARY": str(self.summary), "GITHUB_ACTION_PATH": str(ROOT)} | variables
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], cwd=self.folder,
                              env=environment, text=True, capture_output=True, check=False)

    def succeed(self, script, **variables):
        answer = self.run_it(script, **variables)
        self.assertEqual(answer.returncode, 0, answer)
        return answer

    def check_pull_request(self, build, count, show):
        """Unchanged it passes; slower it fails, says so and shows a table; each is a function."""
        build()
        self.assertEqual(count().returncode, 0)
        show()
        self.assertIn("nothing changed", self.summary.read_text())
        self.make_it_take(2000)
        build()
        answer = count()
        self.assertEqual(answer.returncode, 3, answer)
        self.assertRegex(answer.stderr, r"(?m)^::error title=armpmu diff::CPU_CYCLES rose by [0-9.]+ %25 ")
        show()
        self.assertRegex(self.summary.read_text(), r"(?m)^\| CPU_CYCLES \| [0-9,]+ \| [0-9,]+ \| [0-9,]+ \| \+[0-9.]+ % \|$")

    def test_github_with_steps(self):
        steps = JOBS[1]["jobs"]["counts"]["steps"]
        on_github = {"GITHUB_ACTIONS": "true"}
        self.check_pull_request(lambda: self.succeed(step(steps, "Build")["run"]),
                                lambda: self.run_it(step(steps, "Count")["run"], **on_github),
                                lambda: self.succeed(step(steps, "Show")["run"], **on_github))
        for name in [one["name"] for one in steps if "run" in one]:
            self.assertIn(name, ("Get armpmu", "Build", "Count", "Show"))
        self.assertEqual(step(steps, "Show")["if"], "always()")

    def run_action(self, name, given, **variables):
        """Its steps see inputs as variables."""
        self.assertLessEqual(set(given), set(ACTION["inputs"]))
        inputs = {key: given.get(key, one.get("default", "")) for key, one in ACTION["inputs"].items()}
        one = step(ACTION["runs"]["steps"], name)
        self.assertNotIn("${{", one["run"])
        values = {key: re.sub(r"\$\{\{ (?:inputs\.([a-z-]+)|steps\.[a-z.-]+) \}\}", lambda match: inputs.get(match[1], ""), value)
                  for key, value in one.get("env", {}).items()}
        return self.run_it(one["run"], GITHUB_ACTIONS="true", **(values | variables))

    def test_github_with_the_action(self):
        steps = JOBS[0]["jobs"]["counts"]["steps"]
        given = next(one["with"] for one in steps if one.get("uses", "").startswith("OWNER/armpmu"))
        self.assertEqual(self.run_action("Install armpmu", given).returncode, 0)
        self.check_pull_request(lambda: self.succeed(step(steps, "Build")["run"]),
                                lambda: self.run_action("Count", given), lambda: self.run_action("Show", given))

    def write_comment(self, **variables):
        """The action's steps on a pull request, with a curl that keeps the comments in a file; what it wrote."""
        fake = self.folder / "fake"
        fake.mkdir(exist_ok=True)
        (fake / "curl").write_text(f"#!{sys.executable}\n{CURL}")
        (fake / "curl").chmod(0o755)
        given = {"program": "./bench", "baseline": "base.data", "page": "page.html", "comment": "true", "token": "secret",
                 "fail-above": "cycles=1", "history": "h.jsonl"}
        where = {"RUNNER_TEMP": str(self.folder), "PATH": f"{fake}:{BIN}:{os.environ['PATH']}", "COMMENTS": str(self.folder / "comments"),
                 "GITHUB_API_URL": "https://api", "GITHUB_REPOSITORY": "me/it", "GITHUB_REF": "refs/pull/7/merge",
                 "GITHUB_SHA": "f00d"} | variables
        self.succeed("make bench")
        for name in ("Count", "Record", "Comment", "Remember"):
            answer = self.run_action(name, given, **where)
            self.assertIn(answer.returncode, (0, 3) if name == "Count" else (0,), answer)
        return (self.folder / "comments").read_text() if (self.folder / "comments").exists() else "", answer

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_a_pull_request_gets_one_comment(self):
        self.succeed("make bench && armpmu record --stable -q -o base.data -- ./bench")
        comments = json.loads(self.write_comment()[0])
        self.assertIn("Nothing changed.", comments[-1]["body"])
        self.assertEqual(len(comments), 121)
        self.make_it_take(2000)
        comments = json.loads(self.write_comment()[0])
        self.assertEqual(len(comments), 121)
        body = comments[-1]["body"]
        self.assertTrue(body.startswith("<!-- armpmu diff: ./bench on cortex-a8 -->\n"), body)
        self.assertRegex(body, r"(?m)^\*\*Failed\*\*: CPU_CYCLES rose by ")
        self.assertRegex(body, r"(?m)^- `bench.c:4`: CPU_CYCLES \+[0-9,]+ \(\+[0-9.]+ %\)")
        self.assertRegex(body, r"(?s)<details>.*\| CPU_CYCLES \|.*</details>")
        self.assertIn("bench.c", (self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual(json.loads((self.folder / "h.jsonl").read_text().splitlines()[-1])["revision"], "f00d")

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_a_comment_that_cannot_be_written_is_a_warning(self):
        self.succeed("make bench && armpmu record --stable -q -o base.data -- ./bench")
        self.assertEqual(self.write_comment(GITHUB_REF="refs/heads/main")[0], "")  # no pull request
        os.mkdir(self.folder / "comments")
        given = {"program": "./bench", "baseline": "base.data", "comment": "true", "token": "secret"}
        answer = self.run_action("Comment", given, RUNNER_TEMP=str(self.folder), GITHUB_API_URL="https://api",
                                 GITHUB_REPOSITORY="me/it", GITHUB_REF="refs/pull/7/merge", COMMENTS=str(self.folder / "comments"),
                                 PATH=f"{self.folder}/fake:{BIN}:{os.environ['PATH']}")
        self.assertEqual(answer.returncode, 0, answer)
        self.assertIn("::warning title=armpmu::the comment could not be written", answer.stdout)

    @unittest.skipUnless(shutil.which("jq"), "jq is not installed")
    def test_a_merge_request_gets_one_comment(self):
        fake = self.folder / "fake"
        fake.mkdir()
        (fake / "curl").write_text(f"#!{sys.executable}\n{CURL}")
        (fake / "curl").chmod(0o755)
        (self.folder / "c.md").write_text("<!-- armpmu diff: x -->\ntext")
        for _ in range(2):
            self.succeed(f"{ROOT}/scripts/post-comment c.md", CI_MERGE_REQUEST_IID="3", CI_PROJECT_ID="5", GITLAB_TOKEN="secret",
                         CI_API_V4_URL="https://api", COMMENTS=str(self.folder / "comments"), PATH=f"{fake}:/usr/bin:/bin")
        comments = json.loads((self.folder / "comments").read_text())
        self.assertEqual([one["body"] for one in comments[120:]], ["<!-- armpmu diff: x -->\ntext"])

    def test_the_action_passes_its_inputs_on(self):
        given = {"program": "./bench", "arguments": "one two", "machine": "neoverse-v1", "events": "cycles"}
        self.assertNotEqual(self.run_action("Count", given).returncode, 0)  # no program of 64 bits
        answer = self.run_action("Count", given | {"machine": "cortex-r4f", "counts": "mine.json"})
        self.assertEqual(answer.returncode, 0, answer)
        document = yaml.safe_load((self.folder / "mine.json").read_text())
        self.assertEqual([document["command"], document["machine"]["name"], document["stable"]],
                         [["./bench", "one", "two"], "cortex-r4f", True])
        self.assertEqual([event["asked"] for event in document["sections"][0]["events"]], ["cycles"])
        limited = {"program": "./bench", "metrics": "branch_mpki,ipc", "counts": "metrics.json"}
        self.assertEqual(self.run_action("Count", limited).returncode, 0)
        limited |= {"baseline": "metrics.json", "fail-above": "branch_mpki=0"}
        self.assertEqual(self.run_action("Count", limited).returncode, 0)
        self.make_it_take(10)
        self.succeed("make bench")
        answer = self.run_action("Count", limited)
        self.assertEqual(answer.returncode, 3, answer)
        self.assertRegex(answer.stderr, r"(?m)^::error title=armpmu diff::branch_mpki rose by [0-9.]+ %25 ")

    def test_metrics_have_limits(self):
        """Both runs, of a program of 64 bits: as it was it passes, with more turns it is refused for what rose."""
        if not shutil.which("aarch64-linux-gnu-gcc"):
            self.skipTest("aarch64-linux-gnu-gcc is not installed")
        build = "aarch64-linux-gnu-gcc -O1 -static -DN={} -o bench64 bench.c"
        self.succeed(build.format(1000))
        self.succeed(METRICS)
        self.succeed(build.format(100000))
        answer = self.run_it(METRICS.splitlines()[-1])
        self.assertEqual(answer.returncode, 3, answer)
        self.assertRegex(answer.stderr, "(?m)^ FAILED: backend_bound rose by ")
        self.assertNotIn("FAILED: branch_mpki", answer.stderr)

    def test_gitlab(self):
        job = JOBS[2]["counts"]
        build, count = job["script"]
        self.summary = self.folder / "out"

        def show():
            answer = self.succeed("\n".join(job["after_script"]))
            self.summary.write_text(re.sub(r" +([0-9,]+) +([0-9,]+) +([0-9,]+) +(\+[0-9.]+ %)  (CPU_CYCLES)",
                                           r"| \5 | \1 | \2 | \3 | \4 |", answer.stdout))
            metrics = dict(line.split() for line in (self.folder / "metrics.txt").read_text().splitlines())
            self.assertEqual(list(metrics), ["CPU_CYCLES", "simulated_ms", "INST_RETIRED", "ipc", "L1D_CACHE_REFILL", "l1d_miss_rate",
                                             "l1d_mpki", "BR_MIS_PRED", "branch_miss_rate", "branch_mpki"])
            self.assertAlmostEqual(float(metrics["ipc"]), int(metrics["INST_RETIRED"]) / int(metrics["CPU_CYCLES"]))

        self.check_pull_request(lambda: self.succeed(build), lambda: self.run_it(count, GITHUB_ACTIONS="true"), show)
        self.assertEqual(job["artifacts"]["reports"]["metrics"], "metrics.txt")

    def test_lines_are_annotated(self):
        self.succeed("armpmu record --stable -q -o baseline.data -- ./bench")
        self.make_it_take(2000)
        self.succeed("make bench")
        answer = self.run_it(RECORD, GITHUB_ACTIONS="true")
        self.assertEqual(answer.returncode, 3, answer)
        self.assertIn("::warning file=bench.c,line=4,title=armpmu diff::CPU_CYCLES rose by", answer.stderr)

    def make_release(self):
        """The files of a release, with a command that says its version alone."""
        place, name = self.folder / "release", f"armpmu-9.9.9-linux-{os.uname().machine}"
        program = place / name / "bin/armpmu"
        program.parent.mkdir(parents=True)
        program.write_text("#!/bin/sh\necho of a release\n")
        program.chmod(0o755)
        self.succeed(f"cd release && tar -czf {name}.tar.gz {name} && sha256sum {name}.tar.gz >SHA256SUMS && rm -r {name}")
        return place, name

    def install(self, place):
        """The action's step on a runner without armpmu; what it adds to the path."""
        path, added = "/usr/bin:/bin", self.folder / "path"
        added.touch()
        step_of_action = step(ACTION["runs"]["steps"], "Install armpmu")
        answer = self.run_it(step_of_action["run"], PATH=path, RELEASE=str(place), RUNNER_TEMP=str(self.folder / "temporary"),
                             GITHUB_PATH=str(added))
        return answer, added.read_text().strip()

    def test_the_action_takes_a_release(self):
        place, name = self.make_release()
        answer, added = self.install(place)
        self.assertEqual((answer.returncode, added), (0, f"{self.folder}/temporary/{name}/bin"), answer)
        self.assertEqual(self.succeed("armpmu", PATH=f"{added}:/usr/bin:/bin").stdout, "of a release\n")
        self.assertEqual(self.install(place.as_uri())[0].returncode, 0)

    def test_another_release_is_refused(self):
        place, name = self.make_release()
        with open(place / f"{name}.tar.gz", "ab") as file:
            file.write(b"x")
        answer, added = self.install(place)
        self.assertEqual((answer.returncode, added), (1, ""))
        self.assertIn("has not the hash of SHA256SUMS", answer.stderr)
        (place / "SHA256SUMS").write_text("")
        self.assertIn("has no tarball for", self.install(place)[0].stderr)
        self.assertIn("no SHA256SUMS in", self.install(self.folder / "none")[0].stderr)

    def test_jobs_unpack_a_release(self):
        """The steps that are not run but for their download: the tarball is there."""
        place, name = self.make_release()
        digest = (place / "SHA256SUMS").read_text().split()[0]
        for text in (step(JOBS[1]["jobs"]["counts"]["steps"], "Get armpmu")["run"], "\n".join(JOBS[2]["counts"]["before_script"])):
            script = re.sub(r"(?m)^apt-get.*$", "", text).replace("/opt", "opt").replace("/usr/local/bin", "bin")
            shutil.rmtree(self.folder / "opt", ignore_errors=True)
            shutil.rmtree(self.folder / "bin", ignore_errors=True)
            (self.folder / "opt").mkdir()
            (self.folder / "bin").mkdir()
            url = (place / f"{name}.tar.gz").as_uri()
            self.succeed(script, ARMPMU_TARBALL=url, ARMPMU_SHA256=digest)
            self.assertEqual(os.readlink(self.folder / "bin/armpmu"), f"opt/{name}/bin/armpmu")
            self.assertNotEqual(self.run_it(script, ARMPMU_TARBALL=url, ARMPMU_SHA256="0" * 64).returncode, 0)

    def test_the_action_can_build(self):
        """That step is not run; what it names exists."""
        text = step(ACTION["runs"]["steps"], "Install armpmu")["run"]
        self.assertIn("scripts/setup", text)
        self.assertIn("make install", text)
        listed = subprocess.run([ROOT / "scripts/setup", "--help"], check=True, capture_output=True, text=True).stdout
        self.assertRegex(listed, "(?m)^build ")
        self.assertRegex(listed, "(?m)^run ")
        self.assertRegex((ROOT / "Makefile").read_text(), "(?m)^install:")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
