import Synchronization

/// Says good-bye to a computer that is being forgotten. Pairing is built before the sessions that it speaks through, so the
/// way there is attached afterwards.
final class Farewells: Sendable {
    typealias Say = @Sendable (_ desktopID: String) async throws -> Void

    private let say = Mutex<Say?>(nil)

    func attach(_ say: @escaping Say) {
        self.say.withLock { $0 = say }
    }

    func send(to desktopID: String) async throws {
        try await say.withLock(\.self)?(desktopID)
    }
}
