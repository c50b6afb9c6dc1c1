import Chat
import ChatClient
import Kernel
import Synchronization

/// What a connection told, in order, for a test that waits for it.
final class NewsRecord: Sendable {
    private let told = LatestValue<[String]>([], capacity: 1)

    /// In words: "connected", "message m-1", "event 7", "resync", "lost", "ended".
    var all: [String] { told.value }

    @Sendable
    func take(_ news: ChatServerNews) async {
        let words: [String] =
            switch news {
            case .connected: ["connected"]
            case .messages(let messages): messages.map { "message \($0.clientMessageID)" }
            case .events(let events): events.map { "event \($0.number ?? 0)" }
            case .resync: ["resync"]
            case .lost: ["lost"]
            case .ended: ["ended"]
            }
        told.update { $0 += words }
    }

    /// Returns once that many things were told.
    func wait(for count: Int) async -> [String] {
        for await all in told.values() where all.count >= count { return all }
        return all
    }
}
