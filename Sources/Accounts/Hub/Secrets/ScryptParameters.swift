/// The cost of a password's hash, by scrypt (RFC 7914).
package struct ScryptParameters: Hashable, Sendable {
    /// 2^16 · 8 · 2: 64 MiB and some tenths of a second, one of the sets that OWASP names for passwords.
    package static let standard = ScryptParameters(exponent: 16, blockSize: 8, parallelism: 2)

    private static let exponents = 1...20
    private static let blockSizes = 1...32
    private static let parallelisms = 1...16
    /// A row that something changed must not make the hub take all memory.
    private static let memoryLimit = 256 * 1024 * 1024

    /// The binary logarithm of the rounds.
    package let exponent: Int
    package let blockSize: Int
    package let parallelism: Int

    package init(exponent: Int, blockSize: Int, parallelism: Int) {
        self.exponent = exponent
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    var rounds: Int { 1 << exponent }

    /// Whether a hash of them may be computed.
    var isWithinBounds: Bool {
        Self.exponents.contains(exponent) && Self.blockSizes.contains(blockSize)
            && Self.parallelisms.contains(parallelism) && 128 * rounds * blockSize * parallelism <= Self.memoryLimit
    }
}
