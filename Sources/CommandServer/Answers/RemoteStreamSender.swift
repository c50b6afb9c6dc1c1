package import Commands
import Foundation
package import Kernel

/// Sends a result in pieces, each small enough for one message.
package struct RemoteStreamSender: Sendable {
    package let announcement: RemoteStreamAnnouncement
    private let bytes: Data

    /// - Parameters:
    ///   - id: New for each stream, also for a repeated answer.
    ///   - chunkSize: One of ``RemoteStreamAnnouncement/chunkSizes``; what lies outside is moved to the nearest.
    package init?(
        id: String = UUID.randomText(),
        result: JSONValue,
        chunkSize: Int = RemoteStreamAnnouncement.chunkSizes.upperBound
    ) {
        let sizes = RemoteStreamAnnouncement.chunkSizes
        bytes = Data(result.canonicalBytes)
        guard
            let announcement = RemoteStreamAnnouncement(
                id: id,
                byteCount: bytes.count,
                chunkSize: min(max(chunkSize, sizes.lowerBound), sizes.upperBound)
            )
        else { return nil }
        self.announcement = announcement
    }

    /// Sends everything that follows the announcement, one message after the other.
    ///
    /// - Parameter send: Waits while the link takes no more.
    /// - Throws: What `send` throws; `CancellationError` when the asker wants no more, and then it is told that nothing follows.
    package func send(through send: @escaping @Sendable (JSONValue) async throws -> Void) async throws {
        do {
            try await send(RemoteStreamMessage.start(announcement).envelope)
            for index in 0..<announcement.chunkCount {
                try Task.checkCancellation()
                let start = bytes.startIndex + index * announcement.chunkSize
                let piece = bytes[start..<start + announcement.byteCount(of: index)]
                try await send(RemoteStreamMessage.chunk(id: announcement.id, index: index, bytes: piece).envelope)
            }
            try await send(RemoteStreamMessage.end(id: announcement.id).envelope)
        } catch is CancellationError {
            let failure = RemoteFailure(code: FailureCode.cancelled, message: "The answer was cancelled.")
            let farewell = RemoteStreamMessage.failure(id: announcement.id, failure).envelope
            // A phone that is gone does not need to hear it.
            await withCancellationShield { try? await send(farewell) }
            throw CancellationError()
        }
    }
}
