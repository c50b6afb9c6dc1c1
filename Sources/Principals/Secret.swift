import Kernel
import Sealing

/// A random text that opens something for whoever shows it. It is told once and kept as a ``SecretHash``.
package struct Secret: Sendable {
    /// The random bytes in letters that need no escape anywhere (Base64URL), behind the prefix.
    package let text: String

    /// - Parameters:
    ///   - bytes: 16 or more: so many are not guessed at any rate.
    ///   - prefix: Tells people and programs what it opens.
    package init(bytes: Int = 32, prefix: String = "") {
        text = prefix + Base64URL.encode(RandomBytes.make(bytes))
    }

    /// - Parameter use: As of ``SecretHash/init(of:for:)``.
    package func hash(for use: String? = nil) -> SecretHash { SecretHash(of: text, for: use) }
}

/// The hash of a ``Secret``. It needs no salt, because the secret is random and long. Tables may look it up and compare it as they like: it
/// has nothing in common with the hash of a guess, so the time that this takes tells nothing of the secret.
package struct SecretHash: Hashable, Sendable {
    /// SHA-256.
    package let bytes: [UInt8]

    /// - Parameter use: The one thing that the secret opens: its hash for another use is another one.
    package init(of secret: String, for use: String? = nil) {
        bytes = Hashing.sha256(Array((use.map { "\($0)\0\(secret)" } ?? secret).utf8))
    }

    /// - Parameter kept: The ``bytes`` of another.
    package init(kept: [UInt8]) {
        bytes = kept
    }
}
