import Transport

/// One address, or a network of them: `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`.
package struct AddressRange: Hashable, Sendable, CustomStringConvertible {
    /// The range as it was written.
    package let description: String
    private let bytes: [UInt8]
    private let bits: Int

    /// Nil for anything else than an address in numbers, with or without the length of its prefix.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard let first = parts.first, let address = NetworkAddress(text: first) else { return nil }
        bytes = address.bytes
        description = text
        guard parts.count == 2 else {
            bits = bytes.count * 8
            return
        }
        guard let bits = Int(parts[1]), (0...bytes.count * 8).contains(bits) else { return nil }
        self.bits = bits
    }

    func contains(_ address: NetworkAddress) -> Bool {
        guard address.bytes.count == bytes.count else { return false }
        let whole = bits / 8
        guard address.bytes[..<whole] == bytes[..<whole] else { return false }
        let rest = bits % 8
        guard rest > 0 else { return true }
        let mask = UInt8.max << UInt8(8 - rest)
        return address.bytes[whole] & mask == bytes[whole] & mask
    }
}
