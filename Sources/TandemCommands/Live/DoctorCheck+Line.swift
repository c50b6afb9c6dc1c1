import CommandServer
import Kernel

extension DoctorCheck {
    /// For a person.
    var line: String {
        let word = works ? "ok     " : isNeeded ? "BROKEN " : "missing"
        return TerminalText.line("\(word)  \(name): \(detail)")
    }
}
