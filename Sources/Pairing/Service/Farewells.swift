import Synchronization

/// Says good-bye to a device that is being forgotten. Pairing is built before the sessions that it speaks through, so the
/// way there is attached afterwards.
public final class Farewells<Recipient: Sendable>: Sendable {
    public typealias Say = @Sendable (Recipient) async throws -> Void

    private let say = Mutex<Say?>(nil)

    public init() {}

    public func attach(_ say: @escaping Say) {
        self.say.withLock { $0 = say }
    }

    public func send(to recipient: Recipient) async throws {
        try await say.withLock(\.self)?(recipient)
    }
}
