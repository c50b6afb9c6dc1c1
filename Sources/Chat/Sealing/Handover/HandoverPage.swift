public import Accounts
public import Chat
public import Kernel

/// Messages that a device hands over: what it read in sealed ones. Source: `docs/protocol.md` 2.10.7.
public struct HandoverPage: Hashable, Sendable {
    /// The canonical text of a page, in bytes.
    public static let byteLimit = 1 << 20
    public static let messageLimit = 200

    /// What was inside of one sealed message. Its place, its times and its state are the hub's to say.
    public struct Message: Hashable, Sendable {
        /// What opens a file that the content names.
        public struct File: Hashable, Sendable {
            /// The key of the file's object at the hub.
            public let name: String
            public let object: SealedObject

            public init(name: String, object: SealedObject) {
                self.name = name
                self.object = object
            }
        }

        public let conversation: ConversationID
        public let sender: UserID
        public let clientMessageID: String
        public let sequence: Int64
        public let payload: MessagePayload
        public let files: [File]

        /// Nil for what is not handed over: a view-once picture, a control message, a form that is still sealed, and one that is too large.
        public init?(
            in conversation: ConversationID,
            from sender: UserID,
            id: String,
            sequence: Int64,
            _ payload: MessagePayload,
            files: [File] = []
        ) {
            guard conversation.peer(of: sender) != nil, (1...ChatLimits.messageID).contains(id.utf8.count),
                (1...ChatLimits.place).contains(sequence), Self.isHandedOver(payload),
                files.count <= ChatLimits.pictures,
                payload.element.canonicalBytes.count <= ChatLimits.sealedContent
            else { return nil }
            self.conversation = conversation
            self.sender = sender
            clientMessageID = id
            self.sequence = sequence
            self.payload = payload
            self.files = files
        }

        private static func isHandedOver(_ payload: MessagePayload) -> Bool {
            switch payload {
            case .flashImage, .flashViewed, .sealed: false
            default: !payload.isControl
            }
        }

        /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
        init(_ json: JSONValue) throws(ChatSealingError) {
            let members = try StrictMembers(
                json,
                of: "messages",
                required: ["content", "contentType", "conversation", "files", "id", "sender", "seq"]
            )
            var files: [File] = []
            for file in try members.list("files", atMost: ChatLimits.pictures) {
                let file = try StrictMembers(file, of: "files", required: ["name", "object"])
                guard let object = file.values["object"] else { throw .malformed("object") }
                files.append(
                    File(
                        name: try file.text("name", atMost: ChatLimits.objectKey),
                        object: try SealedObject(object)
                    )
                )
            }
            guard let conversation = ConversationID(try members.text("conversation", atMost: 64)),
                let sender = UserID(imUserID: try members.text("sender", atMost: 32)),
                let content = members.values["content"], case .object = content
            else { throw .malformed("conversation") }
            let type = Int(try members.integer("contentType", in: 1...Int64(Int32.max)))
            let message = Message(
                in: conversation,
                from: sender,
                id: try members.text("id", atMost: ChatLimits.messageID),
                sequence: try members.integer("seq", in: 1...ChatLimits.place),
                MessagePayload(ContentType(rawValue: type), element: content),
                files: files
            )
            guard let message else { throw .malformed("content") }
            self = message
        }

        public var json: JSONValue {
            [
                "conversation": .string(conversation.text), "sender": .string(sender.imUserID),
                "id": .string(clientMessageID), "seq": .integer(sequence),
                "contentType": .integer(Int64(payload.contentType.rawValue)), "content": payload.element,
                "files": .array(files.map { ["name": .string($0.name), "object": $0.object.json] }),
            ]
        }
    }

    public let messages: [Message]

    /// As many of these as a page has room for, in their order; nil where there is none.
    public init?(packing messages: some Sequence<Message>) {
        // The members around the list.
        var size = 64
        var packed: [Message] = []
        for message in messages {
            size += message.json.canonicalBytes.count + 1
            guard packed.count < Self.messageLimit, size <= Self.byteLimit else { break }
            packed.append(message)
        }
        guard !packed.isEmpty else { return nil }
        self.messages = packed
    }

    /// - Throws: ``ChatSealingError/malformed(_:)``, ``ChatSealingError/tooLarge(_:limit:)``.
    public init(_ json: JSONValue) throws(ChatSealingError) {
        let members = try StrictMembers(json, of: "page", required: ["messages", "v"])
        _ = try members.integer("v", in: 1...1)
        var messages: [Message] = []
        for message in try members.list("messages", atMost: Self.messageLimit) {
            messages.append(try Message(message))
        }
        guard !messages.isEmpty else { throw .malformed("messages") }
        self.messages = messages
    }

    public var json: JSONValue { ["v": 1, "messages": .array(messages.map(\.json))] }
}
