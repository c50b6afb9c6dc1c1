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
        let key = unsafeBitCast(SIMD4<UInt32>(repeating: turned.littleEndian), to: SIMD16<UInt8>.self)
        let space = SIMD16<UInt8>(repeating: 0x20)
        let backslash = SIMD16<UInt8>(repeating: 0x5C)
        var every = SIMD16<UInt8>(repeating: 0)
        var controls = SIMDMask<SIMD16<Int8>>(repeating: false)
        var backslashes = SIMDMask<SIMD16<Int8>>(repeating: false)
        var index = 0
        while index &+ 16 <= count {
            let plain = source.loadUnaligned(fromByteOffset: index, as: SIMD16<UInt8>.self) ^ key
            destination.storeBytes(of: plain, toByteOffset: index, as: SIMD16<UInt8>.self)
            every |= plain
            controls = controls .| (plain .< space)
            backslashes = backslashes .| (plain .== backslash)
            index &+= 16
        }
        var facts = ByteFacts(
            hasNonASCII: any(every .>= SIMD16<UInt8>(repeating: 0x80)),
            hasControl: any(controls),
            hasBackslash: any(backslashes)
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
