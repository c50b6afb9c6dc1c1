import Terminal

/// The newest output of a session, in numbered chunks. The last chunk grows until a device has seen it or it is full, so
/// that a flood travels in few large events and a keystroke's echo at once.
struct TerminalRing {
    struct Chunk: Hashable {
        let seq: Int64
        var text: String
        /// The output's length up to the end of this chunk, in bytes since the session began.
        var end: Int
        /// The window had another size behind it.
        var isResized = false
    }

    /// Bytes kept at least, for a device that asks later. Source, also of the next: `docs/protocol.md`, "Terminal".
    static let byteLimit = 256 * 1024
    /// Bytes kept at most, also when a device has not shown them yet.
    static let neededByteLimit = 1024 * 1024
    static let chunkByteLimit = 192 * 1024
    /// The most that a chunk may cost written as a JSON text inside a JSON text: three fit into one answer, so that a device that asks for the
    /// newest gets more than a prompt.
    static let chunkCostLimit = 200_000
    /// Chunks of a byte each must not cost many times what they hold.
    static let countLimit = 16 * 1024

    private var chunks: [Chunk] = []
    /// The index of the oldest chunk that is kept; those before it leave the array now and then.
    private var head = 0
    private var isLastOpen = false
    private var lastCost = 0
    private(set) var end = 0
    /// The state that the dropped chunks have switched.
    private var state = TerminalState()

    /// The oldest that is kept; that of the next chunk while there is none.
    var firstSeq: Int64 { head < chunks.count ? chunks[head].seq : 1 }
    /// 0 while nothing was written.
    var lastSeq: Int64 { chunks.last?.seq ?? 0 }
    /// The output's length before the oldest chunk.
    var start: Int { head < chunks.count ? chunks[head].end - chunks[head].text.utf8.count : 0 }

    /// - Parameter needed: From this length of the output on a device has not shown it yet.
    mutating func append(_ text: String, needed: Int = .max) {
        var rest = Substring(text)
        while !rest.isEmpty {
            var piece = rest.prefix(bytes: Self.chunkByteLimit)
            if Self.cost(of: piece) > Self.chunkCostLimit {
                piece = rest.prefix(bytes: Self.chunkCostLimit / (1 + Self.escapeCost))
            }
            rest = rest[piece.endIndex...]
            appendPiece(piece)
        }
        while head < chunks.count - 1, isFirstDispensable(needed) {
            state.read(chunks[head])
            chunks[head].text = ""
            head += 1
        }
        if head > 1024, head * 2 > chunks.count {
            chunks.removeFirst(head)
            head = 0
        }
    }

    /// The last chunk has been seen: what comes now is another one.
    mutating func seal() { isLastOpen = false }

    /// The window has another size from here on.
    mutating func resized() {
        guard head < chunks.count else { return state.resized() }
        isLastOpen = false
        chunks[chunks.count - 1].isResized = true
    }

    /// The state that had been switched before a chunk was written. For the oldest it is known, for later ones those before are read.
    func state(before seq: Int64) -> TerminalState {
        var state = state
        for chunk in chunks[head...].prefix(while: { $0.seq < seq }) { state.read(chunk) }
        return state
    }

    /// Nil while a program fills the screen, and where nothing was written.
    var lastLine: String? {
        guard !state(before: lastSeq + 1).hasOtherScreen else { return nil }
        var pieces: [String] = []
        var count = 0
        for chunk in chunks[head...].reversed() where count < TerminalLastLine.tail {
            pieces.append(chunk.text)
            count += chunk.text.utf8.count
        }
        let text = pieces.reversed().joined()
        let isCut = count > TerminalLastLine.tail || end > count
        guard count > TerminalLastLine.tail else { return TerminalLastLine.find(in: text, isCut: isCut) }
        // Decoding mends a letter that is cut, and the rest of its row is left out.
        return TerminalLastLine.find(
            in: String(decoding: text.utf8.suffix(TerminalLastLine.tail), as: UTF8.self),
            isCut: isCut
        )
    }

    /// Whether what is written next may still go into this chunk.
    func isGrowing(_ seq: Int64) -> Bool {
        seq == lastSeq && isLastOpen && chunks[chunks.count - 1].text.utf8.count < Self.chunkByteLimit / 2
    }

    func chunk(_ seq: Int64) -> Chunk? {
        guard seq >= firstSeq, seq <= lastSeq, head < chunks.count else { return nil }
        return chunks[head + Int(seq - firstSeq)]
    }

    /// The output's length up to the end of a chunk, or up to the oldest kept one where it is dropped.
    func end(of seq: Int64) -> Int {
        guard seq >= firstSeq else { return start }
        return chunk(min(seq, lastSeq))?.end ?? end
    }

    private func isFirstDispensable(_ needed: Int) -> Bool {
        if end - start > Self.neededByteLimit || chunks.count - head > Self.countLimit { return true }
        return end - chunks[head].end >= Self.byteLimit && chunks[head].end <= needed
    }

    private mutating func appendPiece(_ piece: Substring) {
        let count = piece.utf8.count
        let cost = Self.cost(of: piece)
        end += count
        if isLastOpen, let last = chunks.last, last.text.utf8.count + count <= Self.chunkByteLimit,
            lastCost + cost <= Self.chunkCostLimit
        {
            chunks[chunks.count - 1].text += piece
            chunks[chunks.count - 1].end = end
            lastCost += cost
        } else {
            chunks.append(Chunk(seq: lastSeq + 1, text: String(piece), end: end))
            isLastOpen = true
            lastCost = cost
        }
    }

    /// The most that a byte that JSON escapes costs beside itself, in a text inside a text.
    private static let escapeCost = 6

    static func cost(of text: some StringProtocol) -> Int {
        func cost(_ bytes: some Sequence<UInt8>) -> Int {
            var (count, escaped) = (0, 0)
            for byte in bytes {
                count &+= 1
                escaped &+= byte < 0x20 || byte == 0x22 || byte == 0x5C ? 1 : 0
            }
            return count + escaped * escapeCost
        }
        return text.utf8.withContiguousStorageIfAvailable { cost($0) } ?? cost(text.utf8)
    }
}

extension TerminalState {
    fileprivate mutating func read(_ chunk: TerminalRing.Chunk) {
        read(chunk.text)
        if chunk.isResized { resized() }
    }
}
