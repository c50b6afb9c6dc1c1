import Synchronization

/// Says good-bye to a device that is being forgotten. Pairing is built before the sessions that it speaks through, so the
/// way there is attached afterwards.
public final class Farewells<Recipient: Sendable>: Sendable {
    public typealias Say = @Sendable (Recipient) async throws -> Void

    /// Around the closure, because a mutex of a bare one converts it at each access and keeps every conversion.
    private struct Attached: Sendable {
        var say: Say?
    }

    private let attached = Mutex(Attached())

    public init() {}

    public func attach(_ say: @escaping Say) {
        attached.withLock { $0.say = say }
    }

    public func send(to recipient: Recipient) async throws {
        try await attached.withLock(\.say)?(recipient)
    }
}
