"""The judge: takes what is right, and refuses each way of being wrong."""

import unittest

import judge
from judge import Event

NOISE = 900


def count_lines(change=lambda work, event, least: least):
    lines = []
    events = sorted({event for _, event in judge.ARITHMETIC})
    for work in ("nothing", "loop", "lines", "pages", "coins"):
        for event in events:
            low = judge.ARITHMETIC.get((work, event), (0, 0))[0]
            least = change(work, event, low + NOISE // 2)
            lines.append(f"count work={work} event=0x{event:02x} least={least} "
                         f"most={least + NOISE // 2}")
        lines.append(f"cycles work={work} ccnt=50000 event=50000")
    return lines


def sample_line(event=0x08, count=4000000, samples=200, hot=180, cold=18, lost=0):
    return (f"samples event=0x{event:02x} period=20000 count={count} samples={samples} hot={hot} "
            f"cold={cold} kernel={samples - hot - cold} other=0 lost={lost}")


def multiplex_lines(count=1000000, enabled=600, running=300, events=8):
    lines = ["multiplexed turns=2000000"]
    for number in range(events):
        event, factor = (0x08, 2) if number % 4 == 0 else (0x0c, 1)
        lines.append(f"multiplex event=0x{event:02x} count={count * factor} enabled={enabled} "
                     f"running={running}")
    return lines


class Judge(unittest.TestCase):
    def counts(self, change=lambda work, event, least: least):
        return judge.counts(judge.parse(count_lines(change)))

    def test_lines_of_other_programs_are_left_out(self):
        self.assertEqual(judge.parse(["", "hello", "a b=1 c", "x y=0x10 z=5 w=EINVAL"]),
                         [("x", {"y": 16, "z": 5, "w": "EINVAL"})])

    def test_right_counts_are_right(self):
        self.assertEqual(self.counts(), [])

    def test_each_count_may_not_be_too_small(self):
        for key, (low, _) in judge.ARITHMETIC.items():
            with self.subTest(key):
                if low > 0:
                    wrong = self.counts(lambda work, event, least:
                                        low - 1 if (work, event) == key else least)
                    self.assertEqual(len(wrong), 1)

    def test_each_count_may_not_be_too_large(self):
        for key, (low, more) in judge.ARITHMETIC.items():
            with self.subTest(key):
                wrong = self.counts(lambda work, event, least:
                                    low + (more or 0) + judge.AROUND + NOISE + 1 if (work, event) == key
                                    else least)
                self.assertEqual(len(wrong), 0 if more is None else 1)

    def test_zeros_mean_no_plugin(self):
        zeros = [f"count work=loop event=0x{event:02x} least=0 most=0" for event in (3, 8)]
        cycles = "count work=loop event=0x11 least=77 most=99"
        self.assertEqual(judge.counts(judge.parse(zeros + [cycles])), [judge.NO_PLUGIN])

    def test_missing_counts_are_wrong(self):
        self.assertEqual(judge.counts([]), ["no counts were printed"])
        lines = [line for line in count_lines() if "work=coins event=0x10" not in line]
        self.assertEqual(judge.counts(judge.parse(lines)),
                         ["coins: event 0x10 was not counted"])

    def test_the_cycle_counters_go_together(self):
        lines = count_lines() + ["cycles work=loop ccnt=50000 event=50001"]
        self.assertEqual(len(judge.counts(judge.parse(lines))), 1)

    def test_samples(self):
        right, other = sample_line(), sample_line(event=0x0c)
        cases = [
            ([right, other], 0),
            ([right], 1),
            ([sample_line(samples=190, lost=10, hot=171, cold=19), other], 0),
            ([sample_line(samples=190), other], 1),
            ([sample_line(samples=220), other], 1),
            ([sample_line(hot=120, cold=13), other], 1),
            ([sample_line(count=5600000, samples=280, hot=180, cold=20), other], 0),
            ([sample_line(count=5600000, samples=280, hot=160, cold=17), other], 1),
            ([sample_line(hot=100, cold=98), other], 1),
            ([sample_line(count=0, samples=0, hot=0, cold=0), other], 1),
        ]
        for lines, n in cases:
            with self.subTest(lines):
                self.assertEqual(len(judge.samples(judge.parse(lines))), n)
        self.assertEqual(len(judge.samples(judge.parse([right, other]), times=2)), 1)

    def test_multiplex(self):
        cases = [
            (multiplex_lines(), 0),
            (multiplex_lines(events=7), 1),
            (multiplex_lines(count=0), 1),
            (multiplex_lines(running=600), 8),
            (multiplex_lines(count=700000), 8),
            (multiplex_lines(count=1400000), 8),
            (multiplex_lines(running=0), 8),
        ]
        for lines, n in cases:
            with self.subTest(lines[1]):
                self.assertEqual(len(judge.multiplex(judge.parse(lines))), n)

    def test_every_event(self):
        catalogue = [Event(0x00, "SW_INCR", "exact"), Event(0x03, "REFILL", "modelled"),
                     Event(0x70, "PIN", "input")]
        right = ["opened event=0x00 count=0", "opened event=0x03 count=5",
                 "opened event=0x70 count=0"]
        cases = [
            (right, []),
            (right[1:], ["0x00 SW_INCR cannot be opened"]),
            (right + ["opened event=0x03 count=0"], [judge.NO_PLUGIN]),
            (right + ["opened event=0x03 count=0", "opened event=0x08 count=9"],
             ["0x03 REFILL counts nothing although the guest did a bit of everything"]),
        ]
        for lines, complaints in cases:
            with self.subTest(lines):
                self.assertEqual(judge.every_event(judge.parse(lines), catalogue), complaints)

    def test_the_driver(self):
        says = "[ 1.0] hw perfevents: enabled with {} PMU driver, {} counters available"
        self.assertEqual(judge.kernel([says.format("armv7_cortex_a8", 5)]), [])
        self.assertEqual(len(judge.kernel([says.format("armv7_cortex_a8", 7)])), 1)
        self.assertEqual(len(judge.kernel([says.format("armv7_cortex_a15", 5)])), 1)
        self.assertEqual(len(judge.kernel(["nothing"])), 1)

    def test_user_mode(self):
        lines = [f"user access={access} result={result} value=0"
                 for access, result in judge.USER_ACCESS.items()]
        self.assertEqual(judge.user_access(judge.parse(lines)), [])
        self.assertEqual(len(judge.user_access(judge.parse(lines[1:]))), 1)
        lines[0] = lines[0].replace("undefined", "data")
        self.assertEqual(len(judge.user_access(judge.parse(lines))), 1)


if __name__ == "__main__":
    unittest.main()
