import CommandClient
import CommandServer
import Commands
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@Suite("Results in pieces", .timeLimit(.minutes(5)))
struct RemoteStreamTests {
    private func large(_ count: Int) -> JSONValue { ["text": .string(String(repeating: "ä", count: count))] }

    private func messages(of result: JSONValue, chunkSize: Int = 262_144) async throws -> [JSONValue] {
        let sender = try #require(RemoteStreamSender(id: "s", result: result, chunkSize: chunkSize))
        let sent = Mutex<[JSONValue]>([])
        try await sender.send { envelope in sent.withLock { $0.append(envelope) } }
        return sent.withLock { $0 }
    }

    @Test("a result goes out as start, pieces of the announced size and end")
    func sent() async throws {
        // {"text":"…"} around 1000 two-byte letters: 2011 bytes.
        let result = large(1000)
        let bytes = Data(result.canonicalBytes)
        #expect(bytes.count == 2011)
        #expect(
            try await messages(of: result, chunkSize: 1024) == [
                ["type": "chainlesschain:stream:start", "payload": ["id": "s", "bytes": 2011, "chunkSize": 1024]],
                [
                    "type": "chainlesschain:stream:chunk",
                    "payload": ["id": "s", "index": 0, "data": .string(bytes[0..<1024].base64EncodedString())],
                ],
                [
                    "type": "chainlesschain:stream:chunk",
                    "payload": ["id": "s", "index": 1, "data": .string(bytes[1024...].base64EncodedString())],
                ],
                ["type": "chainlesschain:stream:end", "payload": ["id": "s"]],
            ]
        )
    }

    @Test(
        "what was sent comes together again, whatever its size is to that of a piece",
        arguments: [1, 506, 507, 4090]
    )
    func together(count: Int) async throws {
        let result = large(count)
        let announcement = try #require(RemoteStreamSender(id: "s", result: result, chunkSize: 1024)).announcement
        var receiver = try RemoteStreamReceiver(announcement)
        var received: JSONValue?
        for envelope in try await messages(of: result, chunkSize: 1024) {
            #expect(received == nil)
            received = try receiver.take(try #require(RemoteStreamMessage(envelope: envelope)))
        }
        #expect(received == result)
    }

    @Test("each message fits into one message of the session")
    func fits() async throws {
        for envelope in try await messages(of: large(500_000)) { #expect(envelope.canonicalBytes.count <= 700_000) }
    }

    @Test("every message is read in both forms of payload, and is what was written")
    func forms() throws {
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 5, chunkSize: 1024))
        let messages: [RemoteStreamMessage] = [
            .start(announcement), .chunk(id: "s", index: 0, bytes: Data("hello".utf8)), .end(id: "s"),
            .failure(id: "s", RemoteFailure(code: -32002, message: "gone")),
        ]
        for message in messages {
            let envelope = message.envelope
            #expect(RemoteStreamMessage(envelope: envelope) == message)
            let payload = try #require(envelope["payload"])
            #expect(
                RemoteStreamMessage(envelope: envelope.adding("payload", .string(payload.canonicalText))) == message
            )
            #expect(RemoteStreamMessage.isStream(envelope))
        }
        let error: JSONValue = ["id": "s", "error": ["code": -32000, "message": "late"]]
        #expect(
            RemoteStreamMessage(envelope: ["type": "chainlesschain:stream:error", "payload": error])
                == .failure(id: "s", RemoteFailure(code: -32000, message: "late"))
        )
    }

    @Test(
        "a message that does not say what it must is unreadable, and names its stream where it can",
        arguments: [
            (#"{"type":"chainlesschain:stream:start","payload":{"id":"s"}}"#, "s"),
            (#"{"type":"chainlesschain:stream:start","payload":{"id":"s","bytes":-1,"chunkSize":1024}}"#, "s"),
            (#"{"type":"chainlesschain:stream:start","payload":{"id":"s","bytes":1e300,"chunkSize":1024}}"#, "s"),
            (#"{"type":"chainlesschain:stream:start","payload":{"id":"s","bytes":9,"chunkSize":0}}"#, "s"),
            (#"{"type":"chainlesschain:stream:start","payload":{"id":"s","bytes":9,"chunkSize":262145}}"#, "s"),
            (#"{"type":"chainlesschain:stream:chunk","payload":{"id":"s","index":-1,"data":""}}"#, "s"),
            (#"{"type":"chainlesschain:stream:chunk","payload":{"id":"s","index":0.5,"data":""}}"#, "s"),
            (#"{"type":"chainlesschain:stream:chunk","payload":{"id":"s","index":0,"data":"%%%"}}"#, "s"),
            (#"{"type":"chainlesschain:stream:chunk","payload":{"id":"s","index":0,"data":[1]}}"#, "s"),
            (#"{"type":"chainlesschain:stream:chunk","payload":{"id":"s","index":0}}"#, "s"),
            (#"{"type":"chainlesschain:stream:end","payload":{"id":""}}"#, nil),
            (#"{"type":"chainlesschain:stream:end","payload":{"id":5}}"#, nil),
            (#"{"type":"chainlesschain:stream:end"}"#, nil),
            (#"{"type":"chainlesschain:stream:end","payload":"{"}"#, nil),
            (#"{"type":"chainlesschain:stream:other","payload":{"id":"s"}}"#, nil),
            (#"{"type":"chainlesschain:stream","payload":{"id":"s"}}"#, nil),
        ]
    )
    func unreadable(text: String, id: String?) throws {
        let message = RemoteStreamMessage(envelope: try JSONValue(parsing: text.utf8))
        #expect(message == id.map { .unreadable(id: $0) })
    }

    @Test("a piece above the largest size is not even decoded")
    func oversized() {
        let data = JSONValue.string(String(repeating: "A", count: 349_532))
        #expect(
            RemoteStreamMessage(envelope: [
                "type": "chainlesschain:stream:chunk", "payload": ["id": "s", "index": 0, "data": data],
            ]) == .unreadable(id: "s")
        )
    }

    @Test("anything but the announced pieces in order, each once, ends the stream")
    func hostile() throws {
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 1030, chunkSize: 1024))
        let other = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 1031, chunkSize: 1024))
        let full = RemoteStreamMessage.chunk(id: "s", index: 0, bytes: Data(repeating: 0x20, count: 1024))
        let start = RemoteStreamMessage.start(announcement)
        let sequences: [[RemoteStreamMessage]] = [
            [full], [.end(id: "s")], [.start(other)], [start, start], [start, .end(id: "s")], [start, full, full],
            [start, .chunk(id: "s", index: 1, bytes: Data(count: 6))],
            [start, .chunk(id: "t", index: 0, bytes: Data(count: 1024))],
            [start, .chunk(id: "s", index: 0, bytes: Data(count: 1023))],
            [start, .chunk(id: "s", index: 0, bytes: Data())],
            [start, full, .chunk(id: "s", index: 1, bytes: Data(count: 7))],
            [start, full, .end(id: "s")], [start, full, .unreadable(id: "s")],
            [start, full, .chunk(id: "s", index: 1, bytes: Data(repeating: 0x20, count: 6)), .end(id: "s")],
            [
                start, full, .chunk(id: "s", index: 1, bytes: Data(repeating: 0x20, count: 6)),
                .chunk(id: "s", index: 2, bytes: Data()),
            ],
        ]
        for sequence in sequences {
            var receiver = try RemoteStreamReceiver(announcement)
            for message in sequence.dropLast() { #expect(try receiver.take(message) == nil) }
            #expect(throws: RemoteError.malformedResult) { try receiver.take(try #require(sequence.last)) }
        }
    }

    @Test("what the sender gives up is told; what is too large is refused at its announcement")
    func refused() throws {
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 33_554_433, chunkSize: 1024))
        #expect(throws: RemoteError.resultTooLarge(bytes: 33_554_433, limit: 33_554_432)) {
            try RemoteStreamReceiver(announcement)
        }
        let failure = RemoteFailure(code: -32002, message: "gone")
        var receiver = try RemoteStreamReceiver(announcement, byteLimit: .max)
        #expect(throws: failure) { try receiver.take(.failure(id: "s", failure)) }
    }

    @Test("seeded nonsense neither crashes nor makes a result", arguments: 0..<64)
    func nonsense(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 3000, chunkSize: 1024))
        let values: [JSONValue] = [
            .null, true, -1, 0, 1, 2, 1024, 3000, .number(1e300), "", "s", "t", "AAAA", "{}", [], [:], .integer(.max),
            .integer(.min), .string(Data(count: 1024).base64EncodedString()),
        ]
        for _ in 0..<50 {
            var receiver = try RemoteStreamReceiver(announcement)
            _ = try receiver.take(.start(announcement))
            for _ in 0..<20 {
                let type = ["start", "chunk", "end", "error", "", "x"].randomElement(using: &generator) ?? ""
                var payload: [String: JSONValue] = [:]
                for key in ["id", "index", "data", "bytes", "chunkSize", "error", "code"] {
                    payload[key] = values.randomElement(using: &generator)
                }
                if generator.chance(0.7) { payload["id"] = "s" }
                let envelope: JSONValue = [
                    "type": .string("chainlesschain:stream:" + type), "payload": .object(payload),
                ]
                guard let message = RemoteStreamMessage(envelope: envelope) else { continue }
                #expect((try? receiver.take(message)) == .some(nil) || (try? receiver.take(message)) == nil)
            }
        }
    }

    @Test("a sender that is cancelled stops, and says that nothing follows")
    func cancelledSender() async throws {
        let sender = try #require(RemoteStreamSender(id: "s", result: large(2000), chunkSize: 1024))
        let sent = Mutex<[JSONValue]>([])
        let task = Task {
            try await sender.send { envelope in
                let count = sent.withLock { sent in
                    sent.append(envelope)
                    return sent.count
                }
                if count == 2 { withUnsafeCurrentTask { $0?.cancel() } }
            }
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(
            sent.withLock { $0.map { $0["type"] } } == [
                "chainlesschain:stream:start", "chainlesschain:stream:chunk", "chainlesschain:stream:error",
            ]
        )
    }
}
