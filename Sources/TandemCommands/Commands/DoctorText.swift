import Capabilities
import Kernel

/// What `tandem doctor` found, for a person: what works, what can be added, what is broken, and a sum. Every text is made safe: a detail can
/// quote what another program said.
enum DoctorText {
    private static let indent = "  "
    /// A longer name has a row of its own, so that it does not push the details of all others to the right.
    private static let nameColumns = 24

    /// Checks that say the same, as one.
    private struct Finding {
        var names: [String]
        let detail: String
        let mend: String?

        init(_ check: DoctorCheck) {
            names = [TerminalText.line(check.name)]
            detail = TerminalText.line(check.detail)
            // A sentence that names the command already is no reason to print it again.
            let names = check.works || check.mend.map(check.detail.contains) == true
            mend = names ? nil : check.mend.map(TerminalText.line)
        }

        var name: String { names.joined(separator: ", ") }
    }

    /// - Parameter width: The window's columns; nil where there is none, and no row is broken.
    static func text(_ checks: [DoctorCheck], width: Int? = Output.width, style: Style = Style()) -> String {
        let works = findings(checks.filter(\.works))
        let missing = findings(checks.filter { !$0.works && !$0.isNeeded })
        let broken = findings(checks.filter { !$0.works && $0.isNeeded })
        let groups = [
            group(style.bold(style.green("Works")), works, width),
            group(style.bold("Can be added"), missing, width),
            group(style.bold(style.red("Broken")), broken, width),
        ]
        return (groups.compactMap(\.self) + [sum(missing: missing.count, broken: broken.count, style)])
            .joined(separator: "\n\n")
    }

    private static func findings(_ checks: [DoctorCheck]) -> [Finding] {
        checks.reduce(into: []) { findings, check in
            let new = Finding(check)
            let same = findings.firstIndex { $0.detail == new.detail && $0.mend == new.mend }
            guard let same else { return findings.append(new) }
            if !findings[same].names.contains(new.name) { findings[same].names.append(new.name) }
        }
    }

    private static func group(_ heading: String, _ findings: [Finding], _ width: Int?) -> String? {
        guard !findings.isEmpty else { return nil }
        let short = findings.map { TerminalText.columns($0.name) }.filter { $0 <= nameColumns }
        let column = indent.count + (short.max() ?? 0) + 2
        return ([heading] + findings.flatMap { rows(of: $0, column, width) }).joined(separator: "\n")
    }

    /// - Parameter column: Where details begin.
    private static func rows(of finding: Finding, _ column: Int, _ width: Int?) -> [String] {
        let margin = String(repeating: " ", count: column)
        let detail = TerminalText.rows(finding.detail, width: width, from: column, indent: column)
        let isShort = indent.count + TerminalText.columns(finding.name) + 2 <= column
        let rows =
            isShort
            ? [TerminalText.padded(indent + finding.name, to: column) + detail]
            : [indent + finding.name, margin + detail]
        return rows + (finding.mend.map { ["\(margin)type: \($0)"] } ?? [])
    }

    private static func sum(missing: Int, broken: Int, _ style: Style) -> String {
        let first =
            switch broken {
            case 0: style.green("Nothing is broken.")
            case 1: style.red("1 thing is broken.")
            default: style.red("\(broken) things are broken.")
            }
        switch missing {
        case 0: return first
        case 1: return "\(first) 1 thing can be added."
        default: return "\(first) \(missing) things can be added."
        }
    }
}
