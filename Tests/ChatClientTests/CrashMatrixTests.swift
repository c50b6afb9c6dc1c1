import Accounts
import Chat
import Foundation
import GRDB
import Kernel
import KernelTesting
import Synchronization
import Testing

@testable import ChatClient
@testable import ChatHub

/// The client's rows of the crash matrix: the process is killed at a point, and another one starts over the files that it left.
@Suite("Crashes of a device", .timeLimit(.minutes(4)))
struct CrashMatrixTests {
    /// Notes what is uploaded, and may fail to send.
    private final class CountingPipeline: OutgoingPipeline {
        let inner: HubPipeline
        let uploads = Mutex<[String]>([])
        let isStuck: Bool

        init(_ server: SpoiledServer, isStuck: Bool) {
            inner = HubPipeline(server: server)
            self.isStuck = isStuck
        }

        func upload(
            _ file: OutgoingMedia.File,
            of kind: OutgoingMedia.Kind,
            progress: @escaping @Sendable (Double) -> Void
        ) async throws -> OutgoingMedia.File {
            uploads.withLock { $0.append(file.source) }
            return try await inner.upload(file, of: kind, progress: progress)
        }

        func send(_ request: SendMessage) async throws -> SendMessageAnswer {
            while isStuck { try await cancellation() }
            return try await inner.send(request)
        }
    }

    private func restart(_ device: HubDevice, _ scene: Scene) async throws -> HubDevice {
        try await HubDevice(scene.hub, scene.ada, in: device.killed())
    }

    private func stored(_ scene: Scene) async throws -> [String] {
        try await scene.hub.truth(scene.chat, for: scene.bob).map(\.clientMessageID)
    }

    @Test("Q7, client dies before request: the outbox row is sent again under its id")
    func beforeRequest() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, in: TemporaryFolder())
        device.server.hold(ChatEndpoints.send.path)
        for number in 1...5 { _ = try await device.repository.send("\(number)", in: scene.chat, id: "m\(number)") }
        let again = try await restart(device, scene)
        try await again.settle()
        #expect(try await stored(scene) == ["m1", "m2", "m3", "m4", "m5"])
        #expect(try await again.history(scene.chat).map(\.status) == Array(repeating: .sent, count: 5))
        await again.end()
    }

    @Test("I2, after commit, before ack: the message is sent again and stored once")
    func beforeAck() async throws {
        let scene = try Scene()
        var faults = Faults.none
        faults.unanswered = 1
        let device = try await HubDevice(scene.hub, scene.ada, in: TemporaryFolder(), faults: faults)
        _ = try await device.repository.send("words", in: scene.chat, id: "m1")
        while try await stored(scene).isEmpty { await Task.yield() }
        let again = try await restart(device, scene)
        try await again.settle()
        // What was tried six times without an answer is for the person to send again.
        if try await again.history(scene.chat).map(\.status) == [.failed] {
            _ = try await again.repository.resend("m1", in: scene.chat)
            try await again.settle()
        }
        #expect(try await stored(scene) == ["m1"])
        #expect(try await again.history(scene.chat).map(\.status) == [.sent])
        await again.end()
    }

    @Test("I4, push delivered, client dies before save: it asks from the last place that it kept")
    func beforeSave() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, in: TemporaryFolder())
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        var lost = Faults.none
        lost.lost = 1
        device.server.setFaults(lost)
        for number in 2...5 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        let again = try await restart(device, scene)
        try await again.settle()
        #expect(try await again.history(scene.chat).map(\.id) == ["b1", "b2", "b3", "b4", "b5"])
        await again.end()
    }

    @Test("Q4, upload done, send not done: the next attempt uses the key that the outbox has and uploads nothing")
    func afterUpload() async throws {
        let scene = try Scene()
        let folder = try TemporaryFolder()
        let server = SpoiledServer(scene.hub, scene.ada, "phone")
        let stuck = CountingPipeline(server, isStuck: true)
        let device = try await HubDevice(scene.hub, scene.ada, in: folder, pipeline: stuck)
        let media = OutgoingMedia(.images, [.init(source: "a.jpg"), .init(source: "b.jpg")])
        try await scene.hub.sends(scene.bob, "hello", in: scene.chat, as: "b1")
        _ = try await device.repository.send(.media(media), in: scene.chat, id: "m1")
        while try await device.repository.stored.read({ reading in
            guard case .media(let files) = try reading.outbox().first?.message.content else { return true }
            return files.files.contains { $0.objectKey == nil }
        }) { await Task.yield() }
        let next = CountingPipeline(server, isStuck: false)
        let again = try await HubDevice(scene.hub, scene.ada, in: device.killed(), pipeline: next)
        try await again.settle()
        #expect(stuck.uploads.withLock(\.self) == ["a.jpg", "b.jpg"])
        #expect(next.uploads.withLock(\.self).isEmpty)
        #expect(try await stored(scene) == ["b1", "m1"])
        #expect(try await again.repository.outboxFiles().isEmpty)
        await again.end()
    }

    @Test("B14, recall committed, event not pushed: the log of events tells it")
    func recall() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, in: TemporaryFolder())
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        try await device.heal()
        #expect(try await device.words(scene.chat) == ["one"])
        device.server.setOnline(false)
        let target = MessageTarget.client(id: "b1", sender: scene.bob)
        _ = try await scene.hub.service.recall(target, in: scene.chat, by: scene.hub.asker(scene.bob, "x").chat)
        let again = try await restart(device, scene)
        try await again.settle()
        #expect(try await again.words(scene.chat) == ["-"])
        #expect(try await again.entry(scene.chat).unread == 0)
        await again.end()
    }

    @Test("Q5, disk full: what cannot be kept is refused, and nothing that was kept is lost")
    func fullDisk() async throws {
        let scene = try Scene()
        let device = try await HubDevice(scene.hub, scene.ada, in: TemporaryFolder())
        _ = try await device.repository.send("kept", in: scene.chat, id: "m1")
        try await device.settle()
        func limit(_ pages: Int) async throws {
            try await device.database.writeWithoutTransaction {
                try $0.execute(sql: "PRAGMA max_page_count = \(pages)")
            }
        }
        try await limit(1)
        let long = String(repeating: "long words ", count: 1400)
        await #expect(throws: (any Error).self) {
            for _ in 0..<50 { _ = try await device.repository.send(long, in: scene.chat) }
        }
        try await limit(1_000_000)
        _ = try await device.repository.send("after", in: scene.chat, id: "m2")
        try await device.settle()
        let words = try await device.words(scene.chat).filter { $0 != Draft.sendable(long) }
        #expect(words == ["kept", "after"])
        await device.end()
    }
}

/// Waits for the end of the task.
private func cancellation() async throws {
    let (never, end) = AsyncStream.makeStream(of: Never.self)
    for await _ in never {}
    end.finish()
    throw CancellationError()
}
