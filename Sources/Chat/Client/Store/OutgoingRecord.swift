import Chat
import Kernel

/// An ``OutgoingMessage`` as the outbox keeps it, in JSON.
struct OutgoingRecord: Codable, Hashable, Sendable {
    struct File: Codable, Hashable, Sendable {
        var source: String
        var objectKey: String?
        var width: Int?
        var height: Int?
        var sealed: JSONValue?
    }

    enum Kind: String, Codable, Hashable, Sendable {
        case image, flash, images, voice
    }

    /// Of words and quotes: the number and the element of a stored message.
    var contentType: Int?
    var element: JSONValue?
    /// Of files.
    var kind: Kind?
    var files: [File]?
    var seconds: Int?
    var waveform: [Int]?
    var receiveID: String?
    var createTime: Int64

    init(_ message: OutgoingMessage) {
        receiveID = message.receiveID
        createTime = message.createTime
        switch message.content {
        case .payload(let payload):
            contentType = payload.contentType.rawValue
            element = payload.element
        case .media(let media):
            files = media.files.map {
                File(
                    source: $0.source,
                    objectKey: $0.objectKey,
                    width: $0.width,
                    height: $0.height,
                    sealed: $0.sealed
                )
            }
            switch media.kind {
            case .image: kind = .image
            case .flash: kind = .flash
            case .images: kind = .images
            case .voice(let seconds, let waveform):
                kind = .voice
                self.seconds = seconds
                self.waveform = waveform
            }
        }
    }

    /// Nil for one that a newer version wrote.
    func message(_ id: String, in conversation: ConversationID) -> OutgoingMessage? {
        guard let content else { return nil }
        return OutgoingMessage(id: id, in: conversation, content, receiveID: receiveID, createTime: createTime)
    }

    private var content: OutgoingContent? {
        if let contentType, let element {
            return .payload(MessagePayload(ContentType(rawValue: contentType), element: element))
        }
        guard let kind, let files else { return nil }
        let media: OutgoingMedia.Kind =
            switch kind {
            case .image: .image
            case .flash: .flash
            case .images: .images
            case .voice: .voice(seconds: seconds ?? 1, waveform: waveform ?? [])
            }
        return .media(
            OutgoingMedia(
                media,
                files.map { file in
                    var made = OutgoingMedia.File(source: file.source)
                    made.objectKey = file.objectKey
                    made.width = file.width
                    made.height = file.height
                    made.sealed = file.sealed
                    return made
                }
            )
        )
    }
}
