import Crypto

/// The nonces under one key: four zero bytes and a counter. One that was used never comes again.
struct BulkNonces: Sendable {
    private var counter: UInt64 = 0

    /// - Throws: ``BulkError/exhausted`` after 2^48 of them.
    mutating func next() throws(BulkError) -> AES.GCM.Nonce {
        guard counter < 1 << 48 else { throw .exhausted }
        var bytes = [UInt8](repeating: 0, count: 12)
        for place in 0..<8 { bytes[4 + place] = UInt8(truncatingIfNeeded: counter >> (56 - 8 * UInt64(place))) }
        counter += 1
        do {
            return try AES.GCM.Nonce(data: bytes)
        } catch {
            throw .exhausted
        }
    }
}
