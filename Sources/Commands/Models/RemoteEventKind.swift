public import Kernel
public import Rights

/// The events that a computer tells phones. Each needs a right at the moment it is sent, not only when it was asked for.
public enum RemoteEventKind: String, Hashable, Sendable, CaseIterable {
    case terminalOutput = "terminal.stdout"
    case terminalExit = "terminal.exit"
    case clipboardChanged = "clipboard.changed"

    public var right: Right {
        switch self {
        case .terminalOutput, .terminalExit: .terminal
        case .clipboardChanged: .clipboard
        }
    }
}

extension RemoteEvent {
    /// Nil for an event that no computer of ours tells.
    public var kind: RemoteEventKind? { RemoteEventKind(rawValue: name) }

    public init(_ kind: RemoteEventKind, _ members: [String: JSONValue]) { self.init(kind.rawValue, members) }
}
