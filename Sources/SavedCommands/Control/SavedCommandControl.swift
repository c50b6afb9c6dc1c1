import Commands
public import Control
import Kernel

/// The control methods of saved commands, for commands and pages on the computer: what its owner says and sees.
public enum SavedCommandControl {
    /// Told when a command changed, or a run began, printed or ended.
    public static let topic = "savedCommands"

    public static let list = ControlMethod<NoControlParameters, OwnedCommandList>(
        "savedCommands.list",
        summary: "The saved commands, and the phones that may run each."
    )
    public static let add = ControlMethod<NewSavedCommand, OwnedCommand>(
        "savedCommands.add",
        summary: "Saves a command under a name."
    )
    /// A run that goes on keeps what it began with.
    public static let change = ControlMethod<SavedCommandChange, OwnedCommand>(
        "savedCommands.change",
        summary: "Changes a saved command from its next run on."
    )
    /// Ends its runs.
    public static let remove = ControlMethod<SavedCommandChoice, OwnedCommand>(
        "savedCommands.remove",
        summary: "Removes a saved command and ends its runs."
    )
    /// Taking it back ends what that phone runs of it.
    public static let permit = ControlMethod<SavedCommandPermit, OwnedCommand>(
        "savedCommands.permit",
        summary: "Lets a phone run a saved command, or no longer."
    )
    public static let runs = ControlMethod<OwnedRunQuery, OwnedRunList>(
        "savedCommands.runs",
        summary: "The runs that go on, and the last ones that ended, of all phones."
    )
    public static let output = ControlMethod<OwnedOutputQuery, OwnedOutput>(
        "savedCommands.output",
        summary: "What a run printed, from a place on."
    )
    public static let stop = ControlMethod<OwnedRunChoice, NoControlAnswer>(
        "savedCommands.stop",
        summary: "Ends a run and every program of its group."
    )
}

/// A saved command as its owner sees it.
public struct OwnedCommand: Codable, Hashable, Sendable {
    /// A phone that may run it.
    public struct Phone: Codable, Hashable, Sendable {
        public var id: String
        /// Null of a phone that is not paired any more.
        @OrNull public var name: String?
        /// Whether it has the right to saved commands, without which it runs none.
        public var hasRight: Bool

        package init(id: String, name: String?, hasRight: Bool) {
            self.id = id
            self.name = name
            self.hasRight = hasRight
        }
    }

    public var id: String
    public var name: String
    /// The program and its arguments; null of a line for a shell.
    @OrNull public var arguments: [String]?
    /// The line for `/bin/sh -c`; null of a program.
    @OrNull public var shell: String?
    /// Null: the owner's home.
    @OrNull public var folder: String?
    /// Whether the phone asks before each run.
    public var confirm: Bool
    /// In seconds; null: it runs until it ends.
    @OrNull public var timeout: Int?
    /// By name.
    public var phones: [Phone]
    /// Runs that go on; of a removed command, those that were ended.
    public var running: Int

    package init(
        id: String,
        name: String,
        arguments: [String]?,
        shell: String?,
        folder: String?,
        confirm: Bool,
        timeout: Int?,
        phones: [Phone],
        running: Int
    ) {
        self.id = id
        self.name = name
        self.arguments = arguments
        self.shell = shell
        self.folder = folder
        self.confirm = confirm
        self.timeout = timeout
        self.phones = phones
        self.running = running
    }
}

/// The saved commands, by name.
public struct OwnedCommandList: Codable, Hashable, Sendable {
    public var commands: [OwnedCommand]

    package init(commands: [OwnedCommand]) { self.commands = commands }
}

/// A command to save: a program with its arguments, or a line for a shell.
public struct NewSavedCommand: Codable, Hashable, Sendable {
    public var name: String
    public var arguments: [String]?
    public var shell: String?
    public var folder: String?
    public var confirm: Bool?
    /// In seconds, 1 to 86,400.
    public var timeout: Int?

    public init(
        name: String,
        arguments: [String]? = nil,
        shell: String? = nil,
        folder: String? = nil,
        confirm: Bool? = nil,
        timeout: Int? = nil
    ) {
        self.name = name
        self.arguments = arguments
        self.shell = shell
        self.folder = folder
        self.confirm = confirm
        self.timeout = timeout
    }
}

