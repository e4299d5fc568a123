"""The contenders of a comparison: launches by name, in turns, and why others do not take part (perf/README.md, "Method")."""

import os
import traceback

import timing

SHORT_IDLE_SECONDS = 0.05
REASON_CHARACTERS = 600


class Contenders:
    """Launches of one problem. One that does not compile or run is kept with its reason, as a row of its own.

    A launch is anything that can be called and enqueues its work on PyTorch's current stream. It may have `about()`, facts that
    go into the results, and `close()`, which gives back what it holds.
    """

    def __init__(self, torch):
        self.torch, self.launches, self.failures = torch, {}, {}

    def add(self, name, make):
        """Takes part: what make() returns, once it has run."""
        try:
            launch = make()
            launch()
            self.torch.cuda.synchronize()
            self.launches[name] = launch
        except Exception as failure:  # pylint: disable=broad-except  # whatever a compiler raises is its result
            where = traceback.extract_tb(failure.__traceback__)[-1]
            reason = " ".join(f"{type(failure).__name__}: {failure}".split())
            self.failures[name] = f"{reason[:REASON_CHARACTERS]} ({os.path.basename(where.filename)}:{where.lineno})"

    def keep_fastest(self, prefix, count):
        """Of those named so, only the fastest by one short burst each stay; returns the seconds of all of them."""
        names = [name for name in self.launches if name.startswith(prefix)]
        seconds = {name: timing.quick_burst(self.torch, self.launches[name], SHORT_IDLE_SECONDS, groups=1) for name in names}
        for name in sorted(names, key=seconds.get)[count:]:
            self._close(self.launches.pop(name))
        return seconds

    def about(self):
        return {name: launch.about() for name, launch in self.launches.items() if hasattr(launch, "about")}

    def times(self, steady):
        return timing.compare(self.torch, self.launches, steady)

    def close(self):
        for launch in self.launches.values():
            self._close(launch)

    @staticmethod
    def _close(launch):
        if hasattr(launch, "close"):
            launch.close()


def rates(times, work):
    """{name: {regime: tera-operations a second}} of the medians."""
    return {
        name: {regime: work / summary["median"] / 1e12 for regime, summary in regimes.items()}
        for name, regimes in times.items()
    }


def print_figures(figures, errors, failures, peer):
    """A line for each contender: figures, ratio to the peer, error; or why it does not run."""
    for name, regimes in figures.items():
        cells = []
        for regime, figure in regimes.items():
            ratio = f" = {figure / figures[peer][regime]:.3f} {peer}" if peer in figures else ""
            cells.append(f"{regime} {figure:6.1f}{ratio}")
        error = f"; error {max(errors[name]):.2e}" if name in errors else ""
        print(f"  {name:44} {'; '.join(cells)}{error}")
    for name, why in failures.items():
        print(f"  {name:44} does not run: {why}", flush=True)
