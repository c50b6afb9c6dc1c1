import Blobs
import CommandClient
import Commands
import Foundation
import Kernel
import Synchronization
import Transport

/// Media of the journal for the page of this phone: any part of them, so that a video can be begun anywhere. They are decrypted in memory alone, and the
/// browser keeps nothing of them either: on the disk they are encrypted.
struct JournalPage: Sendable {
    /// Of one request and its answer; a player asks again from where it is.
    private static let duration = Duration.seconds(3600)
    /// Bytes that are decrypted at a time: whole segments, so that none is opened twice.
    private static let pieceSize = Int64(4 * SealedMediaLayout.segment)

    let repository: JournalRepository

    /// - Throws: `RouteError`.
    func routes() throws -> [HTTPRoute] {
        [
            try HTTPRoute(.get, "/api/journal/media", duration: Self.duration) { request, _ in
                do { return try await medium(request) } catch { return .failure(FailureReport(error)) }
            }
        ]
    }

    private func medium(_ request: RouteRequest) async throws -> HTTPRouteResponse {
        guard let id = request.query("id"), (1...JournalLimits.identifier).contains(id.utf8.count) else {
            throw JournalError.badRequest("id")
        }
        let wantsThumbnail = request.query("thumbnail") == "1"
        let (medium, path) = try await repository.file(of: id, thumbnail: wantsThumbnail)
        let (vault, work) = (try repository.vault, repository.work)
        let (reader, start) = try await work.run {
            let reader = try vault.reader(path, keyId: medium.keyId)
            return (reader, try reader.read(0..<min(reader.size, Int64(MediaType.sniffedBytes))))
        }
        // A medium's file never changes, so its sum names its only version.
        let sum = wantsThumbnail ? medium.thumbnailSHA256 : medium.sha256
        return RangedAnswer.make(
            request,
            size: reader.size,
            tag: sum.map { "\"\($0.prefix(32))\"" },
            fields: Self.fields(start, medium, path)
        ) { range in
            let position = Mutex(range.lowerBound)
            return {
                let start = position.withLock(\.self)
                let end = min((start / Self.pieceSize + 1) * Self.pieceSize, range.upperBound)
                guard start < end else { return nil }
                let bytes = try await work.run { try reader.read(start..<end) }
                position.withLock { $0 = end }
                return bytes
            }
        }
    }

    /// What is shown in place is only what its bytes say is a picture, a sound or a video; everything else is saved.
    private static func fields(
        _ start: [UInt8],
        _ medium: Medium,
        _ path: MediaPath
    ) -> [(name: String, value: String)] {
        let type = MediaType(sniffing: start)
        // The containers of sounds and of videos are the same.
        let name =
            switch type {
            case .mp4? where medium.kind == .audio: "audio/mp4"
            case .webm? where medium.kind == .audio: "audio/webm"
            default: type?.rawValue ?? "application/octet-stream"
            }
        return [
            ("Content-Type", name),
            ServedContent.disposition(type == nil ? .attachment : .inline, name: path.fileName),
            ("X-Content-Type-Options", "nosniff"), ("Content-Security-Policy", ServedContent.policy),
            ("Cache-Control", "no-store"),
        ]
    }
}
