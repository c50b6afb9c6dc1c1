/// The first 96 bytes of a package: all that is known before the password. Source: `docs/protocol.md` 2.13.
///
/// magic 8 ‖ version 1 ‖ KDF 1 ‖ cipher 1 ‖ log2 of a segment's bytes 1 ‖ flags 4 ‖ log2 N 4 ‖ r 4 ‖ p 4 ‖ salt 32 ‖ nonce's prefix 7 ‖
/// zero 1 ‖ length 8 ‖ backup's identifier 16 ‖ zeros 4. Numbers are big-endian.
public struct ContainerPrefix: Hashable, Sendable {
    static let byteCount = 96
    static let saltCount = 32
    static let noncePrefixCount = 7
    /// Counters have 32 bits and segments 16, which makes 2^48 bytes.
    static let maximumLength = UInt64(1) << 48

    private static let magic = Array("MYSTMIG\0".utf8)
    private static let version: UInt8 = 2
    private static let scrypt: UInt8 = 1
    private static let aesGCM: UInt8 = 1
    private static let segmentLog: UInt8 = 16
    private static let sessionBound: UInt32 = 1
    private static let lengthKnown: UInt32 = 2

    public let cost: ScryptCost
    /// Whether the keys need the key of the session between the two devices too.
    public let isSessionBound: Bool
    let salt: [UInt8]
    let noncePrefix: [UInt8]
    /// Bytes of the plaintext; nil where the writer did not know it.
    public let length: UInt64?
    /// 16 bytes.
    public let backupID: [UInt8]

    /// - Parameters:
    ///   - salt: 32 random bytes, new for each package.
    ///   - noncePrefix: 7 random bytes, new for each package.
    /// - Throws: ``ContainerError/invalidArgument(_:)``, ``ContainerError/tooLarge``.
    init(
        cost: ScryptCost,
        isSessionBound: Bool,
        salt: [UInt8],
        noncePrefix: [UInt8],
        length: UInt64?,
        backupID: [UInt8]
    ) throws(ContainerError) {
        guard salt.count == Self.saltCount else { throw .invalidArgument("salt") }
        guard noncePrefix.count == Self.noncePrefixCount else { throw .invalidArgument("nonce prefix") }
        guard backupID.count == 16 else { throw .invalidArgument("backup identifier") }
        if let length, length > Self.maximumLength { throw .tooLarge }
        self.cost = cost
        self.isSessionBound = isSessionBound
        self.salt = salt
        self.noncePrefix = noncePrefix
        self.length = length
        self.backupID = backupID
    }

    /// Reads the first 96 of `bytes`.
    ///
    /// - Throws: ``ContainerError/truncated``, ``ContainerError/notAPackage``, ``ContainerError/unsupported(_:)``,
    ///   ``ContainerError/unsupportedKDFParameters``, ``ContainerError/tooLarge``.
    public init(_ bytes: [UInt8]) throws(ContainerError) {
        guard bytes.prefix(8).elementsEqual(Self.magic.prefix(bytes.count)) else { throw .notAPackage }
        guard bytes.count >= Self.byteCount else { throw .truncated }
        guard bytes[8] == Self.version else { throw .unsupported("version") }
        guard bytes[9] == Self.scrypt else { throw .unsupported("password check") }
        guard bytes[10] == Self.aesGCM else { throw .unsupported("cipher") }
        guard bytes[11] == Self.segmentLog else { throw .unsupported("segment size") }
        let flags = UInt32(Self.number(bytes[12..<16]))
        guard flags & ~(Self.sessionBound | Self.lengthKnown) == 0 else { throw .unsupported("flag") }
        guard bytes[67] == 0, bytes[92..<96].allSatisfy({ $0 == 0 }) else { throw .unsupported("reserved field") }
        let cost = try ScryptCost(
            logN: UInt32(Self.number(bytes[16..<20])),
            blockSize: UInt32(Self.number(bytes[20..<24])),
            parallelism: UInt32(Self.number(bytes[24..<28]))
        )
        let length = Self.number(bytes[68..<76])
        let isLengthKnown = flags & Self.lengthKnown != 0
        guard isLengthKnown || length == 0 else { throw .unsupported("reserved field") }
        try self.init(
            cost: cost,
            isSessionBound: flags & Self.sessionBound != 0,
            salt: Array(bytes[28..<60]),
            noncePrefix: Array(bytes[60..<67]),
            length: isLengthKnown ? length : nil,
            backupID: Array(bytes[76..<92])
        )
    }

    var bytes: [UInt8] {
        var bytes = Self.magic + [Self.version, Self.scrypt, Self.aesGCM, Self.segmentLog]
        let flags = (isSessionBound ? Self.sessionBound : 0) | (length == nil ? 0 : Self.lengthKnown)
        for number in [flags, cost.logN, ScryptCost.blockSize, cost.parallelism] {
            withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
        }
        bytes += salt + noncePrefix + [0]
        withUnsafeBytes(of: (length ?? 0).bigEndian) { bytes += $0 }
        return bytes + backupID + [0, 0, 0, 0]
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
}
