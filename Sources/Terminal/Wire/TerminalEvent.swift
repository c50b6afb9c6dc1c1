package import Commands
package import Kernel

/// An event of a terminal that its computer tells. Source: `docs/protocol.md`, "Terminal".
package enum TerminalEvent: Hashable, Sendable {
    case output(text: String, seq: Int64)
    /// A killed shell's code is 128 and the signal's number.
    case exit(code: Int, signal: Int?)
    /// The terminal has this size from here on.
    case resized(TerminalSize)

    package var kind: EventKind {
        switch self {
        case .output: .terminalOutput
        case .exit: .terminalExit
        case .resized: .terminalSize
        }
    }

    package func members(session: String, project: String?) -> [String: JSONValue] {
        switch self {
        case .output(let text, let seq):
            [
                "sessionId": .string(session), "projectId": .orNull(project), "data": .string(text),
                "seq": .integer(seq),
            ]
        case .exit(let code, let signal):
            [
                "sessionId": .string(session), "projectId": .orNull(project), "exitCode": .integer(Int64(code)),
                "signal": .orNull(signal.map(Int64.init)),
            ]
        case .resized(let size):
            ["sessionId": .string(session), "projectId": .orNull(project)].merging(size.members) { _, new in new }
        }
    }

    /// Nil for any other event, for one of another terminal, and for output without its text or with a number that it cannot have.
    package init?(_ event: RemoteEvent, session: String) {
        guard event.members["sessionId"]?.stringValue == session else { return nil }
        if event.isOf(.terminalSize) {
            guard let size = TerminalSize(wire: .object(event.members)) else { return nil }
            self = .resized(size)
        } else if event.isOf(.terminalOutput) {
            guard let seq = event.members["seq"]?.terminalSeq, let text = event.members["data"]?.stringValue else {
                return nil
            }
            self = .output(text: text, seq: seq)
        } else {
            guard event.isOf(.terminalExit) else { return nil }
            self = .exit(
                code: event.members["exitCode"]?.integerValue.flatMap(Int.init(exactly:)) ?? 0,
                signal: event.members["signal"]?.integerValue.flatMap(Int.init(exactly:))
            )
        }
    }
}
