public import Commands
public import Kernel

/// A command to run, by its id. A phone never sends a command's text or arguments.
public struct RunCommand: MethodParameters, Hashable {
    /// A ``SavedCommandEntry/id``.
    public var id: String
    /// Whether the person said yes to this run at the phone, which some commands ask for.
    public var isConfirmed: Bool

    public init(_ id: String, isConfirmed: Bool = false) {
        self.id = id
        self.isConfirmed = isConfirmed
    }

    public init(wire: RemoteParameters) throws {
        id = try SavedCommandLimits.id("id", in: wire)
        isConfirmed = try wire.flag("confirmed")
    }

    public var wire: JSONValue { ["id": .string(id), "confirmed": .bool(isConfirmed)] }
}

/// One run, by its id.
public struct CommandRunReference: MethodParameters, Hashable {
    /// A ``CommandRun/id``.
    public var run: String

    public init(_ run: String) { self.run = run }

    public init(wire: RemoteParameters) throws { run = try SavedCommandLimits.id("run", in: wire) }

    public var wire: JSONValue { ["run": .string(run)] }
}

/// How many runs are asked for.
public struct CommandRunQuery: MethodParameters, Hashable {
    /// The newest so many, 1 to ``SavedCommandLimits/history``.
    public var limit: Int

    public init(limit: Int = 20) { self.limit = limit }

    public init(wire: RemoteParameters) throws {
        limit = Int(try wire.optionalInteger("limit", in: 1...Int64(SavedCommandLimits.history)) ?? 20)
    }

    public var wire: JSONValue { ["limit": .integer(Int64(limit))] }
}

/// A query of a run's output.
public struct CommandOutputQuery: MethodParameters, Hashable {
    /// A ``CommandRun/id``.
    public var run: String
    /// The first byte that is wanted, counted from the run's beginning.
    public var offset: Int64

    public init(_ run: String, offset: Int64 = 0) {
        self.run = run
        self.offset = offset
    }

    public init(wire: RemoteParameters) throws {
        run = try SavedCommandLimits.id("run", in: wire)
        offset = try wire.optionalInteger("offset", in: 0...Int64.max) ?? 0
    }

    public var wire: JSONValue { ["run": .string(run), "offset": .integer(offset)] }
}
