package import Crypto
import Kernel

/// How both sides of a transfer make sure that the file arrived whole. Source: `docs/protocol.md`, "Files".
package enum ChecksumMethod: Sendable {
    /// SHA-256 of the file's bytes: what every peer knows.
    case sha256
    /// SHA-256 of authentication tags, one for each block: several times as fast, and as good against an attacker without
    /// the key. It is the transfer's own, so that the result says nothing outside of it.
    case blockTags(key: SymmetricKey)

    /// The name of ``blockTags(key:)`` in answers, which also stands before its result.
    package static let blockTagsName = "gmac-256k"
    package static let keySize = 32

    package static func newKey() -> [UInt8] { SymmetricKey(size: .bits256).withUnsafeBytes(Array.init) }

    /// - Parameter key: ``keySize`` bytes; nil: the method that needs none.
    package init(key: (some Sequence<UInt8>)?) {
        self = key.map { .blockTags(key: SymmetricKey(data: Array($0))) } ?? .sha256
    }
}

/// A file's checksum, as a peer says it.
package struct FileChecksum: Hashable, Sendable {
    /// Small hexadecimal digits; before those of block tags the method's name and a colon.
    package let text: String
    package let isOfBlockTags: Bool

    /// Nil for anything but 64 hexadecimal digits, alone or after `sha256:` or `gmac-256k:`.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: ":", omittingEmptySubsequences: false)
        guard let digits = parts.last, Hexadecimal.decode(digits)?.count == 32 else { return nil }
        switch parts.count {
        case 1: isOfBlockTags = false
        case 2 where parts[0] == "sha256": isOfBlockTags = false
        case 2 where parts[0] == ChecksumMethod.blockTagsName: isOfBlockTags = true
        default: return nil
        }
        self.text = isOfBlockTags ? "\(ChecksumMethod.blockTagsName):\(digits)" : String(digits)
    }
}
