import Sealing

/// Names one run of a process: messages are numbered anew in each. Source: `docs/protocol.md` 2.5.
package struct Epoch: Hashable, Sendable {
    package let bytes: [UInt8]

    /// Nil unless there are exactly 16 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }

    package static func random() -> Epoch { Epoch(unchecked: RandomBytes.make(16)) }

    /// The epoch that an end acknowledges while it has received nothing yet.
    package static let none = Epoch(unchecked: [UInt8](repeating: 0, count: 16))
}
