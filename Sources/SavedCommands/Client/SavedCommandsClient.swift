public import Commands
package import Kernel

/// The saved commands of a paired computer.
///
/// Each call throws ``RemoteFailure`` when the computer refused, and ``RemoteError`` when no answer came or it could not be read.
public struct SavedCommandsClient: Sendable {
    /// The longest time between two looks at a run whose events do not come.
    static let look = Duration.seconds(2)

    private let peer: any Peer
    private let time: any TimeSource

    public init(_ peer: any Peer) { self.init(peer, time: .system) }

    package init(_ peer: any Peer, time: any TimeSource) {
        self.peer = peer
        self.time = time
    }

    /// The commands that this device may run.
    public func commands() async throws -> [SavedCommandEntry] {
        try await peer.call(SavedCommandMethods.list).commands
    }

    /// Starts a command. Its end may stand in the answer already, for example where its program is missing.
    ///
    /// - Parameter isConfirmed: Whether the person said yes to this run, which some commands ask for.
    public func run(_ id: String, isConfirmed: Bool = false) async throws -> CommandRun {
        try await peer.call(SavedCommandMethods.run, RunCommand(id, isConfirmed: isConfirmed))
    }

    /// The runs that this device began: those that go on, and the last ones that ended, the newest first.
    ///
    /// - Parameter limit: 1 to ``SavedCommandLimits/history``.
    public func runs(limit: Int = 20) async throws -> [CommandRun] {
        try await peer.call(SavedCommandMethods.runs, CommandRunQuery(limit: limit)).runs
    }

    /// A part of what a run printed.
    public func output(of run: String, from offset: Int64 = 0) async throws -> CommandOutput {
        try await peer.call(SavedCommandMethods.output, CommandOutputQuery(run, offset: offset))
    }

    /// Ends a run and every program of its group. One that has ended stays as it is.
    public func stop(_ run: String) async throws {
        _ = try await peer.call(SavedCommandMethods.stop, CommandRunReference(run))
    }

    /// Follows a run to its end.
    ///
    /// - Parameter take: Given each part of the output once, in order; what the computer no longer had is missing before a part whose offset is
    ///   above the earlier part's end.
    /// - Returns: The run as it ended; nil from programs that do not say.
    public func follow(
        _ run: String,
        _ take: @Sendable (CommandOutput) async throws -> Void
    ) async throws -> CommandRun? {
        let events = try await peer.events()
        let (bells, bell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        bell.yield()
        return try await withThrowingTaskGroup(of: Void.self) { [time] group in
            defer { group.cancelAll() }
            group.addTask {
                for await event in events where event.isOf(.savedCommandRunChanged) {
                    if event.members["run"]?.stringValue == run { bell.yield() }
                }
            }
            // An event may be lost, the output is not.
            group.addTask { while await time.pause(for: Self.look) { bell.yield() } }
            var offset: Int64 = 0
            for await _ in bells {
                while true {
                    let part = try await output(of: run, from: offset)
                    if !part.text.isEmpty || part.offset > offset { try await take(part) }
                    guard !part.isComplete else { return part.run }
                    // There may be more than one answer holds.
                    guard part.next > offset else { break }
                    offset = part.next
                }
            }
            throw CancellationError()
        }
    }
}
