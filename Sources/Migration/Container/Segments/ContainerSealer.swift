import Foundation

/// Makes any range of a package's bytes from a payload that can be read at any place. The same range has the same bytes each time, so a
/// transfer goes on without a copy of the package. The payload must not change: other bytes under one nonce would give the key away.
public struct ContainerSealer: Sendable {
    private let header: ContainerHeader
    private let cipher: SegmentCipher
    private let payloadLength: UInt64
    /// Bytes of the whole package.
    public let length: UInt64

    /// - Throws: ``ContainerError/invalidArgument(_:)`` for a header without a length.
    public init(header: ContainerHeader) throws(ContainerError) {
        guard let payloadLength = header.prefix.length else { throw .invalidArgument("length") }
        self.header = header
        self.payloadLength = payloadLength
        cipher = SegmentCipher(header: header)
        length = SegmentCipher.packageLength(of: payloadLength)
    }

    /// The package's bytes in `range`, at most 16 MiB.
    ///
    /// - Parameter read: Exactly the payload's bytes of a range of at most one segment.
    /// - Throws: ``ContainerError/invalidArgument(_:)`` for a range outside the package or an answer of another length; what `read` throws.
    public func bytes(in range: Range<UInt64>, reading read: (Range<UInt64>) throws -> [UInt8]) throws -> [UInt8] {
        try bytes(in: range, sealing: { try segment($0, reading: read) })
    }

    /// - Parameter seal: A whole sealed segment, as ``segment(_:reading:)`` makes it.
    func bytes(in range: Range<UInt64>, sealing seal: (UInt64) throws -> [UInt8]) throws -> [UInt8] {
        guard range.upperBound <= length, range.count <= 16 << 20 else { throw ContainerError.invalidArgument("range") }
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var place = range.lowerBound
        let head = UInt64(ContainerHeader.byteCount)
        if place < head, place < range.upperBound {
            let end = min(head, range.upperBound)
            result += header.bytes[Int(place)..<Int(end)]
            place = end
        }
        while place < range.upperBound {
            let index = (place - head) / UInt64(SegmentCipher.sealedSegment)
            let sealed = try seal(index)
            let start = head + index * UInt64(SegmentCipher.sealedSegment)
            let end = min(start + UInt64(sealed.count), range.upperBound)
            result += sealed[Int(place - start)..<Int(end - start)]
            place = end
        }
        return result
    }

    /// A whole sealed segment.
    func segment(_ index: UInt64, reading read: (Range<UInt64>) throws -> [UInt8]) throws -> [UInt8] {
        let start = index * UInt64(SegmentCipher.segment)
        let end = min(start + UInt64(SegmentCipher.segment), payloadLength)
        let plaintext = start < end ? try read(start..<end) : []
        guard plaintext.count == Int(end - start) else { throw ContainerError.invalidArgument("payload") }
        return try cipher.seal(
            plaintext,
            at: UInt32(index),
            isLast: index == SegmentCipher.count(of: payloadLength) - 1
        )
    }
}
