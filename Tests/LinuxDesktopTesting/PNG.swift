/// What the tests need to know of PNG.
package enum PNG {
    package static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Writes the CRC-32 that belongs to the bytes of the first chunk, IHDR.
    package static func repairHeaderChecksum(of picture: inout [UInt8]) {
        var checksum: UInt32 = 0xFFFF_FFFF
        for byte in picture[12..<29] {
            checksum ^= UInt32(byte)
            for _ in 0..<8 { checksum = checksum & 1 == 1 ? checksum >> 1 ^ 0xEDB8_8320 : checksum >> 1 }
        }
        checksum = ~checksum
        for index in 0..<4 { picture[29 + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(24 - 8 * index)) }
    }
}
