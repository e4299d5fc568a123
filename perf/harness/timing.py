"""How kernels are timed: bursts and sustained runs, contenders interleaved, CUDA events (perf/README.md, "Method").

A GPU under a power cap has two speeds. After an idle gap it runs a few milliseconds at full clock (burst); kept busy
for half a second it settles at a lower one (sustained). A figure is a ratio between contenders that were measured in
the same process, in turns, in one regime.
"""

import statistics
import time

IDLE_SECONDS = 0.2
BURST_SECONDS = 0.015
BURST_GROUPS = 7
SUSTAINED_SECONDS = 0.6
SUSTAINED_TAIL = 0.6
SUSTAINED_ROUNDS = 2


def elapsed(torch, launch, count):
    """Seconds per launch over `count` launches enqueued back to back."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    start.record()
    for _ in range(count):
        launch()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) / 1e3 / count


def estimate(torch, launch):
    """A first idea of one launch's seconds, after warming up: load, clocks and caches stay out of the figures."""
    for _ in range(3):
        launch()
    torch.cuda.synchronize()
    return elapsed(torch, launch, 5)


def burst_group(torch, launch, seconds_each, idle=None):
    """One idle gap (IDLE_SECONDS where none is named), then at most BURST_SECONDS of launches."""
    torch.cuda.synchronize()
    time.sleep(IDLE_SECONDS if idle is None else idle)
    return elapsed(torch, launch, max(1, int(BURST_SECONDS / seconds_each)))


def quick_burst(torch, launch, idle=None, groups=3):
    """Median of a few burst groups: what algorithms are chosen by."""
    seconds_each = estimate(torch, launch)
    return statistics.median(burst_group(torch, launch, seconds_each, idle) for _ in range(groups))


def sustained_run(torch, launch, seconds_each):
    """At least SUSTAINED_SECONDS back to back; the last part of it counts."""
    count = max(5, int(SUSTAINED_SECONDS / seconds_each) + 1)
    timed = max(1, int(count * SUSTAINED_TAIL))
    for _ in range(count - timed):
        launch()
    return elapsed(torch, launch, timed)


def _summary(samples):
    return {
        "median": statistics.median(samples),
        "min": min(samples),
        "max": max(samples),
        "samples": samples,
    }


def interleaved(torch, contenders, sustained=True):
    """Times {name: launch} in turns; returns {name: {"burst": summary, "sustained": summary}} in seconds a launch."""
    each = {name: estimate(torch, launch) for name, launch in contenders.items()}
    burst = {name: [] for name in contenders}
    steady = {name: [] for name in contenders}
    for _ in range(BURST_GROUPS):
        for name, launch in contenders.items():
            burst[name].append(burst_group(torch, launch, each[name]))
    for _ in range(SUSTAINED_ROUNDS if sustained else 0):
        for name, launch in contenders.items():
            torch.cuda.synchronize()
            steady[name].append(sustained_run(torch, launch, each[name]))
    torch.cuda.synchronize()
    return {
        name: {"burst": _summary(burst[name]), "sustained": _summary(steady[name]) if sustained else None}
        for name in contenders
    }
