public import Commands
public import Kernel

/// A saved command as phones see it: never its text, folder or environment, which are the owner's.
public struct SavedCommandEntry: Hashable, Sendable {
    public var id: String
    public var name: String
    /// Whether the phone asks its person before each run. The computer refuses a run that is not confirmed.
    public var needsConfirmation: Bool
    /// In seconds. Nil: it runs until it ends.
    public var timeoutSeconds: Int?

    public init(id: String, name: String, needsConfirmation: Bool, timeoutSeconds: Int?) {
        self.id = id
        self.name = name
        self.needsConfirmation = needsConfirmation
        self.timeoutSeconds = timeoutSeconds
    }

    /// - Returns: Nil without an id and a name.
    init?(wire: JSONValue) {
        guard let members = try? AnswerMembers(wire), let id = members.text("id"), let name = members.text("name"),
            !id.isEmpty, id.utf8.count <= SavedCommandLimits.id
        else { return nil }
        self.init(
            id: id,
            name: String(name.prefix(SavedCommandLimits.name)),
            needsConfirmation: members.flag("confirm") ?? false,
            timeoutSeconds: members.count("timeout")
        )
    }

    var wire: JSONValue {
        .known([
            "id": .string(id), "name": .string(name), "confirm": .bool(needsConfirmation),
            "timeout": timeoutSeconds.map { .integer(Int64($0)) },
        ])
    }
}

/// The saved commands that a phone may run.
public struct SavedCommandList: MethodAnswer, Hashable {
    public var commands: [SavedCommandEntry]

    public init(_ commands: [SavedCommandEntry]) { self.commands = commands }

    public init(wire: JSONValue) throws(RemoteError) {
        guard let list = try AnswerMembers(wire).list("commands", limit: SavedCommandLimits.commands) else {
            throw .malformedResult
        }
        commands = list.compactMap { SavedCommandEntry(wire: $0) }
    }

    public var wire: JSONValue { ["success": true, "commands": .array(commands.map(\.wire))] }
}

/// One run of a saved command.
public struct CommandRun: MethodAnswer, Hashable {
    public var id: String
    /// A ``SavedCommandEntry/id``.
    public var command: String
    /// The command's name when it ran.
    public var name: String
    /// In milliseconds since 1970.
    public var startedAt: Int64
    /// In milliseconds since 1970. Nil while it runs.
    public var endedAt: Int64?
    /// Nil while it runs.
    public var end: CommandEnd?
    /// Bytes that it printed, of which the last ``SavedCommandLimits/output`` are kept.
    public var printedCount: Int64

    public init(
        id: String,
        command: String,
        name: String,
        startedAt: Int64,
        endedAt: Int64? = nil,
        end: CommandEnd? = nil,
        printedCount: Int64 = 0
    ) {
        self.id = id
        self.command = command
        self.name = name
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.end = end
        self.printedCount = printedCount
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let id = members.text("run"), !id.isEmpty, id.utf8.count <= SavedCommandLimits.id else {
            throw .malformedResult
        }
        self.init(
            id: id,
            command: String((members.text("id") ?? "").prefix(SavedCommandLimits.id)),
            name: String((members.text("name") ?? "").prefix(SavedCommandLimits.name)),
            startedAt: members.integer("startedAt") ?? 0,
            endedAt: members.integer("endedAt"),
            end: members.value("end").flatMap { CommandEnd(wire: $0) },
            printedCount: Int64(members.count("printed") ?? 0)
        )
    }

    public var wire: JSONValue {
        .known([
            "success": true, "run": .string(id), "id": .string(command), "name": .string(name),
            "startedAt": .integer(startedAt),
            "endedAt": endedAt.map(JSONValue.integer), "end": end.map(\.wire), "printed": .integer(printedCount),
        ])
    }
}

/// Runs, the newest first.
public struct CommandRunList: MethodAnswer, Hashable {
    public var runs: [CommandRun]

    public init(_ runs: [CommandRun]) { self.runs = runs }

    public init(wire: JSONValue) throws(RemoteError) {
        let limit = SavedCommandLimits.history + SavedCommandLimits.running
        guard let list = try AnswerMembers(wire).list("runs", limit: limit) else { throw .malformedResult }
        runs = list.compactMap { try? CommandRun(wire: $0) }
    }

    public var wire: JSONValue { ["success": true, "runs": .array(runs.map(\.wire))] }
}

/// A part of what a run printed, as text without control sequences.
public struct CommandOutput: MethodAnswer, Hashable {
    /// The place of the text's first byte, counted from the run's beginning: above the one that was asked for where older bytes are gone.
    public var offset: Int64
    /// The place from which to ask next.
    public var next: Int64
    public var text: String
    /// Whether the run ended and ``next`` is its end.
    public var isComplete: Bool
    /// The run as it stood then. Nil from programs that do not say.
    public var run: CommandRun?

    public init(offset: Int64, next: Int64, text: String, isComplete: Bool, run: CommandRun? = nil) {
        self.offset = offset
        self.next = next
        self.text = text
        self.isComplete = isComplete
        self.run = run
    }

    public init(wire: JSONValue) throws(RemoteError) {
        let members = try AnswerMembers(wire)
        guard let text = members.text("text"), text.utf8.count <= 2 * SavedCommandLimits.outputPart,
            let offset = members.integer("offset"), let next = members.integer("next"), 0 <= offset, offset <= next
        else { throw .malformedResult }
        self.init(
            offset: offset,
            next: next,
            text: text,
            isComplete: members.flag("complete") ?? false,
            run: members.value("state").flatMap { try? CommandRun(wire: $0) }
        )
    }

    public var wire: JSONValue {
        .known([
            "success": true, "offset": .integer(offset), "next": .integer(next), "text": .string(text),
            "complete": .bool(isComplete), "state": run?.wire,
        ])
    }
}
