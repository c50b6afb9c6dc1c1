import CZlib

/// The checksum of zip: CRC-32 with the polynomial of IEEE 802.3, reflected. zlib computes it several times as fast as a table of bytes does,
/// and it runs over every medium of a backup.
public struct CRC32: Sendable {
    private var state: UInt = 0

    public init() {}

    public mutating func update(_ bytes: some Collection<UInt8>) {
        // Bytes without an address begin a new checksum.
        guard !bytes.isEmpty else { return }
        if bytes.withContiguousStorageIfAvailable({ state = crc32_z(state, $0.baseAddress, $0.count) }) == nil {
            Array(bytes).withUnsafeBufferPointer { state = crc32_z(state, $0.baseAddress, $0.count) }
        }
    }

    public var value: UInt32 { UInt32(truncatingIfNeeded: state) }
}
