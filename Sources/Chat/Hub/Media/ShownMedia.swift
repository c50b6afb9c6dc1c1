import Accounts
import Blobs
import Chat
import Kernel

/// Adds to messages what only the hub can say, at the moment at which they are read: addresses of their files with their true ends (B16), and
/// what stands in a picture's place until it is there. Members are added and none is changed.
struct ShownMedia: Sendable {
    /// Bytes of a payload that names files: nine keys, and more than a waveform.
    private static let payloadLimit = 8 << 10

    let signer: AddressSigner
    let thumbnails: Thumbnails
    /// As of ``ChatMedia/base``.
    let base: String

    func adding(to message: MessageData, for person: UserID) async throws -> MessageData {
        try await adding(to: [message], for: person).first ?? message
    }

    func adding(to messages: [MessageData], for person: UserID) async throws -> [MessageData] {
        let payloads = messages.map(Self.payloadWithFiles)
        let pictures = payloads.flatMap { payload -> [String] in
            switch payload {
            case .image(let image): [image.objectKey]
            case .multiImage(let images): images.objectKeys
            default: []
            }
        }
        let hashes = try await thumbnails.blurHashes(of: pictures)
        return zip(messages, payloads).map { message, payload in
            guard let shown = payload.flatMap({ adding(to: $0, hashes, for: person) }) else { return message }
            var message = message
            message.element = shown.element
            return message
        }
    }

    /// Texts name none, and what is longer is sealed or of another program: it is not read once more for every reader.
    private static func payloadWithFiles(_ message: MessageData) -> MessagePayload? {
        guard message.contentType == .custom else { return nil }
        // Read here, once: a message that comes from the log has it as a text.
        let element = message.element
        guard let data = element["data"]?.stringValue, data.utf8.count <= payloadLimit else { return nil }
        return MessagePayload(message.contentType, element: element)
    }

    /// Nil for a payload to which nothing is to be added.
    private func adding(
        to payload: MessagePayload,
        _ hashes: [String: String],
        for person: UserID
    ) -> MessagePayload? {
        switch payload {
        case .image(var image):
            let address = address(of: image.objectKey, for: person)
            (image.url, image.expireAt) = (address?.url ?? image.url, address?.end ?? image.expireAt)
            if let hash = hashes[image.objectKey], let thumbnail = thumbnail(of: image.objectKey, for: person) {
                image.others["blurHash"] = .string(hash)
                image.others["thumbUrl"] = .string(thumbnail)
            }
            return .image(image)
        case .voice(var voice):
            guard let address = address(of: voice.objectKey, for: person) else { return nil }
            (voice.url, voice.expireAt) = (address.url, address.end)
            return .voice(voice)
        case .multiImage(var images):
            let addresses = images.objectKeys.map { address(of: $0, for: person) }
            if let end = addresses.compactMap({ $0?.end }).min() {
                images.urls = addresses.map { $0?.url ?? "" }
                images.expireAt = end
            }
            if images.objectKeys.contains(where: { hashes[$0] != nil }) {
                images.others["blurHashes"] = .array(images.objectKeys.map { .string(hashes[$0] ?? "") })
                images.others["thumbUrls"] = .array(
                    images.objectKeys.map { key in
                        .string(hashes[key] == nil ? "" : thumbnail(of: key, for: person) ?? "")
                    }
                )
            }
            return .multiImage(images)
        default: return nil
        }
    }

    /// A whole address and its end. Without the hub's own address there is none that means something in a message.
    private func address(of key: String, for person: UserID) -> (url: String, end: Int64)? {
        guard !base.isEmpty, let signed = signed(key, person) else { return nil }
        return (base + signed.target(at: ChatMedia.mediaPath), signed.expiresAt)
    }

    private func thumbnail(of key: String, for person: UserID) -> String? {
        signed(key, person).map { base + $0.target(at: ChatMedia.thumbnailPath) }
    }

    private func signed(_ key: String, _ person: UserID) -> SignedAddress? {
        BlobKey(key).flatMap { try? signer.address(of: $0, for: person.imUserID) }
    }

    // MARK: Faces

    /// Addresses of avatars by their keys, for whoever may see the people: of the thumbnail once there is one.
    func faces(of keys: [String], for person: UserID) async throws -> [String: String] {
        let small = try await thumbnails.blurHashes(of: keys)
        var faces: [String: String] = [:]
        for key in keys {
            guard let signed = signed(key, person) else { continue }
            let path = small[key] == nil ? ChatMedia.mediaPath : ChatMedia.thumbnailPath
            faces[key] = base + signed.target(at: path)
        }
        return faces
    }
}
