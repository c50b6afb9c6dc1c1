import Foundation
import NIOCore
import NIOEmbedded
import Testing

@testable import Transport

@Suite("Frames that go out together")
struct WebSocketOutgoingTests {
    private func add(_ text: String, to outgoing: WebSocketOutgoing, on channel: any Channel) -> Bool {
        outgoing.add(text.utf8.count, to: channel) { $0.writeString(text) }.begins
    }

    @Test("what is added before the loop comes is one batch in its order, and only its first frame asks the loop")
    func together() throws {
        let channel = EmbeddedChannel()
        let outgoing = WebSocketOutgoing()
        #expect(add("one ", to: outgoing, on: channel))
        #expect(!add("two ", to: outgoing, on: channel))
        #expect(!add("three", to: outgoing, on: channel))
        let batch = try #require(outgoing.take())
        batch.written.succeed()
        #expect(batch.buffers.map { String(buffer: $0) } == ["one two three"])
        #expect(batch.bytes == 13)
        #expect(batch.messages == 3)
        #expect(outgoing.take() == nil)
        #expect(add("four", to: outgoing, on: channel))
        try #require(outgoing.take()).written.succeed()
    }

    @Test("a long frame has a buffer of its own, and what comes behind it another one")
    func long() throws {
        let channel = EmbeddedChannel()
        let outgoing = WebSocketOutgoing()
        let long = String(repeating: "x", count: WebSocketOutgoing.sharedBytes)
        for text in ["first", long, "last"] { _ = add(text, to: outgoing, on: channel) }
        let batch = try #require(outgoing.take())
        batch.written.succeed()
        #expect(batch.buffers.map { String(buffer: $0) } == ["first", long, "last"])
    }

    @Test("many short messages of many tasks arrive whole, those of one task in their order")
    func manyTasks() async throws {
        let server = try await EchoServer()
        let url = try #require(URL(string: "ws://127.0.0.1:\(server.port)/"))
        let connection = try await WebSocketConnection.connect(to: url)
        await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask { for number in 0..<100 { try await connection.send(text: "\(task) \(number)") } }
            }
        }
        var messages = connection.messages.makeAsyncIterator()
        var next = [Int](repeating: 0, count: 8)
        for _ in 0..<800 {
            guard case .text(let bytes)? = await messages.next() else { break }
            let words = String(decoding: bytes, as: UTF8.self).split(separator: " ").compactMap { Int($0) }
            try #require(words.count == 2)
            #expect(words[1] == next[words[0]])
            next[words[0]] += 1
        }
        #expect(next == [Int](repeating: 100, count: 8))
        await connection.close()
        try await server.close()
    }
}
