public import Kernel

/// A subject that a role reports by itself, for listeners that show its state: at each report they ask again for that state.
public struct ControlTopic: Sendable {
    /// Reports one change. Returns at once; a listener that takes none of it meanwhile learns that something is missing.
    public typealias Tell = @Sendable (_ data: JSONValue) -> Void

    /// A word, for example `devices`.
    public let name: String
    /// Reports until its task is cancelled, beginning with the present state. Costs nothing while there is no listener: it runs only for those.
    public let run: @Sendable (_ tell: @escaping Tell) async -> Void

    public init(_ name: String, run: @escaping @Sendable (_ tell: @escaping Tell) async -> Void) {
        self.name = name
        self.run = run
    }

    /// Reports each element of a stream without its content: listeners ask for that.
    public init<Change: Sendable>(
        _ name: String,
        changes: @escaping @Sendable () async -> AsyncStream<Change>
    ) {
        self.init(name) { tell in for await _ in await changes() { tell([:]) } }
    }
}
