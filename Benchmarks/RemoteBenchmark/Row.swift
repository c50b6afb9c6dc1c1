import Foundation

/// One line of the table.
struct Row: Sendable {
    let name: String
    let ours: String
    let peer: String
    let ratio: String
    let goal: String
    /// Nil where nothing is asked for.
    let isMet: Bool?

    init(_ name: String, ours: String, peer: String = "", ratio: String = "", goal: String = "", isMet: Bool? = nil) {
        self.name = name
        self.ours = ours
        self.peer = peer
        self.ratio = ratio
        self.goal = goal
        self.isMet = isMet
    }

    /// A Markdown table, aligned so that a terminal shows it well too.
    static func table(_ rows: [Row]) -> String {
        let titles = ["", "Tandem", "peer", "ratio", "goal", "met"]
        let lines =
            [titles]
            + rows.map { [$0.name, $0.ours, $0.peer, $0.ratio, $0.goal, $0.isMet.map { $0 ? "yes" : "NO" } ?? ""] }
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([line(titles), rule] + lines.dropFirst().map(line)).joined(separator: "\n")
    }
}

/// Figures of one thing.
struct Sample: Sendable {
    var values: [Double] = []

    var median: Double { percentile(50) }

    /// NaN without any, which no goal is met by.
    func percentile(_ percent: Double) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return .nan }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * percent / 100))]
    }
}

/// Seconds that `work` takes.
func seconds(_ work: () async throws -> Void) async rethrows -> Double {
    let start = ContinuousClock.now
    try await work()
    return (ContinuousClock.now - start) / .seconds(1)
}

extension Double {
    func text(_ decimals: Int = 0) -> String { String(format: "%.\(decimals)f", self) }
}
