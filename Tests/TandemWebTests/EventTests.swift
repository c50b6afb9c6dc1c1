import Feed
import Foundation
import Kernel
import KernelTesting
import Testing
import Transport

@testable import TandemWeb

@Suite("Events and methods that a page follows", .timeLimit(.minutes(2)))
struct EventTests {
    @Test("a method's items come as they are reported, its result at last, and input goes in between")
    func follow() async throws {
        try await PageScene.run { scene in
            let socket = try await scene.browser().socket("/api/events")
            let reader = EventReader(socket)
            #expect(try await reader.next()?["reset"] == true)
            try await reader.send(["follow": 7, "method": "repeat", "params": ["text": "a"]])
            #expect(try await reader.next() == ["follow": 7, "item": "a"])
            try await reader.send(["input": 7, "value": ["x": 1]])
            #expect(try await reader.next() == ["follow": 7, "item": ["x": 1]])
            try await reader.send(["follow": 8, "method": "echo", "params": ["text": "b"]])
            #expect(try await reader.next() == ["follow": 8, "result": ["text": "b"]])
            try await reader.send(["end": 7])
            #expect(try await reader.next() == ["follow": 7, "result": ["text": "done"]])
            try await reader.send(["ping": 3])
            #expect(try await reader.next() == ["pong": 3])
            await socket.close()
        }
    }

    @Test("failures of followed methods have codes, and a wrong method none of the others' ends")
    func failures() async throws {
        try await PageScene.run { scene in
            let socket = try await scene.browser().socket("/api/events")
            let reader = EventReader(socket)
            _ = try await reader.next()
            try await reader.send(["follow": 1, "method": "fail", "params": ["text": "away"]])
            #expect(try await reader.next()?["error"]?["code"] == "away")
            try await reader.send(["follow": 1, "method": "nothing"])
            #expect(try await reader.next()?["error"]?["code"] == "unknown-method")
            try await reader.send(["follow": 1])
            #expect(try await reader.next()?["error"]?["code"] == "bad-request")
            try await reader.send(["follow": 2, "method": "wait"])
            await scene.noted("waiting")
            try await reader.send(["follow": 2, "method": "echo", "params": ["text": "b"]])
            #expect(try await reader.next()?["error"]?["code"] == "bad-request", "its number is in use")
            await socket.close()
            await scene.noted("cancelled")
        }
    }

    @Test("a page leaves a method, and its number is free again")
    func cancel() async throws {
        try await PageScene.run { scene in
            let socket = try await scene.browser().socket("/api/events")
            let reader = EventReader(socket)
            _ = try await reader.next()
            try await reader.send(["follow": 1, "method": "wait"])
            await scene.noted("waiting")
            try await reader.send(["cancel": 1])
            await scene.noted("cancelled")
            try await reader.send(["follow": 1, "method": "echo", "params": ["text": "b"]])
            #expect(try await reader.next() == ["follow": 1, "result": ["text": "b"]])
            await socket.close()
        }
    }

