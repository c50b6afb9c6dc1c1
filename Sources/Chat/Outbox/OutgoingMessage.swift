public import Kernel

/// A message on its way out, as it is kept until the server has it.
public struct OutgoingMessage: Hashable, Sendable, Identifiable {
    /// The id of every attempt, of the row on the screen and of the message at the server. Source: rules B1, R4.
    public let id: String
    public let conversation: ConversationID
    public var content: OutgoingContent
    /// The record of the received signal; nil without one.
    public var receiveID: String?
    /// Milliseconds since 1970.
    public let createTime: Int64

    public init(
        id: String,
        in conversation: ConversationID,
        _ content: OutgoingContent,
        receiveID: String? = nil,
        createTime: Int64
    ) {
        self.id = id
        self.conversation = conversation
        self.content = content
        self.receiveID = receiveID
        self.createTime = createTime
    }
}

/// What is sent: words at once, files after their upload.
public enum OutgoingContent: Hashable, Sendable {
    case payload(MessagePayload)
    case media(OutgoingMedia)
}

/// Files of a message. What was uploaded stays uploaded: another attempt, also after a restart, does not upload it again.
public struct OutgoingMedia: Hashable, Sendable {
    /// The message that the files become.
    public enum Kind: Hashable, Sendable {
        case image
        /// A photo that burns: it is never kept in the cache. Source: rule B13.
        case flash
        case images
        /// - Parameter waveform: Heights of the bars, 0 to 100.
        case voice(seconds: Int, waveform: [Int])

        public var upload: UploadKind {
            switch self {
            case .image, .images: .image
            case .flash: .flash
            case .voice: .voice
            }
        }
    }

    /// One file.
    public struct File: Hashable, Sendable {
        /// The name of the file that the person chose, in the folder where it waits.
        public var source: String
        /// Nil until it is uploaded.
        public var objectKey: String?
        /// Pixels, of the picture that was uploaded.
        public var width: Int?
        public var height: Int?
        /// What its receivers need to open it, where it was sealed before it was uploaded; nil for a clear one. Source: `docs/protocol.md` 2.10.4.
        public var sealed: JSONValue?

        public init(source: String) { self.source = source }
    }

    public var kind: Kind
    /// One, or up to ``ChatLimits/pictures`` of ``Kind/images``.
    public var files: [File]

    public init(_ kind: Kind, _ files: [File]) {
        self.kind = kind
        self.files = files
    }

    /// The payload once all files are uploaded. It has no addresses: the server adds them when it is read. Source: rule B16.
    ///
    /// - Throws: ``ChatError/malformed(_:)`` while a file is not uploaded, and without files.
    public func payload() throws(ChatError) -> MessagePayload {
        let keys = files.compactMap(\.objectKey)
        guard keys.count == files.count, let first = files.first, let key = keys.first else {
            throw .malformed("objectKey")
        }
        let payload: MessagePayload =
            switch kind {
            case .image: .image(ImagePayload(objectKey: key, width: first.width, height: first.height))
            case .flash: .flashImage(FlashImagePayload(objectKey: key))
            case .images: .multiImage(MultiImagePayload(objectKeys: keys))
            case .voice(let seconds, let waveform):
                .voice(VoicePayload(objectKey: key, durationSeconds: seconds, waveform: waveform))
            }
        let sealed = files.map { $0.sealed ?? .null }
        guard sealed.contains(where: { $0 != .null }) else { return payload }
        return payload.adding("sealed", kind == .images ? .array(sealed) : sealed[0])
    }
}
