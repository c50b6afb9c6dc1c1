import Crypto
import Foundation

/// Seals and opens single segments: AES-256-GCM with the nonce prefix 7 ‖ counter 4 ‖ last 1 of the STREAM construction. Source:
/// `docs/protocol.md` 2.13.
public struct SegmentCipher: Sendable {
    /// Bytes of a segment's plaintext. Larger ones pass the size above which allocators map fresh pages for each block, at a fifth of the
    /// speed.
    public static let segment = 65_536
    public static let tag = 16
    /// Bytes of a whole sealed segment.
    public static let sealedSegment = segment + tag

    private let prefix: [UInt8]
    private let key: SymmetricKey

    init(header: ContainerHeader) {
        prefix = header.prefix.noncePrefix
        key = header.keys.payload
    }

    /// Segments of a payload; an empty one has one, which is empty.
    static func count(of length: UInt64) -> UInt64 { max(1, (length + UInt64(segment) - 1) / UInt64(segment)) }

    /// Bytes of a whole package, header included.
    public static func packageLength(of length: UInt64) -> UInt64 {
        UInt64(ContainerHeader.byteCount) + length + count(of: length) * UInt64(tag)
    }

    /// Where the segments that lie wholly within a part of the plaintext stand in the package; nil where there is none.
    public static func sealedRange(within plaintext: Range<UInt64>) -> Range<UInt64>? {
        guard plaintext.upperBound <= ContainerPrefix.maximumLength else { return nil }
        let size = UInt64(segment)
        let (first, end) = ((plaintext.lowerBound + size - 1) / size, plaintext.upperBound / size)
        guard first < end else { return nil }
        let head = UInt64(ContainerHeader.byteCount)
        return head + first * UInt64(sealedSegment)..<head + end * UInt64(sealedSegment)
    }

    func seal(_ plaintext: some DataProtocol, at index: UInt32, isLast: Bool) throws -> [UInt8] {
        let box = try AES.GCM.seal(plaintext, using: key, nonce: try nonce(index, isLast: isLast))
        var sealed: [UInt8] = []
        sealed.reserveCapacity(box.ciphertext.count + Self.tag)
        sealed += box.ciphertext
        sealed += box.tag
        return sealed
    }

    /// Nil where the segment is not the one that was sealed at this place.
    func open(_ sealed: some DataProtocol, at index: UInt32, isLast: Bool) -> Data? {
        guard sealed.count >= Self.tag, let nonce = try? nonce(index, isLast: isLast),
            let box = try? AES.GCM.SealedBox(
                nonce: nonce,
                ciphertext: sealed.dropLast(Self.tag),
                tag: sealed.suffix(Self.tag)
            )
        else { return nil }
        return try? AES.GCM.open(box, using: key)
    }

    private func nonce(_ index: UInt32, isLast: Bool) throws -> AES.GCM.Nonce {
        var bytes = prefix
        withUnsafeBytes(of: index.bigEndian) { bytes += $0 }
        bytes.append(isLast ? 1 : 0)
        return try AES.GCM.Nonce(data: bytes)
    }
}
