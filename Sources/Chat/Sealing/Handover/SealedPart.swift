/// A sealed object at the hub, as it is named to who may open it.
public struct SealedPart: Hashable, Sendable {
    /// The object's key at the hub.
    public let object: String
    /// SHA-256 of the sealed bytes.
    public let hash: [UInt8]
    /// Bytes of what is inside.
    public let size: Int

    public init(object: String, hash: [UInt8], size: Int) {
        self.object = object
        self.hash = hash
        self.size = size
    }

    /// Bytes of the object at the hub.
    public var sealedSize: Int { SealedMedia.sealedCount(of: size) }
}
