/// One line of the table.
struct Row: Sendable {
    enum Verdict: String, Sendable {
        case met = "yes"
        case missed = "NO"
        /// Only shown.
        case none = ""
    }

    let name: String
    let ours: String
    let peer: String
    let ratio: String
    let goal: String
    let verdict: Verdict

    init(_ name: String, ours: String, peer: String, ratio: String = "", goal: String = "", verdict: Verdict = .none) {
        self.name = name
        self.ours = ours
        self.peer = peer
        self.ratio = ratio
        self.goal = goal
        self.verdict = verdict
    }

    static let titles = ["", "Tandem", "Node", "ratio", "goal", "met"]

    var cells: [String] { [name, ours, peer, ratio, goal, verdict.rawValue] }

    /// A Markdown table, aligned so that a terminal shows it well too.
    static func table(_ rows: [Row]) -> String {
        let lines = [titles] + rows.map(\.cells)
        let widths = titles.indices.map { column in lines.map { $0[column].count }.max() ?? 0 }
        func line(_ cells: [String]) -> String {
            let padded = zip(cells, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            return "| " + padded.joined(separator: " | ") + " |"
        }
        let rule = "|" + widths.map { String(repeating: "-", count: $0 + 2) + "|" }.joined()
        return ([line(titles), rule] + rows.map { line($0.cells) }).joined(separator: "\n")
    }
}
