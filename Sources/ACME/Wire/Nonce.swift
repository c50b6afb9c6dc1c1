/// A number that an authority gives out for one request (RFC 8555 section 6.5.1).
package struct Nonce: Hashable, Sendable {
    private static let longest = 256

    package let text: String

    /// Nil for what is no base64url of a bounded length: clients must ignore that.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Base64URLByte.isOne) else {
            return nil
        }
        self.text = text
    }
}

/// A challenge's token (RFC 8555 section 8.1): it becomes part of a path and of a signature's text.
package struct ChallengeToken: Hashable, Sendable {
    private static let longest = 256

    package let text: String

    /// Nil for what is no base64url of a bounded length.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), text.utf8.allSatisfy(Base64URLByte.isOne) else {
            return nil
        }
        self.text = text
    }
}

enum Base64URLByte {
    static func isOne(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
