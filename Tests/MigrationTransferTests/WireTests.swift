import Kernel
import MigrationTransfer
import Testing

@Suite("The migration's wire")
struct WireTests {
    @Test("a frame is u32 total, u32 JSON length, JSON and raw bytes, and is read back from single bytes")
    func framing() throws {
        let frame = MigrationFrame(json: ["type": "Ping", "payload": [:]], raw: [1, 2, 3])
        let bytes = try frame.encoded()
        let json = Array(#"{"payload":{},"type":"Ping"}"#.utf8)
        #expect(bytes == [0, 0, 0, UInt8(4 + json.count + 3), 0, 0, 0, UInt8(json.count)] + json + [1, 2, 3])
        var reader = MigrationFrameReader()
        for byte in bytes.dropLast() {
            reader.append([byte])
            #expect(try reader.next() == nil)
        }
        reader.append([3])
        #expect(try reader.next() == frame)
        #expect(reader.pendingBytes == 0)
    }

    @Test("lengths above the bounds and lengths that disagree are refused when they arrive, before the body")
    func lengths() {
        for (head, error) in [
            ([1, 1, 0, 1, 0, 0, 0, 2], MigrationTransferError.messageTooLarge(bytes: 0x0101_0001, limit: 0x0101_0000)),
            ([0, 0x80, 0, 0, 0, 0x10, 0, 1], .messageTooLarge(bytes: 0x10_0001, limit: 0x10_0000)),
            ([0, 0, 0, 3, 0, 0, 0, 0], .malformedMessage(what: "lengths disagree")),
            ([0, 0, 0, 8, 0, 0, 0, 5], .malformedMessage(what: "lengths disagree")),
        ] as [([UInt8], MigrationTransferError)] {
            var reader = MigrationFrameReader()
            reader.append(head)
            #expect(throws: error) { try reader.next() }
        }
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
