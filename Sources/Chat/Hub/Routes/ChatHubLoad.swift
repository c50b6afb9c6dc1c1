package import Control
import Foundation
import GRDB
import Kernel
import Storage
import Synchronization

/// How busy a hub's conversations are, for its operator: counts and sizes, and nothing of what people write.
package final class ChatHubLoad: Sendable {
    package static let load = ControlMethod<NoControlParameters, Figures>(
        "chat.load",
        summary: "How many messages, connected devices and bytes this hub's conversations have."
    )

    /// The members' names are those of the answer.
    package struct Figures: Codable, Hashable, Sendable {
        /// Messages that ever got a place, of all conversations that are there.
        package var messages: Int64
        /// Since the question before; nil on the first one.
        package var perSecond: Double?
        /// Devices that are connected.
        package var connections: Int
        /// Pictures and recordings that are there whole or in part.
        package var mediaBytes: Int64
        /// The database with its log.
        package var databaseBytes: Int64
    }

    private struct Past {
        var at: ContinuousClock.Instant
        var messages: Int64
        var perSecond: Double?
    }

    /// Questions that come sooner after one another are told the rate before: a shorter while says little.
    private static let shortest: Duration = .milliseconds(500)

    private let database: any DatabaseWriter
    private let service: ChatService
    private let past = Mutex<Past?>(nil)

    /// - Parameter database: As of ``ChatService/init(_:objects:settings:dependencies:)``.
    init(_ database: any DatabaseWriter, service: ChatService) {
        self.database = database
        self.service = service
    }

    var route: ControlRoute {
        ControlRoute(Self.load) { [self] _ in try await figures() }
    }

    /// - Throws: `StorageError`.
    func figures() async throws -> Figures {
        let stored: (messages: Int64, media: Int64, pages: Int64)
        do {
            // Seqs of a conversation have no gaps, so the newest one counts its messages without looking at any.
            stored = try await database.read { database in
                (
                    try database.value("SELECT coalesce(sum(maxSeq), 0) FROM chat_conversation") ?? 0,
                    try database.value("SELECT coalesce(sum(received), 0) FROM blobObject") ?? 0,
                    try database.value("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
                        ?? 0
                )
            }
        } catch { throw StorageError.telling(error) }
        return Figures(
            messages: stored.messages,
            perSecond: rate(stored.messages),
            connections: service.connections.count,
            mediaBytes: stored.media,
            databaseBytes: stored.pages + logBytes()
        )
    }

    private func rate(_ messages: Int64) -> Double? {
        let now = service.dependencies.time.now
        return past.withLock { past in
            guard let before = past else {
                past = Past(at: now, messages: messages)
                return nil
            }
            let span = now - before.at
            guard span >= Self.shortest else { return before.perSecond }
            // A deleted account takes conversations, and their counts, with it.
            let rate = max(0, Double(messages - before.messages)) / (span / .seconds(1))
            past = Past(at: now, messages: messages, perSecond: rate)
            return rate
        }
    }

    /// The write-ahead log beside the database; 0 for one in memory.
    private func logBytes() -> Int64 {
        let size = try? FileManager.default.attributesOfItem(atPath: database.path + "-wal")[.size] as? NSNumber
        return (size ?? nil)?.int64Value ?? 0
    }
}
