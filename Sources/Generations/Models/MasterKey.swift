/// The key that the keys of a generation's media are derived from. It is never printed.
package struct MasterKey: Hashable, Sendable, CustomStringConvertible {
    /// Bytes of a new key. A key that comes from another device may have from 16 to 1,024.
    package static let byteCount = 32
    private static let acceptedByteCounts = 16...1024

    package let bytes: [UInt8]

    /// Nil for a number of bytes that no key has.
    package init?(_ bytes: [UInt8]) {
        guard Self.acceptedByteCounts.contains(bytes.count) else { return nil }
        self.bytes = bytes
    }

    package static func random(_ random: any RandomPort) -> MasterKey { MasterKey(new: random.bytes(byteCount)) }

    private init(new bytes: [UInt8]) { self.bytes = bytes }

    package var description: String { "MasterKey" }
}

extension MasterKey: CustomReflectable {
    package var customMirror: Mirror { Mirror(self, children: []) }
}
