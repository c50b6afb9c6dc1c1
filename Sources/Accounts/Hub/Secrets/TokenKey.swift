import Foundation
import Kernel
import Sealing

/// A key that signs access tokens.
struct TokenKey: Codable, Hashable, Sendable {
    static let bytes = 32

    /// The `kid` in the header of its tokens.
    let kid: String
    /// Base64URL of 32 bytes.
    let secret: String
    /// Milliseconds since 1970.
    let madeAt: Int64

    init(madeAt: Int64) {
        kid = Hexadecimal.encode(RandomBytes.make(8))
        secret = Base64URL.encode(RandomBytes.make(Self.bytes))
        self.madeAt = madeAt
    }

    /// Nil for a key that something damaged.
    var secretBytes: [UInt8]? { Base64URL.decode(secret).flatMap { $0.count == Self.bytes ? $0 : nil } }
}

/// The keys as they stand in their file: the one that signs is last.
struct TokenKeyFile: Codable, Hashable, Sendable {
    var keys: [TokenKey]
}
