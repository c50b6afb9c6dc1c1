import Crypto

/// A package's header with its keys: made for a new package, or read and proved to belong to a password. Source: `docs/protocol.md` 2.13.
///
/// prefix 96 ‖ commitment 32 ‖ HMAC-SHA256 of these 128 bytes 32.
public struct ContainerHeader: Sendable {
    public static let byteCount = 160

    public let prefix: ContainerPrefix
    public let bytes: [UInt8]
    let keys: ContainerKeys

    /// Makes the header of a new package.
    init(prefix: ContainerPrefix, passwordKey: SymmetricKey, sessionKey: SymmetricKey?) throws(ContainerError) {
        keys = try ContainerKeys(passwordKey: passwordKey, sessionKey: sessionKey, prefix: prefix)
        let head = prefix.bytes + keys.commitment
        bytes = head + HMAC<SHA256>.authenticationCode(for: head, using: keys.header)
        self.prefix = prefix
    }

    /// Reads a header. What it costs to try a password is the password's key alone; no byte of the payload is needed.
    ///
    /// - Throws: ``ContainerError/wrongPassword`` where the commitment differs, ``ContainerError/damagedHeader`` where it is right and the
    ///   code over the header is not, and what ``ContainerPrefix/init(_:)`` throws.
    init(_ bytes: [UInt8], passwordKey: SymmetricKey, sessionKey: SymmetricKey?) throws(ContainerError) {
        let prefix = try ContainerPrefix(bytes)
        guard bytes.count >= Self.byteCount else { throw .truncated }
        guard bytes.count == Self.byteCount else { throw .invalidArgument("header") }
        let keys = try ContainerKeys(passwordKey: passwordKey, sessionKey: sessionKey, prefix: prefix)
        guard Self.isSame(bytes[96..<128], keys.commitment[...]) else { throw .wrongPassword }
        guard
            HMAC<SHA256>.isValidAuthenticationCode(bytes[128..<160], authenticating: bytes[0..<128], using: keys.header)
        else { throw .damagedHeader }
        self.prefix = prefix
        self.bytes = bytes
        self.keys = keys
    }

    /// Compares in a time that does not depend on where the bytes differ.
    private static func isSame(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
        one.count == other.count && zip(one, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
