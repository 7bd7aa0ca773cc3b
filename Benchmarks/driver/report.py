"""The rows of the table: what was measured, against what, and whether it keeps its budget."""

import dataclasses
import statistics


@dataclasses.dataclass
class Series:
    """Repeated measurements of one thing."""

    values: list
    unit: str = "ms"

    @property
    def median(self):
        return statistics.median(self.values)

    def percentile(self, share):
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]

    def __str__(self):
        low, middle, high = min(self.values), self.median, max(self.values)
        if len(self.values) == 1:
            return f"{number(middle)} {self.unit}"
        return f"{number(low)} / {number(middle)} / {number(high)} {self.unit}"


@dataclasses.dataclass
class Row:
    what: str
    ours: str
    other: str = "-"
    ratio: str = "-"
    budget: str = "-"
    verdict: str = "-"

    def cells(self):
        return [self.what, self.ours, self.other, self.ratio, self.budget, self.verdict]


HEAD = ["what", "mdhost", "peer or floor", "ratio", "budget", "verdict"]


def number(value):
    if value == 0:
        return "0"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def verdict(is_kept):
    return "kept" if is_kept else "MISSED"


def at_most(what, ours, other, factor, other_name):
    """A row for "at most `factor` times as long as the other"."""
    ratio = ours.median / other.median
    return Row(what, str(ours), f"{other} ({other_name})", f"{ratio:.2f} x", f"<= {factor} x", verdict(ratio <= factor))


def at_least(what, ours, other, factor, other_name):
    """A row for "at least `factor` times as fast as the other"."""
    ratio = other.median / ours.median
    return Row(
        what, str(ours), f"{other} ({other_name})", f"{ratio:.1f} x faster", f">= {factor} x", verdict(ratio >= factor))


def table(rows):
    cells = [HEAD] + [row.cells() for row in rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(HEAD))]
    lines = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths)) + " |" for row in cells]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)
