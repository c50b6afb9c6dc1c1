import CommandClient
import CommandServer
import Commands
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@Suite("Answers of any size", .timeLimit(.minutes(5)))
struct RemoteAnswerTests {
    private static let result: JSONValue = ["text": .string(String(repeating: "x", count: 5000))]

    private func written(
        _ outcome: Result<JSONValue, RemoteFailure>,
        to request: CommandRequest,
        limit: Int
    ) async throws -> [JSONValue] {
        let sent = Mutex<[[UInt8]]>([])
        try await RemoteAnswerWriter(to: request, of: "phone", among: ActiveStreams(), limit: limit)
            .write(CommandResponse(id: request.id, outcome: outcome)) { bytes in
                sent.withLock { $0.append(bytes) }
            }
        return try sent.withLock { try $0.map { try JSONValue(parsing: $0) } }
    }

    @Test("an answer that fits is one message", arguments: [true, false])
    func fits(acceptsStream: Bool) async throws {
        let request = CommandRequest(id: "1", method: "a.b", acceptsStream: acceptsStream)
        let whole = CommandResponse(id: "1", outcome: .success(Self.result)).envelope(form: .object)
        #expect(try await written(.success(Self.result), to: request, limit: whole.canonicalBytes.count) == [whole])
    }

    @Test("a larger one is announced in the asker's form, and follows in pieces")
    func streamed() async throws {
        for form in [CommandRequest.Form.object, .text] {
            let request = CommandRequest(id: "1", method: "a.b", form: form, acceptsStream: true)
            let messages = try await written(.success(Self.result), to: request, limit: 4096)
            let response = try CommandResponse(envelope: try #require(messages.first))
            let announcement = try #require(RemoteStreamAnnouncement(result: try response.outcome.get()))
            #expect(announcement.byteCount == Self.result.canonicalBytes.count)
            #expect(
                messages.map { $0["type"]?.stringValue } == [
                    "chainlesschain:command:response", "chainlesschain:stream:start", "chainlesschain:stream:chunk",
                    "chainlesschain:stream:end",
                ]
            )
        }
    }

