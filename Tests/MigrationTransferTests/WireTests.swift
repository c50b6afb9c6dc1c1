import Kernel
import MigrationTransfer
import Testing

@Suite("The migration's wire")
struct WireTests {
    @Test("a frame is u32 total, u32 JSON length, JSON and raw bytes, and is read back from single bytes")
    func framing() throws {
        let frame = MigrationFrame(json: ["type": "Ping", "payload": [:]], raw: [1, 2, 3])
        let body = try frame.body()
        let json = Array(#"{"payload":{},"type":"Ping"}"#.utf8)
        #expect(body == [0, 0, 0, UInt8(json.count)] + json + [1, 2, 3])
        var reader = MigrationFrameReader()
        for byte in [0, 0, 0, UInt8(body.count)] + body.dropLast() {
            reader.append([byte])
            #expect(try reader.next() == nil)
        }
        reader.append([3, 9])
        #expect(try reader.next() == body)
        #expect(reader.pendingBytes == 1)
        #expect(try MigrationFrame(body: body) == frame)
    }

    @Test(
        "bodies come out whole and in order, whatever parts the stream comes in",
        arguments: [1, 2, 3, 7, 64, 100_000]
    )
    func parts(step: Int) throws {
        let bodies = [0, 1, 5, 300, 0, 16_000, 2].map { count in
            (0..<count).map { UInt8(truncatingIfNeeded: $0 ^ count) }
        }
        let stream = bodies.flatMap { withUnsafeBytes(of: UInt32($0.count).bigEndian) { Array($0) } + $0 }
        var reader = MigrationFrameReader()
        var found: [[UInt8]] = []
        for start in stride(from: 0, to: stream.count, by: step) {
            reader.append(stream[start..<min(start + step, stream.count)])
            // A reader that has enough takes one, and the rest once more arrived.
            if let body = try reader.next() { found.append(body) }
        }
        while let body = try reader.next() { found.append(body) }
        #expect(found == bodies)
        #expect(reader.pendingBytes == 0)
    }

    @Test("a length above the bound is refused when it arrives, before the body")
    func lengths() throws {
        var reader = MigrationFrameReader()
        reader.append([0, 0, 0x40, 1])
        #expect(throws: MigrationTransferError.messageTooLarge(bytes: 0x4001, limit: 0x4000)) { try reader.next() }
        reader = MigrationFrameReader(limit: MigrationFrame.maximumTotalBytes)
        reader.append([1, 1, 0, 1])
        #expect(throws: MigrationTransferError.messageTooLarge(bytes: 0x0101_0001, limit: 0x0101_0000)) {
            try reader.next()
        }
    }

    @Test("lengths within a body that disagree or are too large are refused")
    func innerLengths() {
        for (body, error) in [
            ([0, 0x10, 0, 1], .messageTooLarge(bytes: 0x10_0001, limit: 0x10_0000)),
            ([0, 0, 0], .malformedMessage(what: "lengths disagree")),
            ([0, 0, 0, 5, 1, 2], .malformedMessage(what: "lengths disagree")),
            ([0, 0, 0, 1, 0x7B], .malformedMessage(what: "not JSON")),
        ] as [([UInt8], MigrationTransferError)] {
            #expect(throws: error) { try MigrationFrame(body: body) }
        }
    }

    @Test("a word of a later version in a status is read, and written as it came")
    func openWords() throws {
        let ack = MigrationFrame(json: [
            "type": "ChunkAck", "payload": ["transferId": "t", "index": 1, "status": "maybe"],
        ])
        guard case .chunkAck(let read) = try MigrationMessage(ack) else {
            Issue.record("not read as ChunkAck")
            return
        }
        #expect(read.status == .unknown("maybe"))
        #expect(try MigrationMessage.chunkAck(read).frame() == ack)
        let done = MigrationFrame(json: ["type": "Complete", "payload": ["transferId": "t", "status": "polished"]])
        guard case .complete(let completion) = try MigrationMessage(done) else {
            Issue.record("not read as Complete")
            return
        }
        #expect(completion.status == .unknown("polished"))
    }

    @Test("StartTransfer says with from which chunks are there")
    func startTransfer() throws {
        let message = MigrationMessage.startTransfer(
            StartTransfer(transferID: "t", from: ChunkRanges(0..<3), window: 1024)
        )
        #expect(try message.frame().json["payload"] == ["transferId": "t", "from": [[0, 3]], "window": 1024])
    }

    @Test("unknown keys are ignored and unknown types are passed over")
    func unknown() throws {
        let late = MigrationFrame(json: ["type": "Telepathy", "payload": ["a": 1]])
        #expect(try MigrationMessage(late) == .unknown(type: "Telepathy"))
        let start = MigrationFrame(json: ["type": "StartBackup", "payload": ["transferId": "t", "moon": true], "x": 1])
        #expect(try MigrationMessage(start) == .startBackup(StartBackup(transferID: "t")))
    }

    @Test("#5 a PIN in clear is seen as such and its digits are not kept")
    func legacyPIN() throws {
        let frame = MigrationFrame(json: ["type": "AuthPIN", "payload": ["pin": "123456"]])
        guard case .authPIN(let auth) = try MigrationMessage(frame) else {
            Issue.record("not read as AuthPIN")
            return
        }
        #expect(auth.hasLegacyPIN)
        #expect(!"\(auth)".contains("123456"))
    }

    @Test("#30 before authentication a handshake holds protocolVersion, role, sessionId and nonce, and nothing else")
    func minimalHandshake() throws {
        var whole = Handshake(role: .source, sessionID: "0123456789abcdef", nonce: [1])
        whole.deviceName = "Example phone"
        whole.appVersion = "1.2.0"
        whole.schemaVersion = 1
        let payload = try JSONValue(encoding: whole.beforeAuthentication)
        #expect(Set(payload.objectValue?.keys.map { $0 } ?? []) == ["protocolVersion", "role", "sessionId", "nonce"])
    }

    @Test("sizes of a package that disagree are refused")
    func metaSizes() throws {
        let meta = BackupMeta(backupID: "b", transferID: "t", schemaVersion: 1, encSize: 2_500, chunkSize: 1_000)
        try meta.checkSizes()
        #expect(meta.chunkCount == 3)
        #expect(meta.length(ofChunk: 2) == 500)
        var wrong = meta
        wrong.chunkCount = 4
        #expect(throws: MigrationTransferError.malformedMessage(what: "chunkCount")) { try wrong.checkSizes() }
        wrong = meta
        wrong.encSize = .max
        #expect(throws: MigrationTransferError.malformedMessage(what: "encSize")) { try wrong.checkSizes() }
    }
}
