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
    /// The program that has the terminal now; nil for a computer that does not say it, and once the shell has ended.
    public var program: String?
    /// The folder that this program works in, absolute; nil where that is not known.
    public var currentFolder: String?
    /// When something was written last, in milliseconds since 1970-01-01T00:00:00Z by the computer's clock; nil where that is not known.
    public var writtenAtMilliseconds: Int64?
    /// The window's size; nil for a computer that does not say it, which knows one viewer only.
    public var size: TerminalSize?
    /// The last row with words in it, without sequences, at most 200 characters; nil for a computer that does not say it, where nothing was written, and
    /// while a program fills the screen.
    public var lastLine: String?

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
        program: String? = nil,
        currentFolder: String? = nil,
        writtenAtMilliseconds: Int64? = nil,
        size: TerminalSize? = nil,
        lastLine: String? = nil
    ) {
        self.program = program
        self.currentFolder = currentFolder
        self.writtenAtMilliseconds = writtenAtMilliseconds
        self.size = size
        self.lastLine = lastLine
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
            program: wire["program"]?.stringValue,
            currentFolder: wire["currentCwd"]?.stringValue,
            writtenAtMilliseconds: wire["writtenAt"]?.integerValue,
            size: TerminalSize(wire: wire),
            lastLine: wire["lastLine"]?.stringValue.map { String($0.prefix(200)) }
        )
    }

    package var wire: JSONValue {
        var members: [String: JSONValue] = [
            "id": .string(id), "shell": .orNull(shell), "cwd": .orNull(folder), "alive": .bool(isAlive),
            "lastSeq": .integer(lastSeq), "projectId": .orNull(projectID), "createdAt": .orNull(createdAtMilliseconds),
            "exitCode": .orNull(exitCode.map(Int64.init)), "signal": .orNull(signal.map(Int64.init)),
        ]
        if let program { members["program"] = .string(program) }
        if let currentFolder { members["currentCwd"] = .string(currentFolder) }
        if let writtenAtMilliseconds { members["writtenAt"] = .integer(writtenAtMilliseconds) }
        if let lastLine { members["lastLine"] = .string(lastLine) }
        if let size { members.merge(size.members) { _, new in new } }
        return .object(members)
    }
}
