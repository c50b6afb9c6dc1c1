import Testing

@testable import Sealing

@Suite("Sealed sessions", .timeLimit(.minutes(4)))
struct SealedSessionTests {
    private let start = ContinuousClock().now
    private static let id = [UInt8](0..<16)

    private func sessions(
        _ policy: RekeyPolicy = .standard,
        id: [UInt8] = id
    ) throws -> (phone: SealedSession, desktop: SealedSession) {
        let keys = try HandshakePair.finished()
        return (
            try SealedSession(id: id, keys: keys.initiator, policy: policy, now: start),
            try SealedSession(id: id, keys: keys.responder, policy: policy, now: start)
        )
    }

    private func open(
        _ record: SealedRecord,
        in session: inout SealedSession,
        after time: Duration = .zero
    ) throws(SealingError) -> [UInt8] {
        try session.open(
            generation: record.generation,
            sequence: record.sequence,
            ciphertext: record.ciphertext[...],
            now: start.advanced(by: time),
            reading: Array.init
        )
    }

    @Test("bodies of every size go both ways, padded as documented")
    func roundTrip() throws {
        var (phone, desktop) = try sessions()
        for (count, padded) in [
            (0, 64), (1, 64), (60, 64), (61, 128), (1020, 1024), (1021, 1280), (1276, 1280), (1277, 1536),
            (70000, 70144),
        ] {
            let body = (0..<count).map { UInt8(truncatingIfNeeded: $0) }
            let record = try phone.seal(body, now: start)
            #expect(record.ciphertext.count == padded + 16)
            #expect(record.generation == 0)
            #expect(try open(record, in: &desktop) == body)
            let answer = try desktop.seal(body, now: start)
            #expect(answer.sequence == record.sequence)
            #expect(try open(answer, in: &phone) == body)
        }
    }

    @Test("a record is AES-GCM under the handshake's key, with the documented nonce and associated data")
    func layout() throws {
        let keys = try HandshakePair.finished()
        var phone = try SealedSession(id: Self.id, keys: keys.initiator, now: start)
        var desktop = try SealedSession(id: Self.id, keys: keys.responder, now: start)
        _ = try phone.seal([], now: start)
        let record = try phone.seal([1, 2, 3], now: start)
        let plaintext = [0, 0, 0, 3, 1, 2, 3] + [UInt8](repeating: 0, count: 57)
        #expect(record.sequence == 1)
        let opened = NoiseCipher(key: keys.initiator.sendKey)
            .open(record.ciphertext[...], nonce: 1, authenticating: Self.id + [0, 0, 0, 0, 0, 1])
        #expect(opened == plaintext)
        let answer = try desktop.seal([1, 2, 3], kind: 7, now: start)
        let answered = NoiseCipher(key: keys.responder.sendKey)
            .open(answer.ciphertext[...], nonce: 0, authenticating: Self.id + [0, 0, 0, 0, 1, 7])
        #expect(answered == plaintext)
    }

    @Test("a record is taken once, in any order, over any number of links")
    func replay() throws {
        var (phone, desktop) = try sessions()
        let records = try (0..<40).map { try phone.seal([UInt8($0)], now: start) }
        for (index, record) in records.enumerated().reversed() {
            #expect(try open(record, in: &desktop) == [UInt8(index)])
        }
        for record in records {
            #expect(throws: SealingError.recordRepeated) { try open(record, in: &desktop) }
        }
    }

    @Test("a record 1023 behind is taken, one 1024 behind is not")
    func window() throws {
        var (phone, desktop) = try sessions()
        let records = try (0...1024).map { _ in try phone.seal([9], now: start) }
        #expect(try open(records[1024], in: &desktop) == [9])
        #expect(throws: SealingError.recordRepeated) { try open(records[0], in: &desktop) }
        #expect(try open(records[1], in: &desktop) == [9])
        #expect(throws: SealingError.recordRepeated) { try open(records[1], in: &desktop) }
    }

