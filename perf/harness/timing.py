"""How kernels are timed: bursts, steady runs and isolated launches, contenders in turns, CUDA events (perf/README.md, "Method").

A GPU under a power cap has two speeds. After an idle gap it runs a few milliseconds at full clock (burst); kept busy for a
second it settles at a lower one (steady). Whoever runs first after a pause runs faster: so steady figures come after a warm-up
that all contenders share, and the order of turns is reversed every other time (A B B A). A figure is a ratio between contenders
that were measured in the same process, in turns, in one regime.
"""

import contextlib
import fcntl
import os
import statistics
import time

IDLE_SECONDS = 0.2
BURST_SECONDS = 0.015
BURST_GROUPS = 7
GRAPH_SECONDS = 0.004
GRAPH_LAUNCHES = 1000
WARM_UP_SECONDS = 1.2
WARM_UP_TURN_SECONDS = 0.1
STEADY_SECONDS = 0.45
STEADY_TAIL = 0.6
STEADY_TURNS = 4
ISOLATED_LAUNCHES = 15
SPIN_CYCLES = 600_000  # some 0.3 ms, in which the host enqueues all that one measurement needs
OTHER_DATA_BYTES = 256 << 20  # several times L2
REST = 6  # times the length of an isolated launch, of which there are two: a device that is always busy has another clock
LEAST_REST_SECONDS = 0.002

BURST, STEADY, WARM, COLD = "burst", "steady", "isolated warm", "isolated cold"


@contextlib.contextmanager
def device_alone(lock):
    """While no other process that names the same file, and no search whose library locks it, runs kernels; without a file nothing is waited for."""
    with open(lock or os.devnull, "a", encoding="utf-8") as stream:
        if lock:
            fcntl.lockf(stream, fcntl.LOCK_EX)
        yield


class StageClock:
    """Seconds that a search spends in each of its stages, from what it reports; after its last report, in "end"."""

    def __init__(self, stage):
        self.seconds, self.stage, self.since = {}, stage, time.monotonic()

    def enter(self, stage):
        now = time.monotonic()
        self.seconds[self.stage] = self.seconds.get(self.stage, 0) + now - self.since
        self.stage, self.since = stage, now

    def end(self):
        self.stage = "end"
        self.enter("")
        return self.seconds


class Graph:
    """Many launches as one graph: called, it replays them, so that the host's cost of a launch weighs on no contender.

    `launch` takes no argument and enqueues its work on the current stream.
    """

    def __init__(self, torch, launch):
        self.single = launch
        self.count = max(1, min(GRAPH_LAUNCHES, int(GRAPH_SECONDS / estimate(torch, launch))))
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            for _ in range(self.count):
                launch()

    def __call__(self):
        self.graph.replay()


def launches_of(contender):
    """Launches that one call enqueues."""
    return contender.count if isinstance(contender, Graph) else 1


def elapsed(torch, contender, calls):
    """Seconds per launch over `calls` calls enqueued back to back."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(calls):
        contender()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / (calls * launches_of(contender))


def estimate(torch, contender):
    """A first idea of one launch's seconds, after warming up: load, clocks and caches stay out of the figures."""
    for _ in range(3):
        contender()
    torch.cuda.synchronize()
    return elapsed(torch, contender, 5)


def calls_for(seconds, contender, seconds_each):
    return max(1, int(seconds / (seconds_each * launches_of(contender))))


def burst_group(torch, contender, seconds_each, idle=None):
    """One idle gap (IDLE_SECONDS where none is named), then at most BURST_SECONDS of launches."""
    torch.cuda.synchronize()
    time.sleep(IDLE_SECONDS if idle is None else idle)
    return elapsed(torch, contender, calls_for(BURST_SECONDS, contender, seconds_each))


def quick_burst(torch, contender, idle=None, groups=3):
    """Median of a few burst groups: what finalists are chosen by."""
    seconds_each = estimate(torch, contender)
    return statistics.median(burst_group(torch, contender, seconds_each, idle) for _ in range(groups))


def steady_turn(torch, contender, seconds_each, seconds):
    """So many seconds back to back; the last part of them counts."""
    calls = max(2, calls_for(seconds, contender, seconds_each))
    timed = max(1, int(calls * STEADY_TAIL))
    for _ in range(calls - timed):
        contender()
    return elapsed(torch, contender, timed)


def isolated_launch(torch, launch, seconds_each, other_data=None):
    """One launch between two events, after a rest. It follows a kernel that spins, so neither the launch before nor the host's
    cost shows; L2 holds what the same launch left there, or has been filled by reading `other_data`. The second of two such
    counts: in some processes a kernel of Tawa took 1 us longer with a cold L2 whenever a peer had been measured before it."""
    _isolated_once(torch, launch, seconds_each, other_data)
    return _isolated_once(torch, launch, seconds_each, other_data)


def _isolated_once(torch, launch, seconds_each, other_data):
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    time.sleep(max(LEAST_REST_SECONDS, REST * seconds_each))
    launch()
    if other_data is not None:
        other_data.sum()
    torch.cuda._sleep(SPIN_CYCLES)  # pylint: disable=protected-access  # PyTorch has no public way to spin
    start.record()
    launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3


def turns(names, count):
    """The names in order, then in reverse, and so on: A B B A A B B A."""
    names = list(names)
    for turn in range(count):
        yield from names if turn % 2 == 0 else reversed(names)


def _collect(names, count, measure_one):
    samples = {name: [] for name in names}
    for name in turns(names, count):
        samples[name].append(measure_one(name))
    return {
        name: {"median": statistics.median(each), "min": min(each), "max": max(each), "samples": each}
        for name, each in samples.items()
    }


def _warm_up(torch, contenders, each):
    """Shared by all: short turns until the device has settled."""
    rounds = max(1, round(WARM_UP_SECONDS / (WARM_UP_TURN_SECONDS * len(contenders))))
    for name in turns(contenders, rounds):
        steady_turn(torch, contenders[name], each[name], WARM_UP_TURN_SECONDS)


def compare(torch, contenders, steady=False, burst=True):
    """Times {name: launch or Graph} in turns; returns {name: {regime: summary}}, in seconds per launch."""
    each = {name: estimate(torch, contender) for name, contender in contenders.items()}
    single = {name: contender.single if isinstance(contender, Graph) else contender for name, contender in contenders.items()}
    other_data = torch.ones(OTHER_DATA_BYTES // 4, device="cuda")
    found = {}
    if burst:
        found[BURST] = _collect(contenders, BURST_GROUPS, lambda name: burst_group(torch, contenders[name], each[name]))
    if steady:
        _warm_up(torch, contenders, each)
        one_turn = lambda name: steady_turn(torch, contenders[name], each[name], STEADY_SECONDS)
        found[STEADY] = _collect(contenders, STEADY_TURNS, one_turn)
    time.sleep(IDLE_SECONDS)
    for regime, filling in ((WARM, None), (COLD, other_data)):
        one_launch = lambda name: isolated_launch(torch, single[name], each[name], filling)  # pylint: disable=cell-var-from-loop
        found[regime] = _collect(contenders, ISOLATED_LAUNCHES, one_launch)
    torch.cuda.synchronize()
    return {name: {regime: summaries[name] for regime, summaries in found.items()} for name in contenders}
