import Commands
import Kernel
import Synchronization

/// The computers whose notifications a command follows: it ends when none of them is left, and says when one tells this phone nothing.
final class FollowedComputers: Sendable {
    private struct Known {
        var names: [String]?
        /// The advice by a computer's id.
        var advice: [String: String] = [:]
    }

    private let known = Mutex(Known())

    /// - Parameter list: Those that are followed from now on: `device`, `deviceName` and `advice` of each.
    /// - Returns: What to tell the person, a line each.
    /// - Throws: ``CommandError/empty(_:)`` when there is none, or none any more.
    func take(_ list: JSONValue) throws -> [String] {
        let rows = list.arrayValue ?? []
        let names = rows.compactMap { $0["deviceName"]?.stringValue }
        let advice = rows.reduce(into: [String: String]()) { advice, row in
            if let id = row["device"]?.stringValue { advice[id] = row["advice"]?.stringValue }
        }
        let before = known.withLock { known in
            defer { known = Known(names: names, advice: advice) }
            return known
        }
        guard !rows.isEmpty else {
            guard let gone = before.names, !gone.isEmpty else {
                throw CommandError.empty("No computer is paired with this phone. Pair one with: tandem pair scan")
            }
            let name = TerminalText.name(gone.joined(separator: ", "))
            throw CommandError.empty(
                "\(name) is not paired with this phone any more. Pair again with: tandem pair scan"
            )
        }
        return rows.compactMap { row in
            guard let id = row["device"]?.stringValue, advice[id] != before.advice[id] else { return nil }
            if let sentence = advice[id] { return TerminalText.line(sentence) }
            return TerminalText.line(
                "\(row["deviceName"]?.stringValue ?? id) tells this phone again what happens there."
            )
        }
    }
}
