/// The checksum of zip: CRC-32 with the polynomial of IEEE 802.3, reflected.
public struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private var state: UInt32 = .max

    public init() {}

    public mutating func update(_ bytes: some Sequence<UInt8>) {
        var state = state
        for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
        self.state = state
    }

    public var value: UInt32 { ~state }
}