    @Test("no more than 128 methods are followed on a connection, nor 16 connections held")
    func limits() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let socket = try await browser.socket("/api/events")
            let reader = EventReader(socket)
            _ = try await reader.next()
            for number in Int64(0)..<128 { try await reader.send(["follow": .integer(number), "method": "wait"]) }
            try await reader.send(["follow": 128, "method": "wait"])
            #expect(try await reader.next()?["error"]?["code"] == "refused")
            var others: [WebSocketConnection] = []
            for _ in 1..<PageListener.socketLimit { others.append(try await browser.socket("/api/events")) }
            await #expect(throws: WebSocketError.refused(status: 503)) {
                _ = try await browser.socket("/api/events")
            }
            for other in others + [socket] { await other.close() }
        }
    }

    @Test("input that is not taken ends its method with a word, and holds up nothing else")
    func deaf() async throws {
        try await PageScene.run { scene in
            let socket = try await scene.browser().socket("/api/events")
            let reader = EventReader(socket)
            _ = try await reader.next()
            try await reader.send(["follow": 1, "method": "deaf"])
            #expect(try await reader.next() == ["follow": 1, "item": "begun"])
            for _ in 0..<EventSocket.inputLimit + 8 { try await reader.send(["input": 1, "value": "x"]) }
            #expect(try await reader.next()?["error"]?["code"] == "too-large")
            try await reader.send(["ping": 1])
            #expect(try await reader.next() == ["pong": 1])
            await socket.close()
        }
    }

    @Test("what is no message ends the connection")
    func malformed() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            for text in ["{", "[]", "{\"x\":1}"] {
                let socket = try await browser.socket("/api/events")
                try await socket.send(text: text)
                for await _ in socket.messages {}
                #expect(socket.closedWith == .policyViolation)
            }
        }
    }

    @Test("a page that comes back goes on after its last event, and one that missed too much begins anew")
    func resume() async throws {
        try await PageScene.run { scene in
            let browser = try await scene.browser()
            let first = EventReader(try await browser.socket("/api/events"))
            let hello = try await first.next()
            let epoch = try #require(hello?["epoch"]?.stringValue)
            await scene.noted("told")
            scene.news.send("one")
            #expect(try await first.next() == ["seq": 1, "topic": "bell", "data": "one"])
            // Another page keeps the topics running.
            let second = EventReader(try await browser.socket("/api/events"))
            #expect(try await second.next() == ["epoch": .string(epoch), "seq": 1, "reset": true])
            await first.socket.close()
            scene.news.send("two")
            #expect(try await second.next()?["data"] == "two")
            let back = EventReader(try await browser.socket("/api/events?epoch=\(epoch)&after=1"))
            #expect(try await back.next() == ["epoch": .string(epoch), "seq": 1, "reset": false])
            #expect(try await back.next() == ["seq": 2, "topic": "bell", "data": "two"])
            let stranger = EventReader(try await browser.socket("/api/events?epoch=other&after=1"))
            #expect(try await stranger.next() == ["epoch": .string(epoch), "seq": 2, "reset": true])
            for number in 0..<EventLog.eventLimit + 1 {
                scene.news.send(.integer(Int64(number)))
                #expect(try await second.next()?["data"] == .integer(Int64(number)))
            }
            let late = EventReader(try await browser.socket("/api/events?epoch=\(epoch)&after=1"))
            #expect(try await late.next()?["reset"] == true)
            for reader in [second, back, stranger, late] { await reader.socket.close() }
        }
    }

    @Test("the log for pages is bounded by the size of its events")
    func size() {
        let log = EventLog()
        let large = String(repeating: "x", count: EventLog.byteLimit / 2)
        for _ in 0..<3 { log.append("t", .string(large)) }
        guard case .changes(let last) = log.news(after: 2) else { return #expect(Bool(false)) }
        #expect(last.map(\.number) == [3])
        #expect(log.news(after: 1) == .gap(3))
    }

    @Test("without a page nothing is told, half a minute after the last has gone")
    func idle() async throws {
        let clock = ManualClock()
        var plan = PageScene.Plan()
        plan.clock = clock
        try await PageScene.run(plan) { scene in
            let browser = try await scene.browser()
            #expect(scene.noted.value == [])
            let first = EventReader(try await browser.socket("/api/events"))
            let epoch = try #require(try await first.next()?["epoch"]?.stringValue)
            await scene.noted("told")
            await first.socket.close()
            await clock.sleeper(for: TopicReader.patience)
            clock.advance(by: TopicReader.patience)
            await scene.noted("untold")
            let again = EventReader(try await browser.socket("/api/events?epoch=\(epoch)&after=0"))
            #expect(try await again.next()?["reset"] == true)
            await scene.noted("told", times: 2)
            await again.socket.close()
        }
    }
}