    @Test("an asker ends its own stream, and nobody else's")
    func ended() async throws {
        let streams = ActiveStreams()
        let sent = Mutex<[JSONValue]>([])
        let long: JSONValue = ["text": .string(String(repeating: "x", count: 600_000))]
        let writer = RemoteAnswerWriter(
            to: CommandRequest(id: "1", method: "a.b", acceptsStream: true),
            of: "phone",
            among: streams,
            limit: 4096
        )
        await #expect(throws: CancellationError.self) {
            try await writer.write(CommandResponse(id: "1", outcome: .success(long))) { bytes in
                let message = try JSONValue(parsing: bytes)
                sent.withLock { $0.append(message) }
                guard message["type"]?.stringValue == "chainlesschain:stream:chunk" else { return }
                let isFirst = message["payload"]?["index"]?.integerValue == 0
                streams.cancel("1", of: isFirst ? "another" : "phone")
                streams.cancel(isFirst ? "2" : "1", of: "phone")
            }
        }
        let messages = sent.withLock { $0 }
        #expect(
            messages.map { $0["type"]?.stringValue } == [
                "chainlesschain:command:response", "chainlesschain:stream:start", "chainlesschain:stream:chunk",
                "chainlesschain:stream:chunk", "chainlesschain:stream:error",
            ]
        )
        #expect(messages.last?["payload"]?["code"]?.integerValue == -32002)
    }

    @Test("a cancel between the work and the first piece of its answer is heeded, and forgotten for the next request")
    func cancelledBeforeTheStream() async throws {
        let streams = ActiveStreams()
        let long: JSONValue = ["text": .string(String(repeating: "x", count: 600_000))]
        let writer = RemoteAnswerWriter(
            to: CommandRequest(id: "1", method: "a.b", acceptsStream: true),
            of: "phone",
            among: streams,
            limit: 4096
        )
        let count = Mutex(0)
        streams.began("1", of: "phone")
        streams.cancel("1", of: "phone")
        await #expect(throws: CancellationError.self) {
            try await writer.write(CommandResponse(id: "1", outcome: .success(long))) { _ in count.withLock { $0 += 1 }
            }
        }
        #expect(count.withLock { $0 } == 0)
        streams.ended("1", of: "phone")
        streams.began("1", of: "phone")
        try await writer.write(CommandResponse(id: "1", outcome: .success(long))) { _ in count.withLock { $0 += 1 } }
        #expect(count.withLock { $0 } > 3)
        streams.ended("1", of: "phone")
    }

    @Test("an asker that takes no stream is told that it is too large")
    func refused() async throws {
        let request = CommandRequest(id: "1", method: "a.b")
        let size = CommandResponse(id: "1", outcome: .success(Self.result)).envelope(form: .object).canonicalBytes.count
        let failure = RemoteFailure(
            code: -32603,
            message: "The answer is \(size) bytes and 4096 fit. Ask for a part of it."
        )
        #expect(
            try await written(.success(Self.result), to: request, limit: 4096)
                == [CommandResponse(id: "1", outcome: .failure(failure)).envelope(form: .object)]
        )
    }

    @Test("a result that only looks a little like an announcement is itself")
    func lookalikes() {
        let results: [JSONValue] = [
            ["stream": ["id": "s", "bytes": 5, "chunkSize": 1024], "more": 1], ["stream": "s"], ["streamId": "s"],
            ["stream": ["id": "s"]], ["stream": ["id": "", "bytes": 5, "chunkSize": 1024]], [1], .null,
        ]
        for result in results { #expect(RemoteStreamAnnouncement(result: result) == nil) }
    }

    // MARK: The asker's side

    /// A client and what it sends.
    private struct Asker {
        let client: RemoteCommandClient
        let sent: AsyncStream<JSONValue>

        init(time: any TimeSource = .system) {
            let (sent, report) = AsyncStream.makeStream(of: JSONValue.self, bufferingPolicy: .bufferingNewest(64))
            self.sent = sent
            client = RemoteCommandClient(mobileDID: "did:key:z6MkA", time: time) { report.yield($0) }
        }
    }

    private func announce(_ announcement: RemoteStreamAnnouncement, for id: String) -> JSONValue {
        CommandResponse(id: id, outcome: .success(announcement.result)).envelope(form: .object)
    }

    @Test("a caller gets the whole result, also when answers and pieces of two calls mix")
    func mixed() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        let results: [JSONValue] = [["n": .string(String(repeating: "1", count: 3000))], ["n": [2, 2]]]
        async let first = asker.client.invoke(CommandRequest(id: "1", method: "a.b"))
        _ = await sent.next()
        async let second = asker.client.invoke(CommandRequest(id: "2", method: "a.b"))
        _ = await sent.next()
        var queues: [[JSONValue]] = []
        for (number, result) in results.enumerated() {
            let request = CommandRequest(id: "\(number + 1)", method: "a.b", acceptsStream: true)
            queues.append(try await written(.success(result), to: request, limit: 10))
        }
        for index in 0..<4 {
            for queue in queues { #expect(await asker.client.receive(queue[index])) }
            // A repeat of the announcement, a late piece of somebody else's: nothing of it matters.
            #expect(await asker.client.receive(queues[0][0]))
            #expect(await asker.client.receive(RemoteStreamMessage.end(id: "foreign").envelope))
        }
        #expect(try await first == results[0])
        #expect(try await second == results[1])
    }

    @Test("pieces out of order end the call, and the desktop is told to stop")
    func outOfOrder() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 2048, chunkSize: 1024))
        let call = Task { try await asker.client.invoke(CommandRequest(id: "1", method: "a.b")) }
        _ = await sent.next()
        _ = await asker.client.receive(announce(announcement, for: "1"))
        _ = await asker.client.receive(RemoteStreamMessage.start(announcement).envelope)
        _ = await asker.client.receive(
            RemoteStreamMessage.chunk(id: "s", index: 1, bytes: Data(count: 1024)).envelope
        )
        await #expect(throws: RemoteError.malformedResult) { try await call.value }
        #expect(await sent.next() == CommandCancel(id: "1", reason: "refused").envelope)
        await asker.client.close()
    }

    @Test("a result above the limit is refused at once, and the desktop is told")
    func tooLarge() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: .max, chunkSize: 1024))
        let call = Task { try await asker.client.invoke(CommandRequest(id: "1", method: "a.b")) }
        _ = await sent.next()
        _ = await asker.client.receive(announce(announcement, for: "1"))
        await #expect(throws: RemoteError.resultTooLarge(bytes: .max, limit: 33_554_432)) { try await call.value }
        #expect(await sent.next() == CommandCancel(id: "1", reason: "refused").envelope)
        await asker.client.close()
    }

    @Test("all results together have a limit, too")
    func allTogether() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        var calls: [Task<JSONValue, any Error>] = []
        for number in 1...3 {
            let announcement = try #require(
                RemoteStreamAnnouncement(id: "s\(number)", byteCount: 33_554_432, chunkSize: 1024)
            )
            calls.append(Task { try await asker.client.invoke(CommandRequest(id: "\(number)", method: "a.b")) })
            _ = await sent.next()
            _ = await asker.client.receive(announce(announcement, for: "\(number)"))
        }
        await #expect(throws: RemoteError.resultTooLarge(bytes: 100_663_296, limit: 67_108_864)) {
            try await calls[2].value
        }
        await asker.client.close()
        for call in calls.prefix(2) { await #expect(throws: RemoteError.notConnected) { try await call.value } }
    }

    @Test("two calls cannot share a stream")
    func sharedStream() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 2048, chunkSize: 1024))
        let first = Task { try await asker.client.invoke(CommandRequest(id: "1", method: "a.b")) }
        _ = await sent.next()
        let second = Task { try await asker.client.invoke(CommandRequest(id: "2", method: "a.b")) }
        _ = await sent.next()
        for id in ["1", "2"] { _ = await asker.client.receive(announce(announcement, for: id)) }
        await #expect(throws: RemoteError.malformedResult) { try await second.value }
        let failure = RemoteFailure(code: -32603, message: "disk")
        _ = await asker.client.receive(RemoteStreamMessage.failure(id: "s", failure).envelope)
        await #expect(throws: failure) { try await first.value }
        await asker.client.close()
    }

    @Test("the time to wait is that between two pieces; silence ends the call and tells the desktop")
    func silence() async throws {
        let clock = ManualClock()
        let asker = Asker(time: clock)
        var sent = asker.sent.makeAsyncIterator()
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 4096, chunkSize: 1024))
        let isOver = Mutex(false)
        let call = Task {
            defer { isOver.withLock { $0 = true } }
            return try await asker.client.invoke(CommandRequest(id: "1", method: "a.b"), timeout: .seconds(5))
        }
        _ = await sent.next()
        let pieces: [JSONValue] =
            [announce(announcement, for: "1"), RemoteStreamMessage.start(announcement).envelope]
            + (0..<3).map { RemoteStreamMessage.chunk(id: "s", index: $0, bytes: Data(count: 1024)).envelope }
        await clock.sleeper(for: .seconds(5))
        for piece in pieces {
            clock.advance(by: .seconds(4))
            _ = await asker.client.receive(piece)
        }
        clock.advance(by: .seconds(4))
        #expect(!isOver.withLock { $0 })
        clock.advance(by: .seconds(5))
        let error = RemoteError.timeout(id: "1", method: "a.b", after: .seconds(5))
        await #expect(throws: error) { try await call.value }
        #expect(await sent.next() == CommandCancel(id: "1", reason: "timeout").envelope)
        await asker.client.close()
    }

    @Test("a caller that leaves in the middle stops the stream, also of a durable request")
    func left() async throws {
        let asker = Asker()
        var sent = asker.sent.makeAsyncIterator()
        let announcement = try #require(RemoteStreamAnnouncement(id: "s", byteCount: 4096, chunkSize: 1024))
        let call = Task { try await asker.client.invoke(CommandRequest(id: "1", method: "a.b", isDurable: true)) }
        _ = await sent.next()
        _ = await asker.client.receive(announce(announcement, for: "1"))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        #expect(await sent.next() == CommandCancel(id: "1", reason: "cancelled").envelope)
        await asker.client.close()
    }
}
