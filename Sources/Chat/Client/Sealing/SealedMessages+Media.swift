public import Accounts
public import Chat
public import ChatSealing
import Kernel

/// A file as it is uploaded in a sealed conversation.
public struct SealedFile: Sendable {
    public let bytes: [UInt8]
    /// Travels inside of the message: ``OutgoingMedia/File/sealed``.
    public let object: SealedObject
}

/// Files of sealed conversations. Their keys are kept when the messages are opened, so that who fetches a file needs its name alone.
extension SealedMessages {
    /// Where the keys of sealed files' objects begin.
    static let prefix = "chat/sealed/"

    /// Seals a file before it is uploaded as ``UploadKind/sealed``, or as ``UploadKind/sealedFlash``.
    ///
    /// - Parameter type: As sniffed, for example `image/jpeg`.
    /// - Returns: Nil where the conversation is not sealed: the file goes as it is.
    /// - Throws: `ChatError` where the hub is not reached and nothing is known of the other person.
    public func seal(_ file: [UInt8], type: String, in conversation: ConversationID) async throws -> SealedFile? {
        guard let peer = conversation.peer(of: me) else { throw ChatError.notYours }
        for person in [me, peer] { _ = try await current(person) }
        guard await standing(of: conversation).isSealed else { return nil }
        let sealed = try SealedMedia.seal(file)
        return SealedFile(
            bytes: sealed.bytes,
            object: try SealedObject(key: sealed.key, hash: sealed.hash, size: file.count, type: type)
        )
    }

    /// The bytes of an object as its sender had them; those of a clear one as they are.
    ///
    /// - Throws: ``ChatSealingError`` where they are not the ones that were sent, `ChatError.unknownMessage` where no message named them.
    public func open(_ bytes: [UInt8], of objectKey: String) async throws -> [UInt8] {
        guard objectKey.hasPrefix(Self.prefix) else { return bytes }
        guard let object = try await rows.object(objectKey) else { throw ChatError.unknownMessage }
        return try SealedMedia.open(bytes, key: object.key, hash: object.hash, limit: object.size)
    }

    /// As ``open(_:of:)``, of a view-once picture, by its message. Its key is deleted: there is nothing left to open a second time.
    public func openFlash(_ bytes: [UInt8], of clientMessageID: String, from sender: UserID) async throws -> [UInt8] {
        let name = Self.flashName(clientMessageID, sender)
        guard let object = try await rows.object(name) else { return bytes }
        let opened = try SealedMedia.open(bytes, key: object.key, hash: object.hash, limit: object.size)
        try await rows.removeObject(name)
        return opened
    }

    private static func flashName(_ clientMessageID: String, _ sender: UserID) -> String {
        "flash \(sender) \(clientMessageID)"
    }

    /// What opens the files of a message. What is not of the documented form is none, and its file stays closed.
    static func objects(of payload: MessagePayload, in data: MessageData) -> [(name: String, object: SealedObject)] {
        guard let sealed = payload.member(SealedObject.member) else { return [] }
        func named(_ key: String, _ json: JSONValue) -> [(name: String, object: SealedObject)] {
            guard key.hasPrefix(prefix), let object = try? SealedObject(json) else { return [] }
            return [(key, object)]
        }
        switch payload {
        case .image(let image): return named(image.objectKey, sealed)
        case .voice(let voice): return named(voice.objectKey, sealed)
        case .multiImage(let images):
            guard case .array(let list) = sealed, list.count == images.objectKeys.count else { return [] }
            return zip(images.objectKeys, list).flatMap { named($0, $1) }
        case .flashImage:
            guard let sender = data.sender, let object = try? SealedObject(sealed) else { return [] }
            return [(flashName(data.clientMessageID, sender), object)]
        default: return []
        }
    }
}
