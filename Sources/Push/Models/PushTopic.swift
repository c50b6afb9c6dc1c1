import Crypto
import Kernel

/// The name under which a waiting message is replaced by a newer one (RFC 8030 section 5.4). The push service reads it.
package struct PushTopic: Hashable, Sendable {
    /// At most 32 characters of the base64url alphabet.
    package static let largestLength = 32
    package let text: String

    /// - Throws: ``PushError/malformed(_:rule:)``.
    package init(_ text: String) throws(PushError) {
        guard (1...Self.largestLength).contains(text.utf8.count), text.hasOnlyLettersAndDigits(or: "-_") else {
            throw .malformed(.topic, rule: "1 to \(Self.largestLength) characters of the base64url alphabet")
        }
        self.text = text
    }

    /// A topic that tells the push service nothing of what it stands for: HMAC-SHA256 of it, cut to 192 bits. The same key gives the same topic
    /// as long as the secret is the same.
    ///
    /// - Parameters:
    ///   - key: The subject of messages that replace each other, for example a thread's id.
    ///   - secret: At least 16 random bytes that only this sender has; another for each device keeps services from comparing.
    /// - Throws: ``PushError/malformed(_:rule:)`` for a shorter secret.
    package init(concealing key: some Sequence<UInt8>, secret: [UInt8]) throws(PushError) {
        guard secret.count >= 16 else { throw .malformed(.topic, rule: "made with a secret of at least 16 bytes") }
        let code = HMAC<SHA256>.authenticationCode(for: Array(key), using: SymmetricKey(data: secret))
        text = Base64URL.encode(Array(code).prefix(24))
    }
}
