"""What came out, for people and for programs."""

import json
import math
import statistics


class Measures:
    def __init__(self, kind, slack):
        self.kind = kind
        self.slack = slack
        self.times = {}
        self.outages = 0
        self.unready = 0

    def add(self, times):
        self.outages += 1
        for measure, seconds in times.items():
            self.times.setdefault(measure, []).append(seconds)

    def lines(self):
        for measure, values in self.times.items():
            promised = self.kind.promised.get(measure)
            late = 0 if promised is None else sum(value > promised * self.slack for value in values)
            yield measure, statistics.median(values), max(values), len(values), promised, late

    @property
    def is_kept(self):
        return not self.unready and not any(late for *_, late in self.lines())


def seconds(value):
    return "never" if math.isinf(value) else f"{value:.2f}"


def table(results):
    rows = [("kind", "until", "median, s", "worst, s", "outages", "promised", "late")]
    for result in results:
        if result.unready:
            rows.append((result.kind.name, "did not begin", "", "", str(result.unready), "", "!"))
        for measure, median, worst, count, promised, late in result.lines():
            rows.append((
                result.kind.name, measure, seconds(median), seconds(worst), str(count),
                "" if promised is None else f"{promised:.1f}", f"{late} !" if late else "",
            ))
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    for row in rows:
        yield "  ".join(
            text.ljust(width) if column < 2 else text.rjust(width) for column, (text, width) in enumerate(zip(row, widths))
        ).rstrip()


def as_json(results, faults, facts):
    finite = lambda value: None if math.isinf(value) else round(value, 4)
    return json.dumps(
        facts
        | {
            "kinds": [
                {
                    "kind": result.kind.name, "outages": result.outages, "unready": result.unready,
                    "measures": {
                        measure: {
                            "median": finite(median), "worst": finite(worst), "count": count, "promised": promised, "late": late,
                            "all": [finite(value) for value in result.times[measure]],
                        }
                        for measure, median, worst, count, promised, late in result.lines()
                    },
                }
                for result in results
            ],
            "faults": list(faults),
        }
    )
