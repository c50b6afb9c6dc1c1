import Testing

@testable import Transfers

@Suite("Records of a bulk connection", .timeLimit(.minutes(2)))
struct BulkRecordTests {
    private let body = TransferID()
    private let keys: BulkKeys
    private let ticket = BulkTicket.random()

    init() { keys = BulkKeys(secret: [UInt8](repeating: 7, count: 32), ticket: ticket) }

    /// A record as it travels, in the pieces in which a reader takes it.
    private func sealed(_ head: BulkRecordHead, _ bytes: [UInt8], by sealer: inout BulkSealer) throws -> [[UInt8]] {
        var pieces = [try sealer.seal(head)]
        var place = 0
        while sealer.nextBlockSize > 0 {
            let next = place + sealer.nextBlockSize
            pieces.append(try sealer.seal(block: bytes[place..<next]))
            place = next
        }
        return pieces
    }

    private func opened(_ pieces: [[UInt8]], by opener: inout BulkOpener) throws -> (BulkRecordHead, [UInt8]) {
        let head = try opener.open(head: pieces[0][...])
        return (head, try pieces.dropFirst().flatMap { try opener.open(block: $0[...]) })
    }

    private func bytes(_ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) } }

    @Test(
        "a record of any length comes out as it went in",
        arguments: [1, 65_535, 65_536, 65_537, 1 << 20]
    )
    func roundTrip(count: Int) throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        var opener = BulkOpener(keys.direction(from: .dialer))
        let head = BulkRecordHead(.data, isFinal: true, body: body, offset: 5, count: count)
        let pieces = try sealed(head, bytes(count), by: &sealer)
        #expect(pieces.dropFirst().allSatisfy { $0.count <= (64 << 10) + 16 })
        let (found, content) = try opened(pieces, by: &opener)
        #expect(found == head)
        #expect(content == bytes(count))
        #expect(!opener.isWithinRecord)
    }

    @Test("every changed byte of a record is noticed, and nothing opens behind it")
    func damage() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        let pieces = try sealed(BulkRecordHead(.data, body: body, count: 40), bytes(40), by: &sealer)
        for (piece, content) in pieces.enumerated() {
            for place in content.indices {
                var changed = pieces
                changed[piece][place] ^= 0x10
                var opener = BulkOpener(keys.direction(from: .dialer))
                #expect(throws: BulkError.damaged) { try opened(changed, by: &opener) }
                #expect(throws: BulkError.damaged) { try opener.open(head: pieces[0][...]) }
            }
        }
    }

    @Test("a record that comes twice, or before another, opens nothing")
    func replayAndReorder() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        let first = try sealed(BulkRecordHead(.data, body: body, count: 8), bytes(8), by: &sealer)
        let second = try sealed(BulkRecordHead(.data, body: body, offset: 8, count: 8), bytes(8), by: &sealer)
        var again = BulkOpener(keys.direction(from: .dialer))
        _ = try opened(first, by: &again)
        #expect(throws: BulkError.damaged) { try opened(first, by: &again) }
        var early = BulkOpener(keys.direction(from: .dialer))
        #expect(throws: BulkError.damaged) { try opened(second, by: &early) }
    }

    @Test("blocks that change places open nothing")
    func swappedBlocks() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        let count = 2 * BulkLimits.blockSize
        var pieces = try sealed(BulkRecordHead(.data, body: body, count: count), bytes(count), by: &sealer)
        pieces.swapAt(1, 2)
        var opener = BulkOpener(keys.direction(from: .dialer))
        #expect(throws: BulkError.damaged) { try opened(pieces, by: &opener) }
    }

    @Test("what one end sent does not open as the other's, nor under another ticket or session")
    func otherKeys() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        let head = try sealer.seal(BulkRecordHead(.want, body: body, count: 1))
        let others = [
            keys.direction(from: .listener),
            BulkKeys(secret: [UInt8](repeating: 7, count: 32), ticket: .random()).direction(from: .dialer),
            BulkKeys(secret: [UInt8](repeating: 8, count: 32), ticket: ticket).direction(from: .dialer),
        ]
        for other in others {
            var opener = BulkOpener(other)
            #expect(throws: BulkError.damaged) { try opener.open(head: head[...]) }
        }
    }

    @Test("a connection that ends before its last record was cut")
    func truncation() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        var opener = BulkOpener(keys.direction(from: .dialer))
        _ = try opened(try sealed(BulkRecordHead(.data, isFinal: true, body: body), [], by: &sealer), by: &opener)
        #expect(throws: BulkError.truncated) { try opener.finish() }
        _ = try opener.open(head: sealer.seal(BulkRecordHead(.end, body: body))[...])
        try opener.finish()
        #expect(throws: BulkError.closed) { try sealer.seal(BulkRecordHead(.end, body: body)) }
    }

    @Test("behind the final record of a file comes none of its data, and another file goes on")
    func final() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        _ = try sealed(BulkRecordHead(.data, isFinal: true, body: body, count: 1), [1], by: &sealer)
        #expect(throws: BulkError.malformed("data behind the end of a file")) {
            try sealer.seal(BulkRecordHead(.data, body: body, offset: 1, count: 1))
        }
        _ = try sealed(BulkRecordHead(.data, body: TransferID(), count: 1), [1], by: &sealer)
    }

    @Test("heads outside of their bounds are neither sealed nor read")
    func bounds() throws {
        let wrong = [
            BulkRecordHead(.data, body: body), BulkRecordHead(.data, body: body, count: (1 << 20) + 1),
            BulkRecordHead(.want, body: body, count: 0), BulkRecordHead(.want, isFinal: true, body: body, count: 1),
            BulkRecordHead(.data, body: body, offset: TransferLimits.fileSize + 1, count: 1),
            BulkRecordHead(.refused, body: body, count: 3), BulkRecordHead(.refused, body: body, count: 1029),
            BulkRecordHead(.end, body: body, count: 1),
        ]
        for head in wrong {
            var sealer = BulkSealer(keys.direction(from: .dialer))
            #expect(throws: BulkError.self) { try sealer.seal(head) }
            #expect(throws: BulkError.self) { try BulkRecordHead(bytes: head.bytes) }
        }
        #expect(throws: BulkError.malformed("a record's flags")) {
            try BulkRecordHead(bytes: [1, 2, 0, 0] + [UInt8](repeating: 0, count: 27) + [1])
        }
    }

    @Test("one connection carries so many files and no more")
    func bodies() throws {
        var sealer = BulkSealer(keys.direction(from: .dialer))
        for _ in 0..<BulkLimits.bodies {
            _ = try sealed(BulkRecordHead(.data, body: TransferID(), count: 1), [1], by: &sealer)
        }
        #expect(throws: BulkError.exhausted) {
            try sealer.seal(BulkRecordHead(.data, body: TransferID(), count: 1))
        }
    }

    @Test("no key is printed")
    func printing() {
        #expect("\(keys) \(ticket)" == "keys of a bulk connection a ticket of a bulk connection")
    }
}