/// A change of a command: what is nil stays.
public struct SavedCommandChange: Codable, Hashable, Sendable {
    /// The command's id or name.
    public var command: String
    public var name: String?
    public var arguments: [String]?
    public var shell: String?
    /// Empty: the owner's home.
    public var folder: String?
    public var confirm: Bool?
    /// In seconds; 0: it runs until it ends.
    public var timeout: Int?

    public init(
        command: String,
        name: String? = nil,
        arguments: [String]? = nil,
        shell: String? = nil,
        folder: String? = nil,
        confirm: Bool? = nil,
        timeout: Int? = nil
    ) {
        self.command = command
        self.name = name
        self.arguments = arguments
        self.shell = shell
        self.folder = folder
        self.confirm = confirm
        self.timeout = timeout
    }
}

/// One saved command.
public struct SavedCommandChoice: Codable, Hashable, Sendable {
    /// The command's id or name.
    public var command: String

    public init(_ command: String) { self.command = command }
}

/// Whether a phone may run a command.
public struct SavedCommandPermit: Codable, Hashable, Sendable {
    /// The command's id or name.
    public var command: String
    /// The phone's id or name.
    public var device: String
    public var allowed: Bool

    public init(command: String, device: String, allowed: Bool) {
        self.command = command
        self.device = device
        self.allowed = allowed
    }
}

/// How many runs are asked for.
public struct OwnedRunQuery: Codable, Hashable, Sendable {
    /// 1 to 100; nil: 20.
    public var limit: Int?

    public init(limit: Int? = nil) { self.limit = limit }
}

/// A run as the owner sees it.
public struct OwnedRun: Codable, Hashable, Sendable {
    public var run: String
    /// The command's id.
    public var id: String
    /// The command's name when it ran.
    public var name: String
    /// The phone that began it.
    public var device: String
    /// That phone's name then.
    public var deviceName: String
    /// In milliseconds since 1970.
    public var startedAt: Int64
    /// In milliseconds since 1970; null while it runs.
    @OrNull public var endedAt: Int64?
    /// Null while it runs.
    @OrNull public var end: End?
    /// Bytes that it printed, of which the last are kept.
    public var printed: Int64

    /// The way in which it ended; ``CommandEnd`` reads it.
    public struct End: Codable, Hashable, Sendable {
        public var how: String
        public var number: Int?
        public var reason: String?

        package init(_ end: CommandEnd) {
            let wire = end.wire
            how = wire["how"]?.stringValue ?? ""
            number = wire["number"]?.integerValue.flatMap { Int(exactly: $0) }
            reason = wire["reason"]?.stringValue
        }

        /// The end as a value.
        public var value: CommandEnd {
            let wire = JSONValue.known([
                "how": .string(how), "number": number.map { .integer(Int64($0)) },
                "reason": reason.map(JSONValue.string),
            ])
            return CommandEnd(wire: wire) ?? .unknown(how)
        }
    }

    package init(
        run: String,
        id: String,
        name: String,
        device: String,
        deviceName: String,
        startedAt: Int64,
        endedAt: Int64?,
        end: End?,
        printed: Int64
    ) {
        self.run = run
        self.id = id
        self.name = name
        self.device = device
        self.deviceName = deviceName
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.end = end
        self.printed = printed
    }
}

/// Runs, the newest first.
public struct OwnedRunList: Codable, Hashable, Sendable {
    public var runs: [OwnedRun]

    package init(runs: [OwnedRun]) { self.runs = runs }
}

/// One run.
public struct OwnedRunChoice: Codable, Hashable, Sendable {
    public var run: String

    public init(_ run: String) { self.run = run }
}

/// A query of a run's output.
public struct OwnedOutputQuery: Codable, Hashable, Sendable {
    public var run: String
    /// The first byte that is wanted; nil: the first that is kept.
    public var offset: Int64?

    public init(_ run: String, offset: Int64? = nil) {
        self.run = run
        self.offset = offset
    }
}

/// A part of what a run printed.
public struct OwnedOutput: Codable, Hashable, Sendable {
    public var offset: Int64
    /// The place from which to ask next.
    public var next: Int64
    public var text: String
    /// Whether the run ended and nothing follows.
    public var complete: Bool
    public var state: OwnedRun

    package init(offset: Int64, next: Int64, text: String, complete: Bool, state: OwnedRun) {
        self.offset = offset
        self.next = next
        self.text = text
        self.complete = complete
        self.state = state
    }
}
