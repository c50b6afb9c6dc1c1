import Kernel

/// The way in which a run ended.
public enum CommandEnd: Hashable, Sendable {
    /// By itself, with this status; 0 is success.
    case exited(Int)
    /// By a signal that Tandem did not send.
    case signalled(Int)
    /// By Tandem, after the command's time.
    case timedOut
    /// By the owner or the phone.
    case stopped
    /// By Tandem, because the phone lost the right to it.
    case rightEnded
    /// By the end of the computer's own program, which takes its runs with it.
    case hostEnded
    /// It never started, for a reason in a sentence for the person.
    case failedToStart(String)
    /// By a way that this version does not know.
    case unknown(String)

    /// - Returns: Nil without the member `how`.
    init?(wire: JSONValue) {
        guard let members = wire.objectValue, let how = members["how"]?.stringValue else { return nil }
        let number = members["number"]?.integerValue.flatMap { Int(exactly: $0) }
        switch (how, number) {
        case ("exited", let status?): self = .exited(status)
        case ("signalled", let signal?): self = .signalled(signal)
        case ("timedOut", _): self = .timedOut
        case ("stopped", _): self = .stopped
        case ("rightEnded", _): self = .rightEnded
        case ("hostEnded", _): self = .hostEnded
        case ("failedToStart", _): self = .failedToStart(String((members["reason"]?.stringValue ?? "").prefix(512)))
        default: self = .unknown(String(how.prefix(64)))
        }
    }

    var wire: JSONValue {
        switch self {
        case .exited(let status): ["how": "exited", "number": .integer(Int64(status))]
        case .signalled(let signal): ["how": "signalled", "number": .integer(Int64(signal))]
        case .timedOut: ["how": "timedOut"]
        case .stopped: ["how": "stopped"]
        case .rightEnded: ["how": "rightEnded"]
        case .hostEnded: ["how": "hostEnded"]
        case .failedToStart(let reason): ["how": "failedToStart", "reason": .string(reason)]
        case .unknown(let how): ["how": .string(how)]
        }
    }
}
