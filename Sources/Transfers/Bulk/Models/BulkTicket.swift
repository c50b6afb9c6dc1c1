import Sealing

/// What the sealed session agrees on for one bulk connection. It is used once. Source: `docs/protocol.md` 2.12.1.
package struct BulkTicket: Hashable, Sendable {
    package static let idSize = 16
    package static let saltSize = 32

    /// Names the ticket in the greeting, where everybody on the way reads it.
    package let id: [UInt8]
    /// Makes the keys of this connection others than those of any other. It travels in the sealed session only.
    package let salt: [UInt8]

    /// Nil unless both have their sizes.
    package init?(id: [UInt8], salt: [UInt8]) {
        guard id.count == Self.idSize, salt.count == Self.saltSize else { return nil }
        self.id = id
        self.salt = salt
    }

    private init(unchecked id: [UInt8], _ salt: [UInt8]) {
        self.id = id
        self.salt = salt
    }

    package static func random() -> BulkTicket {
        BulkTicket(unchecked: RandomBytes.make(idSize), RandomBytes.make(saltSize))
    }
}

// Printing or dumping this value shows no salt.
extension BulkTicket: CustomStringConvertible, CustomReflectable {
    package var description: String { "a ticket of a bulk connection" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
