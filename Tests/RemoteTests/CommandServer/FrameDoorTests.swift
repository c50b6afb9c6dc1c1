import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Rights
import Testing

@testable import CommandServer

@Suite("The door for frames, whatever feature they are of", .timeLimit(.minutes(4)))
struct FrameDoorTests {
    private static let method = RemoteMethod("file.delete", needs: "file.write", risk: .privileged) { _, _ in "" }
        .declaration
    private static let writer = Caller(
        id: "did:key:z6MkA",
        name: "Ada's phone",
        proof: .session,
        rights: ["file.write"]
    )

    private let clock = ManualClock()
    private let outlet = ScriptedOutlet(capacity: 4096)
    private let log: SQLiteAuditLog

    init() throws {
        log = SQLiteAuditLog(try TemporaryDatabase.inMemory(), time: clock)
    }

    private func door(
        _ routes: [FrameRoute],
        limits: GateLimits = GateLimits(),
        log: (any AuditLog)? = nil
    ) -> FrameDoor {
        let right = RightDeclaration("file.write", "write", risk: .privileged, weight: 1)
        return FrameDoor(
            routes,
            gate: CommandGate(rights: RightsCatalogue([right]), limits: limits, time: clock),
            audit: log ?? self.log,
            outlet: outlet,
            time: clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    /// Answers with the frame itself; a refusal is its first byte and the code's last digits.
    private func route(
        _ byte: UInt8,
        of method: MethodDeclaration = FrameDoorTests.method,
        cost: Int = 1,
        run: @escaping @Sendable (Caller) async throws -> Void = { _ in }
    ) -> FrameRoute {
        FrameRoute(firstByte: byte) { frame in
            frame.count > 1
                ? FrameRequest(
                    method,
                    cost: cost,
                    run: {
                        try await run($0)
                        return FrameAnswer(frame, needing: "file.write")
                    },
                    refusal: { [byte, UInt8(-$0.code % 100)] }
                ) : nil
        }
    }

    private func outcomes() async throws -> [AuditEntry.Outcome] {
        try await log.entries(after: nil, limit: 100).entries.map(\.outcome)
    }

    @Test("a frame is done where its method may be called, for its device, and the log has one row of that method")
    func done() async throws {
        let device = LatestValue<String?>(nil)
        let door = door([route(7) { _ in device.set(WorkOwner.device) }])
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        #expect(door.takes([7]) && !door.takes([8]) && !door.takes([]))
        door.take([7, 1], from: Self.writer)
        #expect(await frames.next() == [7, 1])
        #expect(device.value == Self.writer.id)
        await door.close()
        #expect(try await outcomes() == [.done])
        #expect(try await log.entries(after: nil, limit: 9).entries.allSatisfy { $0.method == "file.delete" })
    }

    @Test("a frame that cannot be logged is not done, says so, and gives its room back")
    func unlogged() async throws {
        let runs = LatestValue(0)
        let door = door(
            [route(7, cost: FrameDoor.bytesAtATime) { _ in runs.update { $0 += 1 } }],
            log: FullAuditLog()
        )
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        for _ in 0..<2 {
            // Its room is free a moment after its answer has left; until then it is busy.
            while true {
                door.take([7, 1], from: Self.writer)
                if await frames.next() == [7, UInt8(-FailureCode.internalError % 100)] { break }
            }
        }
        await door.close()
        #expect(runs.value == 0)
    }

    @Test("what changes nothing is not written down")
    func safe() async throws {
        let reading = RemoteMethod("file.read", needs: "file.write", risk: .safe) { _, _ in "" }.declaration
        let door = door([route(7, of: reading)])
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        door.take([7, 1], from: Self.writer)
        #expect(await frames.next() == [7, 1])
        await door.close()
        #expect(try await outcomes() == [])
    }

    @Test("what a feature refuses is answered and logged with its code, and the next frame is taken")
    func failed() async throws {
        let door = door([
            route(7) { _ in throw RemoteFailure(code: FailureCode.notFound, message: "gone") }, route(8),
        ])
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        door.take([7, 1], from: Self.writer)
        #expect(await frames.next() == [7, UInt8(-FailureCode.notFound % 100)])
        door.take([8, 1], from: Self.writer)
        #expect(await frames.next() == [8, 1])
        await door.close()
        #expect(try await outcomes().contains(.failed(code: FailureCode.notFound)))
    }

    @Test("without the right, outside of a session, or as no frame it is not done")
    func refused() async throws {
        let runs = LatestValue(0)
        let door = door([route(7) { _ in runs.update { $0 += 1 } }])
        var other = Self.writer
        other.rights = []
        var frames = outlet.frames(to: other.id).makeAsyncIterator()
        door.take([7, 1], from: other)
        #expect(await frames.next() == [7, UInt8(-FailureCode.notAllowed % 100)])
        for proof in [Caller.Proof.clear, .unsealed, .stranger, .token] {
            door.take([7, 1], from: Caller(id: other.id, name: "Bo", proof: proof, rights: ["file.write"]))
        }
        door.take([7], from: Self.writer)
        await door.close()
        #expect(runs.value == 0)
        #expect(try await outcomes() == [.refused(code: FailureCode.notAllowed)])
    }

    @Test("a device that runs wild is refused before its frames are looked at, and no other device with it")
    func rate() async throws {
        var limits = GateLimits()
        limits.session = GateLimits.Rate(burst: 1, perSecond: 1)
        let door = door([route(7)], limits: limits)
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        door.take([7, 1], from: Self.writer)
        #expect(await frames.next() == [7, 1])
        door.take([7, 2], from: Self.writer)
        #expect(await frames.next() == [7, UInt8(-FailureCode.tooMany % 100)])
        var other = Self.writer
        other.id = "did:key:z6MkB"
        var others = outlet.frames(to: other.id).makeAsyncIterator()
        door.take([7, 3], from: other)
        #expect(await others.next() == [7, 3])
        await door.close()
    }

    @Test("a device's frames share their room, whatever features they are of, and get it back")
    func room() async throws {
        let (held, holder) = AsyncStream.makeStream(of: Void.self)
        let door = door([
            route(7, cost: FrameDoor.bytesAtATime) { _ in for await _ in held {} }, route(8),
        ])
        var frames = outlet.frames(to: Self.writer.id).makeAsyncIterator()
        door.take([7, 1], from: Self.writer)
        door.take([8, 1], from: Self.writer)
        #expect(await frames.next() == [8, UInt8(-FailureCode.busy % 100)])
        holder.finish()
        #expect(await frames.next() == [7, 1])
        // Its room is free a moment after its answer has left.
        while true {
            door.take([8, 2], from: Self.writer)
            if await frames.next() == [8, 2] { break }
        }
        await door.close()
    }
}
