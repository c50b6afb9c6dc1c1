/// An integer modulo p = 2^255 - 19, in five limbs of 51 bits with room to spare.
///
/// All operations run in constant time: they neither branch on a value nor look one up in a table.
///
/// Invariant: after ``init(littleEndian:)``, `+`, `-` and `*`, every limb is below 2^52. Sums of two such limbs stay
/// below 2^53, and 19 times five products of them below 2^128.
struct FieldElement: Sendable {
    private var limb0: UInt64
    private var limb1: UInt64
    private var limb2: UInt64
    private var limb3: UInt64
    private var limb4: UInt64

    private static let limbMask: UInt64 = (1 << 51) - 1

    private init(_ limb0: UInt64, _ limb1: UInt64, _ limb2: UInt64, _ limb3: UInt64, _ limb4: UInt64) {
        self.limb0 = limb0
        self.limb1 = limb1
        self.limb2 = limb2
        self.limb3 = limb3
        self.limb4 = limb4
    }

    /// Makes a small number, below 2^51.
    init(small value: UInt64) { self.init(value, 0, 0, 0, 0) }

    /// Decodes 32 bytes, least significant first, of which the top bit is ignored (RFC 7748, section 5).
    init(littleEndian bytes: [UInt8]) {
        precondition(bytes.count == 32, "a field element is 32 bytes")
        /// Reads a limb: 51 bits from bit `shift` on of the eight bytes from `byte` on.
        func limb(byte: Int, shift: UInt64) -> UInt64 {
            var word: UInt64 = 0
            for index in 0..<8 { word |= UInt64(bytes[byte + index]) << UInt64(8 * index) }
            return (word >> shift) & Self.limbMask
        }
        // Limb i starts at bit 51 i.
        self.init(
            limb(byte: 0, shift: 0),
            limb(byte: 6, shift: 3),
            limb(byte: 12, shift: 6),
            limb(byte: 19, shift: 1),
            limb(byte: 24, shift: 12)
        )
    }

