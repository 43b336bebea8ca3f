"""Programs with one bottleneck each, as Arm's micro-benchmarks "ustress" have them, on the Neoverse V1 and
N2: each metric is within its limits, and the metrics of the bottleneck indicate it. What is expected follows
from what bottlenecks.c does."""
import json
import os
import subprocess
import unittest
from concurrent.futures import ThreadPoolExecutor

ARMPMU, PROGRAM = os.environ["ARMPMU"], os.environ["BOTTLENECKS"]
MACHINES = "neoverse-v1", "neoverse-n2"

SLOTS = {"frontend_bound", "backend_bound", "retiring", "bad_speculation"}
INTEGER = {"backend_bound": (75, 100), "integer_dp_percentage": (80, 100)}
FLOAT = {"backend_bound": (60, 100), "scalar_fp_percentage": (75, 100)}
CONVERTED = {"backend_bound": (60, 100), "scalar_fp_percentage": (40, 60)}
MISPREDICTED = {"bad_speculation": (50, 100), "branch_misprediction_ratio": (.2, 1)}

# metric: its least and its highest value
SIGNATURES = {
    "branch_direct": {**MISPREDICTED, "branch_percentage": (30, 100)},
    "branch_indirect": MISPREDICTED,
    "call_return": {**MISPREDICTED, "branch_percentage": (25, 100)},
    "div32": INTEGER,
    "div64": INTEGER,
    "double2int": CONVERTED,
    "fpdiv": FLOAT,
    "fpmac": FLOAT,
    "fpmul": FLOAT,
    "fpsqrt": FLOAT,
    "int2double": CONVERTED,
    "isb": {"frontend_bound": (80, 100), "ipc": (0, .5)},
    "l1d_cache": {"backend_bound": (80, 100), "l1d_cache_miss_ratio": (.8, 1), "l2_cache_miss_ratio": (0, .1)},
    "l1d_tlb": {"backend_bound": (60, 100), "l1d_tlb_miss_ratio": (.5, 1), "dtlb_walk_ratio": (0, .1)},
    "l1i_cache": {"frontend_bound": (80, 100), "l1i_cache_mpki": (300, 2000), "l2_cache_miss_ratio": (0, .3)},
    "l2d_cache": {"backend_bound": (80, 100), "l1d_cache_miss_ratio": (.5, 1), "l2_cache_miss_ratio": (.4, 1)},
    "load_after_store": {"backend_bound": (75, 100), "load_percentage": (40, 50), "store_percentage": (40, 50)},
    "mac32": INTEGER,
    "mac64": INTEGER,
    "memcpy": {"backend_bound": (40, 100), "load_percentage": (20, 60), "store_percentage": (20, 60)},
    "mul32": INTEGER,
    "mul64": INTEGER,
    "store_buffer_full": {"backend_bound": (60, 100), "store_percentage": (40, 60), "l1d_cache_miss_ratio": (.5, 1)},
}


def metrics_of(machine, name):
    """Each metric's value and unit."""
    done = subprocess.run([ARMPMU, "stat", "-j=1", "-M", "all", "--machine", machine, "--", PROGRAM, name], capture_output=True,
                          text=True, check=True)
    return {metric["name"]: (metric["value"], metric["unit"]) for section in json.loads(done.stderr)["sections"]
            for row in section["events"] for metric in row.get("metrics", [])}


def limits_of(unit):
    """The least and the highest value that a metric may have whatever the program does."""
    if unit.startswith(("percent", "%")):
        return 0, 100
    return 0, 1 if unit in ("per cache access", "per TLB access", "per branch") else float("inf")


class Bottlenecks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cases = [(machine, name) for machine in MACHINES for name in SIGNATURES]
        with ThreadPoolExecutor(2) as pool:
            cls.metrics = dict(zip(cases, pool.map(lambda case: metrics_of(*case), cases)))

    def test_metrics_are_within_their_limits(self):
        for (machine, name), metrics in self.metrics.items():
            self.assertGreater(len(metrics), 35)
            for metric, (value, unit) in metrics.items():
                with self.subTest(machine=machine, program=name, metric=metric):
                    low, high = limits_of(unit)
                    self.assertGreaterEqual(value, low)
                    self.assertLessEqual(value, high)

    def test_shares_of_slots_are_a_whole(self):
        for (machine, name), metrics in self.metrics.items():
            with self.subTest(machine=machine, program=name):
                self.assertAlmostEqual(sum(metrics[metric][0] for metric in SLOTS), 100, delta=.5)

    def test_each_shows_its_bottleneck(self):
        for (machine, name), metrics in self.metrics.items():
            for metric, (low, high) in SIGNATURES[name].items():
                with self.subTest(machine=machine, program=name, metric=metric):
                    self.assertGreaterEqual(metrics[metric][0], low)
                    self.assertLessEqual(metrics[metric][0], high)


if __name__ == "__main__":
    unittest.main()
