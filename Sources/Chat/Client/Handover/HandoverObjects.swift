import Chat
import ChatSealing
import Kernel

/// The sealed objects of a handover at the hub.
struct HandoverObjects: Sendable {
    let uploads: UploadClient
    let media: HubMedia

    /// Seals a text under a new key and uploads it.
    ///
    /// - Throws: `ChatError` where the hub is not reached or does not take it.
    func put(_ text: [UInt8]) async throws -> (part: SealedPart, key: [UInt8]) {
        let sealed = try SealedMedia.seal(text)
        let answer = try await uploads.upload(sealed.bytes, as: .sealed)
        return (SealedPart(object: answer.objectKey, hash: sealed.hash, size: text.count), sealed.key)
    }

    /// Fetches an object and opens it.
    ///
    /// - Throws: `ChatSealingError` for another object than the one that was named; `ChatError` where it cannot be had.
    func get(_ part: SealedPart, key: [UInt8]) async throws -> JSONValue {
        let bytes = try await media.object(part.object, limit: part.sealedSize)
        let text = try SealedMedia.open(bytes, key: key, hash: part.hash, limit: part.size)
        do { return try JSONValue(parsing: text) } catch { throw ChatSealingError.malformed("handover") }
    }
}
