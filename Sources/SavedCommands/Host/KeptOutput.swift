import SavedCommands

/// The output of one run: its last ``SavedCommandLimits/output`` bytes, without control sequences, and the place of each in all of it.
struct KeptOutput: Sendable {
    private let limit: Int
    private var filter = ControlSequenceFilter()
    private var bytes: ArraySlice<UInt8> = []
    /// The place of the first byte that is kept.
    private(set) var start: Int64 = 0
    /// The place after the last byte.
    var end: Int64 { start + Int64(bytes.count) }

    /// - Parameter limit: In bytes, above 0.
    init(limit: Int = SavedCommandLimits.output) { self.limit = limit }

    /// Adds what the program printed; the oldest bytes go where there are too many.
    mutating func append(_ printed: some Sequence<UInt8>) {
        bytes += filter.filter(printed)
        let excess = bytes.count - limit
        guard excess > 0 else { return }
        start += Int64(excess)
        // A copy of its own, so that the dropped bytes are freed.
        bytes = ArraySlice(Array(bytes.dropFirst(excess)))
    }

    /// The text from a place on, cut between characters.
    ///
    /// - Parameters:
    ///   - offset: Outside of what is kept: the nearest place in it.
    ///   - limit: In bytes, at least four, so that every character fits.
    ///   - isEnded: Whether nothing follows: the rest of a character that never came is shown as a replacement then.
    func part(from offset: Int64, limit: Int = SavedCommandLimits.outputPart, isEnded: Bool) -> CommandOutput {
        let first = min(max(offset, start), end)
        let rest = bytes.dropFirst(Int(first - start))
        var part = rest.prefix(limit)
        let isCut = part.count < rest.count || !isEnded
        if isCut { part = part.dropLast(Self.unfinished(part)) }
        let next = first + Int64(part.count)
        return CommandOutput(
            offset: first,
            next: next,
            text: String(decoding: part, as: UTF8.self),
            isComplete: isEnded && next == end
        )
    }

    /// How many bytes at the end begin a character whose other bytes are missing: 0 to 3.
    private static func unfinished(_ bytes: ArraySlice<UInt8>) -> Int {
        for (count, byte) in bytes.suffix(3).reversed().enumerated() {
            let length =
                switch byte {
                case 0xc2...0xdf: 2
                case 0xe0...0xef: 3
                case 0xf0...0xf4: 4
                case 0x80...0xbf: 0
                default: 1
                }
            if length > 0 { return length > count + 1 ? count + 1 : 0 }
        }
        return 0
    }
}
