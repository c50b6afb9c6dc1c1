import Crypto
package import Foundation
package import Kernel
package import Transport

/// Signs the addresses of blobs and checks them: `s` is the HMAC-SHA256 of `GET`, the key, `e` and `u`, with line feeds in between.
package struct AddressSigner: Sendable {
    /// The longest time for which an address is good.
    package static let longestLifetime: TimeInterval = 24 * 3600
    /// Addresses expire at full hours, so that the same blob has the same address for a while, and a browser finds what it kept.
    private static let step: Int64 = 3600
    /// Bytes of a person's name in an address at most.
    private static let userLimit = 128

    private let keys: AddressKeys
    private let time: any TimeSource

    package init(_ keys: AddressKeys, time: any TimeSource = .system) {
        self.keys = keys
        self.time = time
    }

    /// - Parameters:
    ///   - user: The one who asks for it: 1 to 128 bytes.
    ///   - lifetime: Seconds for which it is good at least, up to ``longestLifetime``; it ends with the hour.
    /// - Throws: ``BlobError/malformedRequest(_:)`` for a name that is none.
    package func address(
        of key: BlobKey,
        for user: String,
        lifetime: TimeInterval = 12 * 3600
    ) throws(BlobError) -> SignedAddress {
        guard (1...Self.userLimit).contains(user.utf8.count), let current = keys.current else {
            throw .malformedRequest("an address is for a person with a name of 1 to \(Self.userLimit) bytes")
        }
        let now = Int64(time.date.timeIntervalSince1970)
        let wanted = now + Int64(min(max(1, lifetime), Self.longestLifetime))
        let rounded = (wanted + Self.step - 1) / Self.step * Self.step
        // A whole day from now on is rarely at a full hour: what would be over it ends with the hour before.
        let isOver = rounded > now + Int64(Self.longestLifetime)
        let expiresAt = isOver ? rounded - Self.step : rounded
        return SignedAddress(
            key: key,
            expiresAt: expiresAt,
            user: user,
            keyID: current.id,
            signature: Array(Self.code(key.description, String(expiresAt), user, current))
        )
    }

    /// Looks at the address that a request came by.
    ///
    /// - Parameter key: The key in its path, unread: only what was signed is believed to be one.
    /// - Returns: The one it was made for.
    /// - Throws: ``BlobError/addressForged``, ``BlobError/addressExpired``.
    package func check(_ key: String, _ request: RouteRequest) throws(BlobError) -> String {
        guard let expiry = request.query("e"), let user = request.query("u"), let keyID = request.query("k"),
            let signature = request.query("s").flatMap(Base64URL.decode), signature.count == SHA256.byteCount,
            (1...Self.userLimit).contains(user.utf8.count), key.utf8.count <= BlobKey.lengthLimit,
            let expiresAt = Int64(expiry), String(expiresAt) == expiry, let known = keys.key(keyID),
            // Compares in a time that does not depend on where they differ.
            HMAC<SHA256>.isValidAuthenticationCode(
                signature,
                authenticating: Self.message(key, expiry, user),
                using: SymmetricKey(data: known.bytes)
            )
        else { throw .addressForged }
        let now = Int64(time.date.timeIntervalSince1970)
        guard expiresAt > now else { throw .addressExpired }
        // None is made that lives so long: the clock was set back, or the key has been stolen.
        guard expiresAt <= now + Int64(Self.longestLifetime) else { throw .addressForged }
        return user
    }

    private static func message(_ key: String, _ expiry: String, _ user: String) -> Data {
        Data("GET\n\(key)\n\(expiry)\n\(user)".utf8)
    }

    private static func code(_ key: String, _ expiry: String, _ user: String, _ signer: AddressKey) -> HMAC<SHA256>.MAC
    {
        HMAC<SHA256>.authenticationCode(for: message(key, expiry, user), using: SymmetricKey(data: signer.bytes))
    }
}
