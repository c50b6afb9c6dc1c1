/// The first that the picture program says, once it is confined: this header, then ``versionCount`` bytes with the library's version.
package struct PictureHello: Hashable, Sendable {
    /// The longest version in bytes.
    package static let versionLimit = 32
    /// Bytes of a header.
    package static let size = 6
    /// "TPH" and the version of the frames.
    private static let magic: [UInt8] = [0x54, 0x50, 0x48, 1]

    package let confinement: PictureConfinement
    /// 1 to ``versionLimit``.
    package let versionCount: Int

    package init(_ confinement: PictureConfinement, versionCount: Int) {
        self.confinement = confinement
        self.versionCount = min(max(versionCount, 1), Self.versionLimit)
    }

    /// - Returns: Nil for anything that ``bytes`` does not make: another program, or one of another version.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic), (1...Self.versionLimit).contains(Int(bytes[5]))
        else { return nil }
        self.init(PictureConfinement(rawValue: bytes[4]), versionCount: Int(bytes[5]))
    }

    /// The header as it is sent.
    package var bytes: [UInt8] { Self.magic + [confinement.rawValue, UInt8(versionCount)] }
}
