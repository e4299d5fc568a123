"""What became of each kernel."""

from __future__ import annotations

import dataclasses
import hashlib
import threading
from typing import Any


@dataclasses.dataclass
class Row:
    """One kernel: a text of Triton IR on one device.

    taken: it runs on Tawa; else `why` says why not. refused_launches: launches of a taken kernel that Triton's form made, for
    the reason in `why`. Times are milliseconds, when the kernel was compiled, be it in another process: tawa_ms of Tawa's
    compiler or cache, triton_ms of Triton's stages after the IR, where they ran; and load_ms until it could be launched in this one.
    from_cache: this process has it from Tawa's cache. variants: compiled forms of the same text, as autotuners make them for
    numbers of warps and stages.
    """

    name: str
    key: str
    device: str
    taken: bool
    why: str = ""
    tawa_ms: float = 0.0
    triton_ms: float = 0.0
    load_ms: float = 0.0
    from_cache: bool = False
    variants: int = 1
    refused_launches: int = 0
    facts: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Report:
    """All rows; str() is a table of them."""

    rows: tuple[Row, ...]

    @property
    def taken(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if row.taken)

    @property
    def fallen_back(self) -> tuple[Row, ...]:
        return tuple(row for row in self.rows if not row.taken)

    def reasons(self) -> dict[str, int]:
        """How many kernels each reason keeps from Tawa."""
        counts: dict[str, int] = {}
        for row in self.fallen_back:
            counts[row.why] = counts.get(row.why, 0) + 1
        return counts

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for JSON."""
        return {"taken": len(self.taken), "fallen_back": len(self.fallen_back), "reasons": self.reasons(),
                "rows": [dataclasses.asdict(row) for row in self.rows]}

    def __str__(self) -> str:
        lines = [f"{len(self.taken)} kernels on Tawa, {len(self.fallen_back)} on Triton"]
        width = max((len(_short(row.name)) for row in self.rows), default=0)
        for row in sorted(self.rows, key=lambda row: (row.taken, row.name)):
            times = f"tawa {row.tawa_ms:7.1f} ms" + (" (cache)" if row.from_cache else "        ")
            times += f" load {row.load_ms:6.1f} ms" + (f" triton {row.triton_ms:.1f} ms" if row.triton_ms else "")
            why = row.why if not row.refused_launches else f"{row.refused_launches} launches by Triton: {row.why}"
            lines.append(f"{'tawa' if row.taken else 'triton':6} {_short(row.name):{width}} {times} {why}".rstrip())
        return "\n".join(lines)


def _short(name: str) -> str:
    return name if len(name) <= 48 else name[:45] + "..."


def _key_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


class Rows:
    """The rows of this process, by text and device."""

    def __init__(self) -> None:
        self._rows: dict[tuple[str, str, bool], Row] = {}
        self._refused: set[tuple[str, str]] = set()
        self._changing = threading.Lock()

    def refuse(self, name: str, text: str, device: str, why: str, tawa_ms: float) -> None:
        """Of a text that this process compiles."""
        self.add(name, text, device, False, why=why, tawa_ms=tawa_ms)
        self._refused.add((_key_of(text), device))

    def has_refused(self, text: str, device: str) -> bool:
        return (_key_of(text), device) in self._refused

    def add(self, name: str, text: str, device: str, taken: bool, **known: Any) -> Row:
        """The row of that text; one that is there already counts one more variant."""
        key = _key_of(text)
        with self._changing:
            row = self._rows.get((key, device, taken))
            if row is not None:
                row.variants += 1
                row.triton_ms += known.get("triton_ms", 0.0)
                return row
            row = self._rows[key, device, taken] = Row(name, key, device, taken, **known)
            return row

    def refuse_launch(self, row: Row, why: str) -> None:
        with self._changing:
            row.refused_launches += 1
            row.why = why

    def snapshot(self) -> Report:
        with self._changing:
            return Report(tuple(dataclasses.replace(row) for row in self._rows.values()))


rows = Rows()