    @Test("a record with any byte changed, or other numbers, kind, session or keys is refused and changes nothing")
    func forgery() throws {
        var (phone, desktop) = try sessions()
        let record = try phone.seal([1, 2, 3], now: start)
        for index in record.ciphertext.indices {
            var changed = record
            changed.ciphertext[index] ^= 1
            #expect(throws: SealingError.recordRefused) { try open(changed, in: &desktop) }
        }
        var renumbered = record
        renumbered.sequence = 900_000
        #expect(throws: SealingError.recordRefused) { try open(renumbered, in: &desktop) }
        renumbered = record
        renumbered.generation = 1
        #expect(throws: SealingError.recordRefused) { try open(renumbered, in: &desktop) }
        renumbered.generation = 2
        #expect(throws: SealingError.unknownGeneration(2)) { try open(renumbered, in: &desktop) }
        renumbered.generation = .max
        #expect(throws: SealingError.unknownGeneration(.max)) { try open(renumbered, in: &desktop) }
        for cut in [
            [], Array(record.ciphertext.prefix(15)), Array(record.ciphertext.dropLast()), record.ciphertext + [0],
        ] {
            let changed = SealedRecord(generation: 0, sequence: 0, ciphertext: cut)
            #expect(throws: SealingError.recordRefused) { try open(changed, in: &desktop) }
        }
        #expect(throws: SealingError.recordRefused) {
            try desktop.open(
                generation: 0,
                sequence: 0,
                ciphertext: record.ciphertext[...],
                kind: 2,
                now: start,
                reading: Array.init
            )
        }
        var (_, stranger) = try sessions()
        #expect(throws: SealingError.recordRefused) { try open(record, in: &stranger) }
        // Neither the window nor the generation moved: the true record is still the first.
        #expect(try open(record, in: &desktop) == [1, 2, 3])
        #expect(desktop.receivedGeneration(lowByte: 1) == 1)
        #expect(desktop.receivedGeneration(lowByte: 2) == nil)
    }

    @Test("the same keys under another session id open nothing")
    func sessionID() throws {
        let keys = try HandshakePair.finished()
        var phone = try SealedSession(id: Self.id, keys: keys.initiator, now: start)
        var desktop = try SealedSession(id: Self.id.reversed(), keys: keys.responder, now: start)
        let record = try phone.seal([1], now: start)
        #expect(throws: SealingError.recordRefused) { try open(record, in: &desktop) }
        #expect(throws: SealingError.wrongLength(of: "session id", expected: 16, actual: 15)) {
            try SealedSession(id: Array(Self.id.dropLast()), keys: keys.initiator, now: start)
        }
    }

    @Test("a record sent back to its sender is refused")
    func reflection() throws {
        var (phone, desktop) = try sessions()
        let record = try phone.seal([1], now: start)
        #expect(throws: SealingError.recordRefused) { try open(record, in: &phone) }
        let answer = try desktop.seal([2], now: start)
        #expect(throws: SealingError.recordRefused) { try open(answer, in: &desktop) }
        #expect(try open(record, in: &desktop) == [1])
        #expect(try open(answer, in: &phone) == [2])
    }

    @Test("the key changes after as many records as the policy says, and the sequence goes on")
    func rekeyByCount() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 3, bytes: 1 << 30, age: .seconds(900)))
        var generations: [UInt32] = []
        for index in 0..<10 {
            let record = try phone.seal([UInt8(index)], now: start)
            generations.append(record.generation)
            #expect(record.sequence == UInt64(index))
            #expect(try open(record, in: &desktop) == [UInt8(index)])
        }
        #expect(generations == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3])
    }

    @Test("the key changes before it has sealed more bytes than the policy says")
    func rekeyByBytes() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 1000, bytes: 128, age: .seconds(900)))
        let records = try (0..<5).map { _ in try phone.seal([1], now: start) }
        #expect(records.map(\.generation) == [0, 0, 1, 1, 2])
        for record in records { #expect(try open(record, in: &desktop) == [1]) }
        // One record above the limit still goes out, alone.
        #expect(try phone.seal([UInt8](repeating: 0, count: 500), now: start).generation == 3)
        #expect(try phone.seal([1], now: start).generation == 4)
    }

    @Test("the key changes after 15 minutes, once, however long nothing was sent")
    func rekeyByAge() throws {
        var (phone, desktop) = try sessions()
        for (seconds, generation) in [(0, 0), (899, 0), (900, 1), (1799, 1), (90000, 2)] as [(Int64, UInt32)] {
            let record = try phone.seal([1], now: start.advanced(by: .seconds(seconds)))
            #expect(record.generation == generation)
            #expect(try open(record, in: &desktop, after: .seconds(seconds)) == [1])
        }
    }

    @Test("the documented limits are 65,536 records, 1 GiB and 15 minutes")
    func standardPolicy() throws {
        #expect(RekeyPolicy.standard == RekeyPolicy(records: 65536, bytes: 1_073_741_824, age: .seconds(900)))
        var keys = SendingKeys(
            cipher: NoiseCipher(key: [UInt8](repeating: 1, count: 32)),
            policy: .standard,
            now: start
        )
        for _ in 0..<65536 { #expect(try keys.take(bytes: 64, now: start).0 == 0) }
        #expect(try keys.take(bytes: 64, now: start) == (1, 65536))
    }

    @Test("records of the previous generation are taken for 60 s, and then no more")
    func previousGeneration() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 3, bytes: 1 << 30, age: .seconds(900)))
        let records = try (0..<9).map { try phone.seal([UInt8($0)], now: start) }
        #expect(try open(records[3], in: &desktop) == [3])
        #expect(try open(records[0], in: &desktop, after: .seconds(59)) == [0])
        #expect(throws: SealingError.unknownGeneration(0)) { try open(records[1], in: &desktop, after: .seconds(60)) }
        #expect(throws: SealingError.unknownGeneration(0)) { try open(records[1], in: &desktop, after: .seconds(1)) }
        // Two generations back are never taken.
        #expect(try open(records[6], in: &desktop, after: .seconds(61)) == [6])
        #expect(try open(records[4], in: &desktop, after: .seconds(62)) == [4])
        #expect(throws: SealingError.unknownGeneration(0)) { try open(records[2], in: &desktop, after: .seconds(62)) }
    }

    @Test("records lost around a change of key do not matter, but a whole generation lost does")
    func lostRecords() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 4, bytes: 1 << 30, age: .seconds(900)))
        let records = try (0..<16).map { try phone.seal([UInt8($0)], now: start) }
        // The end of generation 0 and the start of 1 are lost.
        #expect(try open(records[1], in: &desktop) == [1])
        #expect(try open(records[6], in: &desktop) == [6])
        // Generation 2 is lost altogether.
        #expect(throws: SealingError.unknownGeneration(3)) { try open(records[12], in: &desktop) }
        #expect(try open(records[7], in: &desktop) == [7])
        #expect(try open(records[8], in: &desktop) == [8])
        #expect(try open(records[12], in: &desktop) == [12])
    }

    @Test("a forged record of the next generation does not move the receiver to it")
    func forgedRekey() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 2, bytes: 1 << 30, age: .seconds(900)))
        let records = try (0..<3).map { try phone.seal([UInt8($0)], now: start) }
        for sequence: UInt64 in 0..<5 {
            let forged = SealedRecord(
                generation: 1,
                sequence: sequence,
                ciphertext: [UInt8](repeating: 0, count: 80)
            )
            #expect(throws: SealingError.recordRefused) { try open(forged, in: &desktop) }
        }
        // Had it moved, generation 0 would be gone by now.
        #expect(try open(records[0], in: &desktop, after: .seconds(3600)) == [0])
        #expect(try open(records[2], in: &desktop, after: .seconds(3600)) == [2])
        #expect(try open(records[1], in: &desktop, after: .seconds(3601)) == [1])
    }

    @Test("the low byte of a generation names the one that may be in use")
    func lowByte() throws {
        var (phone, desktop) = try sessions(RekeyPolicy(records: 1, bytes: 1 << 30, age: .seconds(900)))
        for index in 0..<258 {
            let record = try phone.seal([1], now: start)
            #expect(desktop.receivedGeneration(lowByte: UInt8(truncatingIfNeeded: index)) == UInt32(index))
            #expect(try open(record, in: &desktop) == [1])
        }
        #expect(desktop.receivedGeneration(lowByte: 0) == 256)
        #expect(desktop.receivedGeneration(lowByte: 1) == 257)
        #expect(desktop.receivedGeneration(lowByte: 2) == 258)
        #expect(desktop.receivedGeneration(lowByte: 3) == nil)
    }

    @Test("bodies and ciphertexts above the limit are refused before anything is done with them")
    func bounds() throws {
        var (phone, desktop) = try sessions()
        let limit = SealedSession.maximumBodyBytes
        #expect(throws: SealingError.tooLong(bytes: limit + 1, limit: limit)) {
            try phone.seal([UInt8](repeating: 0, count: limit + 1), now: start)
        }
        #expect(try phone.seal([], now: start).sequence == 0)
        let record = try phone.seal([UInt8](repeating: 4, count: limit), now: start)
        let longest = record.ciphertext.count
        #expect(throws: SealingError.tooLong(bytes: longest + 1, limit: longest)) {
            try desktop.open(
                generation: 0,
                sequence: 1,
                ciphertext: (record.ciphertext + [0])[...],
                now: start,
                reading: Array.init
            )
        }
        #expect(try open(record, in: &desktop).count == limit)
    }

    @Test("a verified record whose length does not fit is refused, and counts as seen")
    func malformedLength() throws {
        let keys = try HandshakePair.finished()
        var desktop = try SealedSession(id: Self.id, keys: keys.responder, now: start)
        let data = Self.id + [0, 0, 0, 0, 0, 1]
        for (sequence, plaintext) in [[0, 0, 0, 61] + [UInt8](repeating: 0, count: 60), [255, 255, 255, 255], []]
            .enumerated()
        {
            let sealed = try NoiseCipher(key: keys.initiator.sendKey)
                .seal(plaintext, nonce: UInt64(sequence), authenticating: data)
            let record = SealedRecord(generation: 0, sequence: UInt64(sequence), ciphertext: sealed)
            #expect(throws: SealingError.malformedContents("a record")) { try open(record, in: &desktop) }
            #expect(throws: SealingError.recordRepeated) { try open(record, in: &desktop) }
        }
    }

    @Test("the greatest number is never used, nor believed")
    func exhaustion() throws {
        var (_, desktop) = try sessions()
        let record = SealedRecord(generation: 0, sequence: .max, ciphertext: [UInt8](repeating: 0, count: 80))
        #expect(throws: SealingError.recordRepeated) { try open(record, in: &desktop) }
    }
}
