import Kernel

/// What one flood did to one server.
struct Outcome {
    let target: Household.Target
    let flood: FloodName
    let sources: Sources
    let seconds: Double
    let figures: [Figure]

    var title: String {
        "\(flood.rawValue), \(sources.count == 1 ? "one address" : "\(sources.count) addresses")"
    }

    var json: JSONValue {
        [
            "server": .string(target.rawValue), "flood": .string(flood.rawValue),
            "addresses": .integer(Int64(sources.count)), "seconds": .number(seconds),
            "figures": .array(figures.map(\.json)),
        ]
    }

    /// A Markdown table for each server, aligned so that a terminal shows it well too, then what is over its bound.
    static func table(_ outcomes: [Outcome]) -> String {
        Household.Target.allCases.compactMap { target in
            let own = outcomes.filter { $0.target == target }
            return own.isEmpty ? nil : table(own, of: target)
        }
        .joined(separator: "\n\n")
    }

    private static func table(_ outcomes: [Outcome], of target: Household.Target) -> String {
        var names: [String] = []
        for figure in outcomes.flatMap(\.figures) where !names.contains(figure.name) { names.append(figure.name) }
        let titles = [target.title, "s"] + names
        let rows = outcomes.map { outcome in
            [outcome.title, Figure("", outcome.seconds).text]
                + names.map { name in outcome.figures.first { $0.name == name }?.text ?? "" }
        }
        let lines = [titles] + rows
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([line(titles), rule] + rows.map(line)).joined(separator: "\n")
    }

    /// A sentence for each bound that does not hold.
    var misses: [String] {
        figures.filter { !$0.isMet }.map { figure in
            "\(target.rawValue), \(title): \(figure.name) \(figure.text) \(figure.unit)"
                + (figure.detail.map { ": \($0)" } ?? "")
        }
    }
}
