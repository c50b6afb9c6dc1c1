import Accounts
import Blobs
import Chat
import Foundation
import Kernel

/// The media of one account on this device: files for the outbox, files of messages, and view-once pictures.
struct AccountMediaDesk: ChatMediaDesk {
    let media: HubMedia
    let cache: MediaCacheService
    let outbox: OutboxFolder
    let attachments: Attachments
    let once: OnceFiles
    let work: BlockingWork

    // MARK: Sending

    func prepare(
        _ media: ChatControl.Media,
        id: String,
        in conversation: ConversationID
    ) async throws -> OutgoingMedia {
        let limit = media.kind == .image ? ChatLimits.pictures : 1
        guard !media.files.isEmpty else { throw ChatError.malformed("files") }
        guard media.files.count <= limit else { throw ChatError.tooMany("files", limit: limit) }
        var (files, recording): ([OutgoingMedia.File], VoiceRecording?) = ([], nil)
        do {
            for (index, file) in media.files.enumerated() {
                let source = OutboxFolder.source(id, index, in: conversation)
                let path = try await path(of: file)
                recording = try await work.run { [outbox] in
                    let bytes = try MediaFile(path).bytes(atMost: Attachments.byteLimit)
                    let recording = try Self.check(bytes, as: media.kind)
                    try outbox.keep(bytes, as: source)
                    return recording
                }
                files.append(OutgoingMedia.File(source: source))
            }
        } catch {
            await remove(files.map(\.source))
            throw error
        }
        await attachments.remove(media.files)
        let kind: OutgoingMedia.Kind =
            switch media.kind {
            case .image: files.count == 1 ? .image : .images
            case .flash: .flash
            case .voice: .voice(seconds: recording?.seconds ?? 1, waveform: Self.waveform(media.waveform))
            }
        return OutgoingMedia(kind, files)
    }

    /// A file is a path from the root, or the token of one that a page handed in.
    private func path(of file: String) async throws(ChatError) -> String {
        file.hasPrefix("/") ? file : try await attachments.file(of: file).path
    }

    /// - Returns: What is known of a recording; nil for a picture.
    private static func check(_ bytes: [UInt8], as kind: ChatControl.Media.Kind) throws(ChatError) -> VoiceRecording? {
        if kind == .voice { return try VoiceRecording(bytes) }
        guard MediaType(sniffing: bytes)?.isPicture == true else { throw .notAPicture }
        return nil
    }

    private static func waveform(_ heights: [Int]?) -> [Int] {
        (heights ?? []).prefix(ChatLimits.waveform).map { min(max($0, 0), 100) }
    }

    func release(_ media: OutgoingMedia, id: String, in conversation: ConversationID) async {
        await remove(media.files.map(\.source))
    }

    private func remove(_ sources: [String]) async {
        try? await work.finish { [outbox] in outbox.remove(sources) }  // what stays takes room and nothing else
    }

    // MARK: Looking

    func file(of media: MessageMedia, at index: Int) async throws -> ChatControl.File {
        try await file(at: url(of: media, at: index), isVoice: media.message.type == .voice)
    }

    /// A picture that is no message's.
    func picture(_ objectKey: String) async throws -> ChatControl.File {
        try await file(at: url(of: objectKey), isVoice: false)
    }

    /// - Throws: ``ChatError/badObjectKey`` for a file that is neither a picture nor sound, whatever its message says.
    private func file(at url: URL, isVoice: Bool) async throws -> ChatControl.File {
        try await work.run {
            let file = try MediaFile(url.path)
            let start = try file.bytes(0..<min(file.size, MediaType.sniffedBytes))
            guard let type = MediaType(sniffing: start), type.isPicture != isVoice else { throw ChatError.badObjectKey }
            return ChatControl.File(
                path: url.path,
                type: isVoice ? type.soundName : type.rawValue,
                size: file.size
            )
        }
    }

    private func url(of media: MessageMedia, at index: Int) async throws -> URL {
        guard !media.message.isFlash else { throw ChatError.neverCached }
        if let outgoing = media.outgoing, outgoing.files.indices.contains(index) {
            let url = try outbox.url(of: outgoing.files[index].source)
            if try await work.run({ FileManager.default.fileExists(atPath: url.path) }) { return url }
        }
        let keys = media.message.cacheableKeys
        guard keys.indices.contains(index), !keys[index].isEmpty else { throw ChatError.unknownMessage }
        return try await url(of: keys[index])
    }

    /// The file of an object, fetched where it is not here.
    private func url(of key: String) async throws -> URL {
        if let url = await cache.localURL(for: key) { return url }
        // One fetch for all who look at it now. It does not say why it failed, so a failure is asked for once more.
        await cache.prefetch(nil, for: key)
        if let url = await cache.localURL(for: key) { return url }
        guard let address = try await self.media.sign([key])[key]?.url else { throw ChatError.refused(.notFound) }
        return try await cache.save(self.media.fetch(address, limit: UploadKind.image.limit), for: key)
    }

    // MARK: View-once pictures

    /// Opens it, once, and has the bytes in memory alone.
    ///
    /// - Throws: ``ChatError/flashGone``, ``ChatError/notYours`` for the sender's own, ``ChatError/notAPicture`` for what is none.
    func flashBytes(of media: MessageMedia) async throws(ChatError) -> (bytes: [UInt8], type: MediaType) {
        guard media.message.isFlash else { throw .unknownMessage }
        guard !media.message.isMe else { throw .notYours }
        let fetched = try await self.media.openFlash(OpenFlash(media.conversation, clientMessageID: media.message.id))
        let bytes = try await self.media.opened(fetched, of: media.message)
        guard let type = MediaType(sniffing: bytes), type.isPicture else { throw .notAPicture }
        return (bytes, type)
    }

    func openFlash(_ media: MessageMedia) async throws -> ChatControl.File {
        let (bytes, type) = try await flashBytes(of: media)
        let file = try await once.keep(bytes, fileExtension: type.fileExtension)
        return ChatControl.File(path: file.path, type: type.rawValue, size: bytes.count)
    }
}

extension MediaType {
    /// As a browser plays it: a voice note's container holds sound alone.
    var soundName: String {
        switch self {
        case .mp4: "audio/mp4"
        case .webm: "audio/webm"
        default: rawValue
        }
    }
}
