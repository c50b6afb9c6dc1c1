import Blobs
import Chat
import ChatSealing
import Foundation
import Kernel
import Pictures

/// Makes an account's files ready, uploads them, and hands messages to the hub. Source: rules Q4, 1.9, B13.
struct ChatPipeline: OutgoingPipeline {
    /// Bytes of a picture as it is sent, always. Source: rule 1.9.
    static let pictureLimit = 204_800
    /// Width × height of the pictures that the hub takes.
    static let pixelLimit = 50_000_000

    let server: any ChatServer
    let uploads: UploadClient
    let photos: any PhotoEncoder
    let cache: MediaCacheService
    let outbox: OutboxFolder
    let work: BlockingWork
    /// Seals files of sealed conversations; nil for accounts without keys.
    var sealing: SealedMessages?

    func upload(
        _ file: OutgoingMedia.File,
        of kind: OutgoingMedia.Kind,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> OutgoingMedia.File {
        let source = try outbox.url(of: file.source)
        let chosen = try await work.run { try MediaFile(source.path).bytes(atMost: Attachments.byteLimit) }
        var file = file
        var bytes = chosen
        switch kind {
        case .image, .images, .flash:
            let photo = try await photos.photo(chosen, within: Self.pictureLimit, pixelLimit: Self.pixelLimit)
            guard photo.bytes.count <= Self.pictureLimit else {
                throw ChatError.tooLong("picture", limit: Self.pictureLimit)
            }
            bytes = photo.bytes
            (file.width, file.height) = (photo.dimensions.width, photo.dimensions.height)
        case .voice:
            _ = try VoiceRecording(bytes)
        }
        let conversation = OutboxFolder.conversation(of: file.source)
        let sealed = try await seal(bytes, in: conversation)
        let upload = sealed == nil ? kind.upload : kind.sealedUpload
        let key = try await uploads.upload(sealed?.bytes ?? bytes, as: upload, progress: progress).objectKey
        file.objectKey = key
        file.sealed = sealed?.object.json
        await keep(bytes, key, of: kind, in: conversation)
        return file
    }

    private func seal(_ bytes: [UInt8], in conversation: ConversationID?) async throws -> SealedFile? {
        guard let sealing, let conversation else { return nil }
        let type = MediaType(sniffing: bytes)?.rawValue ?? "application/octet-stream"
        return try await sealing.seal(bytes, type: type, in: conversation)
    }

    /// The sender's own copy, in the conversation's folder of the cache. Source: rules M1, B13.
    private func keep(_ bytes: [UInt8], _ key: String, of kind: OutgoingMedia.Kind, in conversation: ConversationID?)
        async
    {
        if case .flash = kind { return }
        // Where the disk has no room the picture is fetched when it is looked at.
        _ = try? await cache.save(Data(bytes), for: key, in: conversation)
    }

    func send(_ request: SendMessage) async throws -> SendMessageAnswer {
        try await server.ask(ChatEndpoints.send, request)
    }
}

extension OutgoingMedia.Kind {
    /// How sealed bytes of the kind are uploaded: the hub does not look into them.
    fileprivate var sealedUpload: UploadKind {
        if case .flash = self { .sealedFlash } else { .sealed }
    }
}
