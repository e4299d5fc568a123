"""Searches: their options, progress and results."""

from __future__ import annotations

import collections.abc
import dataclasses
import itertools
import os
import weakref
from ctypes import c_void_p
from typing import Any, Callable, Iterable, Sequence

from . import _abi
from ._kernel import grid_of
from ._library import c, encode, fact, facts

OUTCOMES = ("predicted", "measured", "verified", "failed", "refused")


@dataclasses.dataclass(frozen=True)
class TuneRow:
    """What is known of one configuration. Times are microseconds per launch, 0 where not known; spread_us is the distance of
    the quartiles. outcome: "measured", "verified" (right, on a device without times), "failed" or "refused" (see rule and
    reason), "predicted" (legal, not tried). bound: what sets the pace by the model."""

    config: str
    outcome: str
    samples: int
    rule: str
    reason: str
    bound: str
    predicted_us: float
    median_us: float
    best_us: float
    spread_us: float
    from_cache: int


@dataclasses.dataclass(frozen=True)
class TuneResult:
    """best: the configuration chosen. rows: those that were tried first, fastest first, then the model's, then the refused;
    read from the library one by one, as there may be a hundred thousand."""

    best: str
    rows: Sequence[TuneRow]

    def tried(self) -> tuple[TuneRow, ...]:
        """The rows of those that were tried."""
        return tuple(itertools.takewhile(lambda row: row.outcome in OUTCOMES[1:4], self.rows))


class _Rows(collections.abc.Sequence):
    """The rows of a search's result, which is freed with this object."""

    def __init__(self, handle: c_void_p):
        self._handle, self._count = handle, c.tawa_tune_result_count(handle)
        weakref.finalize(self, c.tawa_tune_result_release, handle)

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self._row(i) for i in range(*index.indices(self._count)))
        return self._row(range(self._count)[index])

    def _row(self, index: int) -> TuneRow:
        row = fact(c.tawa_tune_result_row, _abi.tawa_tune_row, self._handle, index)
        row["outcome"] = OUTCOMES[row["outcome"]]
        return TuneRow(**row)


@dataclasses.dataclass(frozen=True)
class Progress:
    """Where a search is: done of total in a stage ("rank", "compile", "wait" for another search, "verify", "measure", "finals")."""

    stage: str
    config: str
    done: int
    total: int


class TuneOptions:
    """Options of a search, and the caller's function, whose exceptions are kept until they may be raised."""

    def __init__(self, *, budget_seconds: float = 0, top: int = 0, seed: int = 0, configs: Iterable[str] | None = None,
                 hardware: str | None = None, predict_only: bool = False, in_process: bool = False, threads: int = 0,
                 candidate_seconds: float = 0, warm: bool = False, again: bool = False, grid: Any = None,
                 worker: str | os.PathLike | None = None, progress: Callable[[Progress], bool | None] | None = None):
        self.failure: BaseException | None = None
        self.raw = _abi.tawa_tune_options(
            hardware=encode(hardware), configs="\n".join(configs).encode() if configs is not None else None,
            worker=encode(worker or _worker()), isolation=int(in_process), predict_only=int(predict_only), top=top,
            threads=threads, seed=seed, budget_seconds=budget_seconds, candidate_seconds=candidate_seconds, warm=int(warm),
            grid=grid_of(grid), again=int(again))
        if progress:
            self._progress = progress
            self.raw.progress = _abi.tawa_tune_progress_fn(self._call)

    def _call(self, _: Any, step: Any) -> int:
        try:
            return int(self._progress(Progress(**facts(step.contents))) is False)
        except BaseException as failure:  # pylint: disable=broad-except
            self.failure = failure
            return 1


def _worker() -> str | None:
    """The program of this package in which candidates run, unless TAWA_WORKER names another."""
    path = os.path.join(os.path.dirname(__file__), "tune-worker")
    return path if "TAWA_WORKER" not in os.environ and os.path.exists(path) else None


def result_of(handle: c_void_p) -> TuneResult:
    rows = _Rows(handle)
    return TuneResult(c.tawa_tune_result_best(handle).decode(), rows)
