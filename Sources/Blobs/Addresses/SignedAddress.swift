import Foundation
import Kernel

/// The address of a blob for one person and a while: `KEY?e=…&u=…&k=…&s=…`. Source: `docs/blobs.md`, "Signed addresses".
package struct SignedAddress: Hashable, Sendable {
    package let key: BlobKey
    /// `e`: from this second on it opens nothing. Seconds since 1970-01-01T00:00:00Z.
    package let expiresAt: Int64
    /// `u`: the one it was made for.
    package let user: String
    /// `k`: the name of the key that signed it.
    package let keyID: String
    /// `s`: 32 bytes.
    package let signature: [UInt8]

    /// The path with its query.
    ///
    /// - Parameter path: Where the blobs are served, without a slash at the end.
    package func target(at path: String) -> String {
        "\(path)/\(key)?e=\(expiresAt)&u=\(Self.escaped(user))&k=\(Self.escaped(keyID))&s=\(Base64URL.encode(signature))"
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            byte.isPlainInQuery ? String(UnicodeScalar(byte)) : String(format: "%%%02X", byte)
        }.joined()
    }
}

extension UInt8 {
    /// A letter, a digit or a sign that needs no escape (RFC 3986, section 2.3).
    fileprivate var isPlainInQuery: Bool {
        switch self {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: Array("-._~".utf8).contains(self)
        }
    }
}
