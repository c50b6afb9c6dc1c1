package import Commands
import Foundation
package import Kernel

/// Puts one announced result together. A value: its owner feeds it, and ends it when the sender falls silent.
package struct RemoteStreamReceiver: Sendable {
    /// The largest result taken, in bytes.
    package static let byteLimit = 32 * 1024 * 1024

    /// The announcement that came in place of the result.
    package let announcement: RemoteStreamAnnouncement
    private var bytes = Data()
    private var nextIndex = 0
    private var isStarted = false

    /// - Throws: ``RemoteError/resultTooLarge(bytes:limit:)``.
    package init(
        _ announcement: RemoteStreamAnnouncement,
        byteLimit: Int = RemoteStreamReceiver.byteLimit
    ) throws(RemoteError) {
        guard announcement.byteCount <= byteLimit else {
            throw .resultTooLarge(bytes: announcement.byteCount, limit: byteLimit)
        }
        self.announcement = announcement
    }

    /// Takes the stream's next message. Memory grows with what came, never with what was announced.
    ///
    /// - Returns: The result, with the last message.
    /// - Throws: ``RemoteError/malformedResult`` for anything but the announced pieces in order, each once;
    ///   `RemoteFailure` when the sender gave up. The stream is over then.
    package mutating func take(_ message: RemoteStreamMessage) throws -> JSONValue? {
        switch message {
        case .start(let repeated):
            guard !isStarted, repeated == announcement else { throw RemoteError.malformedResult }
            isStarted = true
            return nil
        case .chunk(let id, let index, let piece):
            guard isStarted, id == announcement.id, index == nextIndex, index < announcement.chunkCount,
                piece.count == announcement.byteCount(of: index)
            else { throw RemoteError.malformedResult }
            bytes.append(piece)
            nextIndex += 1
            return nil
        case .end(let id):
            guard isStarted, id == announcement.id, nextIndex == announcement.chunkCount,
                let result = try? JSONValue(parsing: bytes)
            else { throw RemoteError.malformedResult }
            return result
        case .failure(_, let failure): throw failure
        case .unreadable: throw RemoteError.malformedResult
        }
    }
}
