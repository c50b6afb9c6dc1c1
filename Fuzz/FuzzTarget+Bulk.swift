import Kernel
import Transfers

extension FuzzTarget {
    /// What a bulk connection says before anything is sealed, what a record's head says once it is opened, and the ticket in a session's frame:
    /// what is read is written so that it is read again, in bounds, and no greeting opens a connection but the dialer's.
    static let bulkGreeting = FuzzTarget(name: "bulk-greeting") { bytes in
        if let greeting = try? BulkGreeting(bytes: bytes) {
            guard greeting.bytes == bytes else { finding("a greeting that changes when it is written") }
            let tickets = BulkTickets(time: .awake)
            if greeting.bytes != Bulk.greeting, greeting.ticketID == Bulk.ticket.id,
                greeting.proves(Bulk.keys, role: .dialer)
            {
                finding("a token that nobody made")
            }
            if (try? tickets.admit(greeting, close: {})) != nil { finding("a connection without a ticket") }
        }
        if let offer = BulkOffer(bytes: bytes[...]) {
            guard offer.bytes == bytes, offer.port > 0 else { finding("a ticket that changes when it is written") }
        }
        if let frame = TransferFrame(bytes) {
            // A sentence that is no UTF-8 is mended when it is read, so it is compared as it reads again.
            let again = TransferFrame(frame.bytes)
            guard let again, again.transfer == frame.transfer, again.offset == frame.offset else {
                finding("a frame that changes when it is written")
            }
        }
        guard let head = try? BulkRecordHead(bytes: bytes) else { return }
        guard head.bytes == bytes else { finding("a head that changes when it is written") }
        guard (0...BulkLimits.recordSize).contains(head.count), (0...TransferLimits.fileSize).contains(head.offset),
            head.payloadSize == 0 || head.payloadSize == head.count
        else { finding("a head out of bounds") }
    }

    /// The records of one end, with what the input does to them on the way: what opens is what was sent, from the first record on and
    /// without a gap, nothing opens behind the first damage, and only the whole row has an end.
    static let bulkRecords = FuzzTarget(name: "bulk-records") { bytes in
        let stream = changed(Bulk.stream, by: bytes)
        var opener = BulkOpener(Bulk.keys.direction(from: .dialer))
        var (place, opened) = (0, 0)
        while stream.count - place >= opener.expectedSize {
            let piece = stream[place..<place + opener.expectedSize]
            place += piece.count
            do throws(BulkError) {
                let plain = opener.isWithinRecord ? try opener.open(block: piece) : try opener.open(head: piece).bytes
                guard opened < Bulk.plain.count, plain == Bulk.plain[opened] else { finding("nobody sent that") }
                opened += 1
            } catch {
                // What would have opened in its place does not any more.
                guard opened < Bulk.sealed.count else { break }
                let next = Bulk.sealed[opened][...]
                if (try? opener.open(head: next)) != nil || (try? opener.open(block: next)) != nil {
                    finding("something opened behind damage")
                }
                break
            }
        }
        guard opener.expectedSize <= BulkLimits.blockSize + 16 else { finding("more is read than a block has") }
        if (try? opener.finish()) != nil, opened < Bulk.plain.count { finding("an end that nobody sent") }
    }

    /// Does what the input says to a stream: three bytes each, what and two places in sixteenths of it, until it is used up.
    private static func changed(_ stream: [UInt8], by input: [UInt8]) -> [UInt8] {
        var stream = stream
        for start in stride(from: 0, to: min(input.count, 24) - 2, by: 3) where !stream.isEmpty {
            let (what, first, second) = (input[start], Int(input[start + 1]), Int(input[start + 2]))
            let place = first * stream.count / 256
            let end = min(stream.count, place + second)
            switch what % 6 {
            case 0: stream[place] ^= UInt8(second == 0 ? 1 : second)
            case 1: stream.removeSubrange(place..<end)
            case 2: stream.insert(contentsOf: Array(stream[place..<end]), at: place)
            case 3: stream.insert(contentsOf: input, at: place)
            case 4: stream.removeLast(min(second, stream.count))
            default: stream = Array(stream[place...] + stream[..<place])
            }
        }
        return stream
    }
}

/// What one end of a bulk connection says, always the same.
private enum Bulk {
    static let ticket: BulkTicket = {
        let (id, salt) = (BulkTicket.idSize, BulkTicket.saltSize)
        guard let ticket = BulkTicket(id: bytes(5, id), salt: bytes(6, salt)) else {
            FuzzTarget.finding("a ticket cannot be made")
        }
        return ticket
    }()
    static let keys = BulkKeys(secret: bytes(7, 32), ticket: ticket)
    static let greeting = BulkGreeting(ticket, keys, from: .dialer).bytes
    /// Heads and blocks as they travel, and what is in them.
    static let (sealed, plain): ([[UInt8]], [[UInt8]]) = {
        guard let first = TransferID(bytes(1, 16)), let second = TransferID(bytes(2, 16)) else {
            FuzzTarget.finding("a transfer's id cannot be made")
        }
        let heads = [
            BulkRecordHead(.want, body: first, offset: 512, count: 64),
            BulkRecordHead(.data, body: second, count: 300),
            BulkRecordHead(.taken, body: second, count: 300),
            BulkRecordHead(.data, isFinal: true, body: first, offset: 300, count: 40),
            BulkRecordHead(.refused, body: second, count: 20),
            BulkRecordHead(.end, body: first),
        ]
        var sealer = BulkSealer(keys.direction(from: .dialer))
        var (sealed, plain): ([[UInt8]], [[UInt8]]) = ([], [])
        do throws(BulkError) {
            for head in heads {
                sealed.append(try sealer.seal(head))
                plain.append(head.bytes)
                while sealer.nextBlockSize > 0 {
                    let block = bytes(UInt8(plain.count), sealer.nextBlockSize)
                    sealed.append(try sealer.seal(block: block[...]))
                    plain.append(block)
                }
            }
        } catch {
            FuzzTarget.finding("a record cannot be sealed: \(error)")
        }
        return (sealed, plain)
    }()
    static let stream = sealed.flatMap(\.self)

    private static func bytes(_ value: UInt8, _ count: Int) -> [UInt8] { [UInt8](repeating: value, count: count) }
}
