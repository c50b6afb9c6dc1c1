import Capabilities
import Kernel

extension DoctorCheck {
    /// The check's line for a person. A command to type stands in a row of its own, unless the sentence names it already.
    var line: String {
        let word = works ? "ok     " : isNeeded ? "BROKEN " : "missing"
        let line = TerminalText.line("\(word)  \(name): \(detail)")
        guard let mend, !works, !detail.contains(mend) else { return line }
        return line + "\n" + TerminalText.line("         type: \(mend)")
    }
}
