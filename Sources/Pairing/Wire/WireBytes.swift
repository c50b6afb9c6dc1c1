import Kernel

/// Bytes whose wire form is base64url text.
public struct WireBytes: Hashable, Sendable, Codable {
    /// The decoded bytes.
    public let bytes: [UInt8]

    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// The largest number of bytes. The longest handshake message, a proof with the longest accepted names, is far below.
    static let limit = 4096

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard text.utf8.count <= Self.limit * 4 / 3 + 4, let bytes = Base64URL.decode(text) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64url, or too long")
        }
        self.bytes = bytes
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(Base64URL.encode(bytes))
    }
}
