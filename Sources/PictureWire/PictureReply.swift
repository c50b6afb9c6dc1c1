/// The picture program's reply to a ``PictureRequest``: this header, then ``textCount`` bytes of UTF-8, then ``byteCount`` bytes of the result.
package struct PictureReply: Hashable, Sendable {
    package enum Outcome: UInt8, Hashable, Sendable {
        /// The result follows. ``width`` and ``height`` are its own, or the claimed ones of a header.
        case done = 0
        case notAPicture = 1
        /// The text says why.
        case damaged = 2
        /// The library does not work here; the text says why.
        case unavailable = 3
        /// ``width`` × ``height`` exceed the request's limit. Nothing was decoded.
        case tooLarge = 4
        /// Not even one pixel fits into the wanted bytes.
        case doesNotFit = 5
    }

    /// The longest text in bytes.
    package static let textLimit = 255
    /// Bytes of a header.
    package static let size = 24
    /// "TPA" and the version of the frames.
    private static let magic: [UInt8] = [0x54, 0x50, 0x41, 1]

    package let outcome: Outcome
    package var width = 0
    package var height = 0
    package var pages = 0
    package var textCount = 0
    package var byteCount = 0

    package init(_ outcome: Outcome) { self.outcome = outcome }

    /// - Returns: Nil for anything that ``bytes`` does not make. The counts are claims: the caller holds them against its bounds.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.size, bytes.starts(with: Self.magic), bytes[6] == 0, bytes[7] == 0,
            let outcome = Outcome(rawValue: bytes[4])
        else { return nil }
        self.init(outcome)
        textCount = Int(bytes[5])
        width = BigEndian.number(in: bytes, at: 8)
        height = BigEndian.number(in: bytes, at: 12)
        pages = BigEndian.number(in: bytes, at: 16)
        byteCount = BigEndian.number(in: bytes, at: 20)
    }

    /// The header as it is sent.
    package var bytes: [UInt8] {
        var bytes = Self.magic + [outcome.rawValue, UInt8(clamping: textCount), 0, 0]
        for number in [width, height, pages, byteCount] { BigEndian.append(number, to: &bytes) }
        return bytes
    }
}
