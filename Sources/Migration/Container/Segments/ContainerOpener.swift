public import Foundation

/// Opens a package's segments as its bytes come, in order. Plaintext leaves only when its segment is proved; at most one segment waits.
public struct ContainerOpener {
    private let cipher: SegmentCipher
    private let length: UInt64?
    /// Bytes of a segment that is not whole, or of one that may be the last.
    private var waiting: [UInt8] = []
    private var index: UInt64 = 0
    private var isEnded = false

    public init(header: ContainerHeader) {
        cipher = SegmentCipher(header: header)
        length = header.prefix.length
        waiting.reserveCapacity(SegmentCipher.sealedSegment)
    }

    /// Takes bytes that follow the header, and hands out the plaintext of each segment that they complete.
    ///
    /// - Throws: ``ContainerError/damagedSegment(_:)``, ``ContainerError/truncated``, ``ContainerError/trailingData``,
    ///   ``ContainerError/tooLarge``, and what `take` throws.
    public mutating func append(_ bytes: some Collection<UInt8>, _ take: (Data) throws -> Void) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            guard !isEnded else { throw ContainerError.trailingData }
            // Where the length is unknown, a whole segment waits until another byte shows that it is not the last.
            if length == nil, waiting.count == SegmentCipher.sealedSegment { try openWaiting(isLast: false, take) }
            let piece = rest.prefix(wanted - waiting.count)
            waiting += piece
            rest = rest.dropFirst(piece.count)
            if let length, waiting.count == wanted {
                try openWaiting(isLast: index == SegmentCipher.count(of: length) - 1, take)
            }
        }
    }

    /// Says that no more bytes come.
    ///
    /// - Throws: As ``append(_:_:)``.
    public mutating func finish(_ take: (Data) throws -> Void) throws {
        guard !isEnded else { return }
        // An empty last segment belongs to an empty payload only.
        guard length == nil, waiting.count > SegmentCipher.tag || (index == 0 && waiting.count == SegmentCipher.tag)
        else { throw ContainerError.truncated }
        try openWaiting(isLast: true, take)
    }

    /// Sealed bytes that are missing of the segment that comes, at least one: also where no more may come, so that what is too much is seen.
    var missing: Int {
        guard !isEnded else { return 1 }
        let rest = wanted - waiting.count
        return rest > 0 ? rest : SegmentCipher.sealedSegment
    }

    /// Where the segment that comes next stands in the plaintext, as long as nothing of it came; nil for the last one, and where nobody knows which
    /// that is.
    var next: Range<UInt64>? {
        guard let length, !isEnded, waiting.isEmpty, index + 1 < SegmentCipher.count(of: length) else { return nil }
        let start = index * UInt64(SegmentCipher.segment)
        return start..<start + UInt64(SegmentCipher.segment)
    }

    /// Goes past the segment at ``next``, whose plaintext is known from elsewhere.
    mutating func passOver() { index += 1 }

    /// The segment at ``next`` as the package has it.
    func seal(_ plaintext: [UInt8]) throws -> [UInt8] {
        try cipher.seal(plaintext, at: UInt32(index), isLast: false)
    }

    /// Sealed bytes of the segment that comes next.
    private var wanted: Int {
        guard let length else { return SegmentCipher.sealedSegment }
        let start = index * UInt64(SegmentCipher.segment)
        return Int(min(UInt64(SegmentCipher.segment), length - start)) + SegmentCipher.tag
    }

    private mutating func openWaiting(isLast: Bool, _ take: (Data) throws -> Void) throws {
        guard let counter = UInt32(exactly: index) else { throw ContainerError.tooLarge }
        guard let plaintext = cipher.open(waiting, at: counter, isLast: isLast) else {
            throw failure(counter, isLast: isLast)
        }
        waiting.removeAll(keepingCapacity: true)
        index += 1
        isEnded = isLast
        try take(plaintext)
    }

    /// A segment that opens under the other flag is whole and stands where none of its kind may: something before or behind it is missing
    /// or was added.
    private func failure(_ counter: UInt32, isLast: Bool) -> ContainerError {
        guard cipher.open(waiting, at: counter, isLast: !isLast) != nil else { return .damagedSegment(counter) }
        return isLast ? .truncated : .trailingData
    }
}
