package import Kernel

/// A terminal in a computer's list. Other programs leave out all but its id.
public struct TerminalEntry: Hashable, Sendable, Identifiable {
    /// Names the terminal at its computer: 1 to 128 bytes.
    public let id: String
    /// The shell's path.
    public var shell: String?
    /// The folder that it was started in, absolute.
    public var folder: String?
    /// Whether its shell runs. One that has ended is kept for a while for what it wrote last.
    public var isAlive: Bool
    /// The number of its newest chunk of output; 0 while nothing was written.
    public var lastSeq: Int64
    /// The mark that its creator gave it; nil without one.
    public var projectID: String?
    /// Milliseconds since 1970-01-01T00:00:00Z, by the computer's clock.
    public var createdAtMilliseconds: Int64?
    /// Nil while it is alive.
    public var exitCode: Int?
    /// Nil for a shell that nothing killed.
    public var signal: Int?
    /// The window's size; nil for a computer that does not say it, which knows one viewer only.
    public var size: TerminalSize?

    public init(
        id: String,
        shell: String? = nil,
        folder: String? = nil,
        isAlive: Bool = true,
        lastSeq: Int64 = 0,
        projectID: String? = nil,
        createdAtMilliseconds: Int64? = nil,
        exitCode: Int? = nil,
        signal: Int? = nil,
        size: TerminalSize? = nil
    ) {
        self.size = size
        self.id = id
        self.shell = shell
        self.folder = folder
        self.isAlive = isAlive
        self.lastSeq = lastSeq
        self.projectID = projectID
        self.createdAtMilliseconds = createdAtMilliseconds
        self.exitCode = exitCode
        self.signal = signal
    }

    /// Nil without an id.
    package init?(wire: JSONValue) {
        guard let id = wire["id"]?.terminalID else { return nil }
        self.init(
            id: id,
            shell: wire["shell"]?.stringValue,
            folder: wire["cwd"]?.stringValue,
            isAlive: wire["alive"]?.boolValue ?? true,
            lastSeq: wire["lastSeq"]?.terminalSeq ?? 0,
            projectID: wire["projectId"]?.stringValue,
            createdAtMilliseconds: wire["createdAt"]?.integerValue,
            exitCode: wire["exitCode"]?.integerValue.flatMap(Int.init(exactly:)),
            signal: wire["signal"]?.integerValue.flatMap(Int.init(exactly:)),
            size: TerminalSize(wire: wire)
        )
    }

    package var wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "shell": .orNull(shell), "cwd": .orNull(folder), "alive": .bool(isAlive),
            "lastSeq": .integer(lastSeq), "projectId": .orNull(projectID), "createdAt": .orNull(createdAtMilliseconds),
            "exitCode": .orNull(exitCode.map(Int64.init)), "signal": .orNull(signal.map(Int64.init)),
        ]
        if let size { members.merge(size.members) { _, new in new } }
        return .object(members)
    }
}
