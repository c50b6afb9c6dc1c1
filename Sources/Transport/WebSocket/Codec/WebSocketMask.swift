package import Kernel

/// Unmasking (RFC 6455 section 5.3), fused with a look at the bytes: one pass instead of two.
package enum WebSocketMask {
    /// Copies `count` bytes, exclusive-or'd with the mask.
    ///
    /// - Parameters:
    ///   - mask: As in ``WebSocketFrameHead/mask``; 0 copies.
    ///   - offset: How many bytes of the frame's payload went before these.
    package static func apply(
        _ mask: UInt32,
        from source: UnsafeRawPointer,
        to destination: UnsafeMutableRawPointer,
        count: Int,
        offset: Int
    ) -> ByteFacts {
        let turn = UInt32(truncatingIfNeeded: offset & 3) * 8
        let turned = turn == 0 ? mask : (mask >> turn) | (mask << (32 - turn))
        let key = UInt64(turned) | UInt64(turned) << 32
        // Words rather than SIMD types: the optimiser makes vectors of this loop, and a debug build is fast as well.
        var every: UInt64 = 0
        var low: UInt64 = 0
        var backslashes: UInt64 = 0
        var index = 0
        while index &+ 8 <= count {
            let plain = UInt64(littleEndian: source.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ key
            destination.storeBytes(of: plain.littleEndian, toByteOffset: index, as: UInt64.self)
            every |= plain
            low |= (plain &- 0x2020_2020_2020_2020) & ~plain
            let difference = plain ^ 0x5C5C_5C5C_5C5C_5C5C
            backslashes |= (difference &- 0x0101_0101_0101_0101) & ~difference
            index &+= 8
        }
        let tops: UInt64 = 0x8080_8080_8080_8080
        var facts = ByteFacts(
            hasNonASCII: every & tops != 0,
            hasControl: low & tops != 0,
            hasBackslash: backslashes & tops != 0
        )
        var tailBits: UInt8 = 0
        while index < count {
            let shift = UInt32(truncatingIfNeeded: index & 3) * 8
            let plain =
                source.load(fromByteOffset: index, as: UInt8.self) ^ UInt8(truncatingIfNeeded: turned >> shift)
            destination.storeBytes(of: plain, toByteOffset: index, as: UInt8.self)
            tailBits |= plain
            if plain < 0x20 { facts.hasControl = true }
            if plain == 0x5C { facts.hasBackslash = true }
            index &+= 1
        }
        if tailBits >= 0x80 { facts.hasNonASCII = true }
        return facts
    }
}