    /// The canonical encoding, below p: 32 bytes, least significant first.
    var littleEndian: [UInt8] {
        // Two passes bring every limb below 2^51, except limb 0 by at most 19.
        var value = carried.carried
        // The quotient by p is 0 or 1: the carry out of the top when 19 is added.
        var quotient = (value.limb0 &+ 19) >> 51
        quotient = (value.limb1 &+ quotient) >> 51
        quotient = (value.limb2 &+ quotient) >> 51
        quotient = (value.limb3 &+ quotient) >> 51
        quotient = (value.limb4 &+ quotient) >> 51
        // value - quotient p = value + 19 quotient, without the carry out of the top.
        value.limb0 &+= 19 &* quotient
        value.limb1 &+= value.limb0 >> 51
        value.limb2 &+= value.limb1 >> 51
        value.limb3 &+= value.limb2 >> 51
        value.limb4 &+= value.limb3 >> 51
        let limbs = [value.limb0, value.limb1, value.limb2, value.limb3, value.limb4].map { $0 & Self.limbMask }
        let words = [
            limbs[0] | limbs[1] << 51,
            limbs[1] >> 13 | limbs[2] << 38,
            limbs[2] >> 26 | limbs[3] << 25,
            limbs[3] >> 39 | limbs[4] << 12,
        ]
        return words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> UInt64(8 * $0)) } }
    }

    /// The number with the bits above 51 of each limb carried into the next; 2^255 is 19.
    private var carried: FieldElement {
        let carry1 = limb1 &+ limb0 >> 51
        let carry2 = limb2 &+ carry1 >> 51
        let carry3 = limb3 &+ carry2 >> 51
        let carry4 = limb4 &+ carry3 >> 51
        return FieldElement(
            (limb0 & Self.limbMask) &+ 19 &* (carry4 >> 51),
            carry1 & Self.limbMask,
            carry2 & Self.limbMask,
            carry3 & Self.limbMask,
            carry4 & Self.limbMask
        )
    }

    static func + (left: FieldElement, right: FieldElement) -> FieldElement {
        FieldElement(
            left.limb0 &+ right.limb0,
            left.limb1 &+ right.limb1,
            left.limb2 &+ right.limb2,
            left.limb3 &+ right.limb3,
            left.limb4 &+ right.limb4
        ).carried
    }

    static func - (left: FieldElement, right: FieldElement) -> FieldElement {
        // 4p is added first, limb by limb: the result is the same modulo p, and no limb goes below zero.
        let lowest: UInt64 = 4 * ((1 << 51) - 19)
        let other: UInt64 = 4 * ((1 << 51) - 1)
        return FieldElement(
            left.limb0 &+ lowest &- right.limb0,
            left.limb1 &+ other &- right.limb1,
            left.limb2 &+ other &- right.limb2,
            left.limb3 &+ other &- right.limb3,
            left.limb4 &+ other &- right.limb4
        ).carried
    }

    static func * (left: FieldElement, right: FieldElement) -> FieldElement {
        func product(_ one: UInt64, _ other: UInt64) -> UInt128 { UInt128(one) &* UInt128(other) }
        let (a0, a1, a2, a3, a4) = (left.limb0, left.limb1, left.limb2, left.limb3, left.limb4)
        let (b0, b1, b2, b3, b4) = (right.limb0, right.limb1, right.limb2, right.limb3, right.limb4)
        // Products that belong to limb 5 + i go to limb i, 19-fold.
        let (w1, w2, w3, w4) = (19 &* b1, 19 &* b2, 19 &* b3, 19 &* b4)
        var sum0 = product(a0, b0) &+ product(a1, w4) &+ product(a2, w3) &+ product(a3, w2) &+ product(a4, w1)
        var sum1 = product(a0, b1) &+ product(a1, b0) &+ product(a2, w4) &+ product(a3, w3) &+ product(a4, w2)
        var sum2 = product(a0, b2) &+ product(a1, b1) &+ product(a2, b0) &+ product(a3, w4) &+ product(a4, w3)
        var sum3 = product(a0, b3) &+ product(a1, b2) &+ product(a2, b1) &+ product(a3, b0) &+ product(a4, w4)
        var sum4 = product(a0, b4) &+ product(a1, b3) &+ product(a2, b2) &+ product(a3, b1) &+ product(a4, b0)
        func moveCarry(from low: inout UInt128, to high: inout UInt128) -> UInt64 {
            high &+= low >> 51
            return UInt64(truncatingIfNeeded: low) & limbMask
        }
        let limb0 = moveCarry(from: &sum0, to: &sum1)
        let limb1 = moveCarry(from: &sum1, to: &sum2)
        let limb2 = moveCarry(from: &sum2, to: &sum3)
        let limb3 = moveCarry(from: &sum3, to: &sum4)
        let limb4 = UInt64(truncatingIfNeeded: sum4) & limbMask
        // The carry out of the top is below 2^56, so 19 times it still fits beside limb 0.
        let wrapped = limb0 &+ 19 &* UInt64(truncatingIfNeeded: sum4 >> 51)
        return FieldElement(wrapped & limbMask, limb1 &+ wrapped >> 51, limb2, limb3, limb4)
    }

    /// The number squared `count` times: self^(2^count).
    private func squared(times count: Int) -> FieldElement {
        var result = self
        for _ in 0..<count { result = result * result }
        return result
    }

    /// The powers self^(2^250 - 1) and self^11, from which both powers below are a few steps away.
    private var powers: (ones250: FieldElement, eleven: FieldElement) {
        // onesN is self^(2^N - 1), an exponent of N one bits; N + M ones are N ones shifted by M, and M ones.
        let two = self * self
        let nine = two.squared(times: 2) * self
        let eleven = nine * two
        let ones5 = eleven.squared(times: 1) * nine
        let ones10 = ones5.squared(times: 5) * ones5
        let ones20 = ones10.squared(times: 10) * ones10
        let ones40 = ones20.squared(times: 20) * ones20
        let ones50 = ones40.squared(times: 10) * ones10
        let ones100 = ones50.squared(times: 50) * ones50
        let ones200 = ones100.squared(times: 100) * ones100
        return (ones200.squared(times: 50) * ones50, eleven)
    }

    /// The multiplicative inverse, and 0 for 0: self^(p - 2), where p - 2 = 2^255 - 21 = (2^250 - 1) 2^5 + 11.
    var inverse: FieldElement {
        let (ones250, eleven) = powers
        return ones250.squared(times: 5) * eleven
    }

    /// The Legendre symbol: 1 for a square, -1 for a non-square, 0 for 0. It is self^((p - 1) / 2), where
    /// (p - 1) / 2 = 2^254 - 10 = (2^250 - 1) 2^4 + 6.
    var legendreSymbol: FieldElement {
        let six = (self * self * self).squared(times: 1)
        return powers.ones250.squared(times: 4) * six
    }
}
