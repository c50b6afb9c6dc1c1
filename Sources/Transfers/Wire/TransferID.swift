import Kernel

/// Sixteen random bytes that name a transfer: in a frame as they are, in JSON as hexadecimal digits after `up_` or `dn_`.
package struct TransferID: Hashable, Sendable {
    /// Sixteen.
    package let bytes: [UInt8]

    package init() {
        var generator = SystemRandomNumberGenerator()
        bytes = (0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }

    /// Nil unless there are sixteen.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.bytes = bytes
    }

    /// Nil for anything but `up_` or `dn_` and 32 hexadecimal digits.
    package init?(text: String) {
        guard text.hasPrefix("up_") || text.hasPrefix("dn_"), text.utf8.count == 35,
            let bytes = Hexadecimal.decode(text.dropFirst(3))
        else { return nil }
        self.bytes = bytes
    }

    /// 32 small hexadecimal digits.
    package var hexadecimal: String { Hexadecimal.encode(bytes) }
    /// The id in JSON: `up_` or `dn_` and the digits.
    package func text(_ direction: TransferDirection) -> String { direction.prefix + hexadecimal }
}
