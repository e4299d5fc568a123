"""perf/harness/timing.py with a clock of the test in PyTorch's place: order of turns, what is timed, and per-launch figures.

usage: timing_test.py HARNESS_FOLDER
"""

import sys
import unittest


class Device:
    """Stands for PyTorch: launches take the seconds that they say, and everything is written down."""

    def __init__(self):
        self.now, self.log, self.cuda = 0.0, [], self

    def launch(self, name, seconds):
        def run():
            self.now += seconds
            self.log.append(name)

        return run

    def Event(self, **_):  # pylint: disable=invalid-name
        return Event(self)

    def synchronize(self):
        pass

    def _sleep(self, _):
        self.log.append("spin")

    def ones(self, *_, **__):
        return OtherData(self)


class OtherData:
    def __init__(self, device):
        self.device = device

    def sum(self):
        self.device.log.append("other data")


class Event:
    def __init__(self, device):
        self.device, self.at = device, 0.0

    def record(self):
        self.at = self.device.now
        self.device.log.append("event")

    def synchronize(self):
        pass

    def elapsed_time(self, end):
        return (end.at - self.at) * 1e3


class TimingTest(unittest.TestCase):
    def setUp(self):
        self.device = Device()
        timing.time.sleep = lambda seconds: self.device.log.append(f"rest {seconds:.3f}")

    def test_turns_reverse(self):
        self.assertEqual("".join(timing.turns("AB", 4)), "ABBAABBA")

    def test_figures_are_seconds_per_launch(self):
        contenders = {"a": self.device.launch("a", 1e-3), "b": self.device.launch("b", 2e-3)}
        figures = timing.compare(self.device, contenders, steady=True)
        for name, seconds in (("a", 1e-3), ("b", 2e-3)):
            self.assertEqual(list(figures[name]), [timing.BURST, timing.STEADY, timing.WARM, timing.COLD])
            for summary in figures[name].values():
                self.assertAlmostEqual(summary["median"], seconds)

    def test_an_isolated_launch_is_alone_between_its_events(self):
        launch = self.device.launch("a", 1e-3)
        timing.isolated_launch(self.device, launch, 1e-3, OtherData(self.device))
        once = ["rest 0.006", "a", "other data", "spin", "event", "a", "event"]
        self.assertEqual(self.device.log, once + once)  # the second counts

    def test_steady_turns_follow_a_warm_up_of_all(self):
        timing.BURST_GROUPS, timing.ISOLATED_LAUNCHES = 0, 0
        self.device.log.clear()
        contenders = {"a": self.device.launch("a", 1e-2), "b": self.device.launch("b", 1e-2)}
        each = {"a": 1e-2, "b": 1e-2}
        timing._warm_up(self.device, contenders, each)  # pylint: disable=protected-access
        runs = [name for name in self.device.log if name != "event"]
        self.assertEqual({name: runs.count(name) for name in "ab"}, {"a": 60, "b": 60})
        self.assertEqual(runs[:40], ["a"] * 10 + ["b"] * 20 + ["a"] * 10)


if __name__ == "__main__":
    sys.path.insert(0, sys.argv.pop(1))
    import timing

    unittest.main()
