/// A number that an authority gives out for one request (RFC 8555 section 6.5.1).
package struct Nonce: Hashable, Sendable {
    package let text: String

    /// Nil for what is no base64url of a bounded length: clients must ignore that.
    package init?(_ text: String) {
        guard Base64URLText.isOne(text) else { return nil }
        self.text = text
    }
}

/// A challenge's token (RFC 8555 section 8.1): it becomes part of a path and of a signature's text.
package struct ChallengeToken: Hashable, Sendable {
    package let text: String

    /// Nil for what is no base64url of a bounded length.
    package init?(_ text: String) {
        guard Base64URLText.isOne(text) else { return nil }
        self.text = text
    }
}

/// Base64url of a length that an authority has no reason to exceed.
private enum Base64URLText {
    private static let longest = 256

    static func isOne(_ text: String) -> Bool {
        (1...longest).contains(text.utf8.count) && text.utf8.allSatisfy(isOne)
    }

    private static func isOne(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x5F: true
        default: false
        }
    }
}
