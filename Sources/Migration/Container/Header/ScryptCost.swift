/// The cost of the password's key: scrypt of RFC 7914, with r = 8. Source: `docs/protocol.md` 2.13.
public struct ScryptCost: Hashable, Sendable {
    /// Blocks of the table, as a power of two.
    public let logN: UInt32
    /// Independent runs.
    public let parallelism: UInt32

    /// The only block size that is accepted.
    static let blockSize: UInt32 = 8
    /// 16 MiB to 256 MiB: less is cheap to guess, more lets a hostile header take the memory of the reader.
    private static let logNRange: ClosedRange<UInt32> = 14...18
    private static let parallelismRange: ClosedRange<UInt32> = 1...4

    /// 128 MiB and about 0.4 s of one core.
    public static let usual = ScryptCost(uncheckedLogN: 17, parallelism: 1)

    private init(uncheckedLogN logN: UInt32, parallelism: UInt32) {
        self.logN = logN
        self.parallelism = parallelism
    }

    /// Checks a header's values before anything is allocated. The library's own bound on memory is not enforced, so this check is the only
    /// one.
    ///
    /// - Throws: ``ContainerError/unsupportedKDFParameters``.
    public init(logN: UInt32, blockSize: UInt32 = 8, parallelism: UInt32) throws(ContainerError) {
        guard Self.logNRange.contains(logN), blockSize == Self.blockSize,
            Self.parallelismRange.contains(parallelism)
        else { throw .unsupportedKDFParameters }
        self.init(uncheckedLogN: logN, parallelism: parallelism)
    }
}
