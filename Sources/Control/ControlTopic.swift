public import Kernel

/// What a role tells of by itself, for those that show it as it is: they ask again for what a topic is about.
public struct ControlTopic: Sendable {
    /// Says one thing. Returns at once; what takes none of it meanwhile learns that something is missing.
    public typealias Tell = @Sendable (_ data: JSONValue) -> Void

    /// A word, for example `devices`.
    public let name: String
    /// Tells until its task is cancelled, beginning with a word about how it stands. Costs nothing while no listener is there: it runs
    /// only for those.
    public let run: @Sendable (_ tell: @escaping Tell) async -> Void

    public init(_ name: String, run: @escaping @Sendable (_ tell: @escaping Tell) async -> Void) {
        self.name = name
        self.run = run
    }

    /// Tells that a stream said something: what it is about is asked for.
    public init<Change: Sendable>(
        _ name: String,
        changes: @escaping @Sendable () async -> AsyncStream<Change>
    ) {
        self.init(name) { tell in for await _ in await changes() { tell([:]) } }
    }
}
