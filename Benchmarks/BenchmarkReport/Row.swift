/// One line of a benchmark's table: what we reach beside what a peer reaches, and the goal.
package struct Row: Sendable {
    private let cells: [String]

    /// - Parameter isMet: Nil where nothing is asked for.
    package init(
        _ name: String,
        ours: String,
        peer: String = "",
        ratio: String = "",
        goal: String = "",
        isMet: Bool? = nil
    ) {
        cells = [name, ours, peer, ratio, goal, isMet.map { $0 ? "yes" : "NO" } ?? ""]
    }

    /// A Markdown table, aligned so that a terminal shows it well too.
    ///
    /// - Parameter peer: What the peer is called.
    package static func table(_ rows: [Row], peer: String = "peer") -> String {
        let titles = ["", "Tandem", peer, "ratio", "goal", "met"]
        let lines = [titles] + rows.map(\.cells)
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            "| " + zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }.joined(separator: " | ")
                + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([line(titles), rule] + lines.dropFirst().map(line)).joined(separator: "\n")
    }
}
