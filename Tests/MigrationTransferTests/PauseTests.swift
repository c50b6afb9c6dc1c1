import Kernel
import MigrationTransfer
import Testing

@Suite("Pausing, going on and cancelling", .timeLimit(.minutes(2)))
struct PauseTests {
    /// Both sessions, begun, with a package of which a part has arrived.
    private struct Running {
        let phones: TwoPhones
        let receiver: PackageReceiver
        let source: Task<TransferEnd, any Error>
        let target: Task<TransferEnd, any Error>
        let restoring: Task<Void, any Error>

        func ends() async throws -> (TransferEnd, TransferEnd) {
            let (source, target, restoring) = (source, target, restoring)
            return try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
                let both = (try await source.value, try await target.value)
                _ = try await restoring.value
                return both
            }
        }
    }

    private func start(size: Int64 = 4_000_000) async throws -> Running {
        let phones = TwoPhones(size: size, chunkSize: 2048)
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let (source, target) = (phones.source(), phones.target(receiver))
        return Running(
            phones: phones,
            receiver: receiver,
            source: Task { try await source.run() },
            target: Task { try await target.run() },
            restoring: Task { try await TwoPhones.restoring(receiver) }
        )
    }

    private func wait(
        for state: LatestValue<MigrationTransferState>,
        _ condition: @escaping @Sendable (MigrationTransferState) -> Bool
    ) async throws {
        try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            for await value in state.values() where condition(value) { return }
        }
    }

    @Test("either phone pauses: both show whose pause it is, and only that one ends it", arguments: [true, false])
    func onePauses(isSource: Bool) async throws {
        let running = try await start()
        let (sender, receiver) = (running.phones.sender, running.receiver)
        try await wait(for: receiver.state) { $0.step == .transferring }
        if isSource { await sender.pause() } else { try await receiver.pause() }
        try await wait(for: sender.state) { ($0.hold.own != nil) == isSource && ($0.hold.peer != nil) != isSource }
        try await wait(for: receiver.state) { ($0.hold.own != nil) != isSource && ($0.hold.peer != nil) == isSource }
        // The other side cannot end it.
        if isSource { try await receiver.resume() } else { await sender.resume() }
        #expect(sender.state.value.hold.isHeld)
        #expect(receiver.state.value.hold.isHeld)
        if isSource { await sender.resume() } else { try await receiver.resume() }
        let ends = try await running.ends()
        #expect(ends == (.restored, .restored))
        #expect(running.phones.hasArrived)
    }

    @Test("both pause at once: it goes on when both have ended their pause")
    func bothPause() async throws {
        let running = try await start()
        let (sender, receiver) = (running.phones.sender, running.receiver)
        try await wait(for: receiver.state) { $0.step == .transferring }
        async let one: Void = sender.pause()
        async let other: Void = receiver.pause()
        _ = try await (one, other)
        try await wait(for: sender.state) { $0.hold.own != nil && $0.hold.peer != nil }
        try await wait(for: receiver.state) { $0.hold.own != nil && $0.hold.peer != nil }
        await sender.resume()
        try await wait(for: receiver.state) { $0.hold == TransferHold(own: "user") }
        try await receiver.resume()
        #expect(try await running.ends() == (.restored, .restored))
        #expect(running.phones.hasArrived)
    }

    @Test("a pause outlives the link, and is told again on the next one", arguments: [true, false])
    func pauseAndCut(isSource: Bool) async throws {
        let running = try await start()
        let (sender, receiver) = (running.phones.sender, running.receiver)
        try await wait(for: receiver.state) { $0.step == .transferring }
        if isSource { await sender.pause() } else { try await receiver.pause() }
        try await wait(for: isSource ? receiver.state : sender.state) { $0.hold.peer != nil }
        running.phones.network.pull()
        try await wait(for: sender.state) { !$0.isLinked }
        running.phones.network.plug()
        try await wait(for: isSource ? receiver.state : sender.state) { $0.isLinked && $0.hold.peer != nil }
        if isSource { await sender.resume() } else { try await receiver.resume() }
        #expect(try await running.ends() == (.restored, .restored))
        #expect(running.phones.hasArrived)
    }

    @Test("either phone cancels while chunks arrive, and the new phone keeps nothing", arguments: [true, false])
    func cancel(isSource: Bool) async throws {
        let running = try await start()
        let (sender, receiver) = (running.phones.sender, running.receiver)
        try await wait(for: receiver.state) { $0.step == .transferring }
        if isSource { await sender.cancel() } else { await receiver.cancel() }
        let ends = try await running.ends()
        #expect(ends.0 == .cancelled(byPeer: !isSource))
        #expect(ends.1 == .cancelled(byPeer: isSource))
        await receiver.close()
        #expect(try await SimulatedStore(disk: running.phones.disk, work: running.phones.work).unfinished() == nil)
    }

    @Test("one pauses while the other cancels: it is cancelled on both")
    func pauseAndCancel() async throws {
        for isSource in [true, false] {
            let running = try await start()
            let (sender, receiver) = (running.phones.sender, running.receiver)
            try await wait(for: receiver.state) { $0.step == .transferring }
            if isSource {
                async let one: Void = sender.pause()
                async let other: Void = receiver.cancel()
                _ = await (one, other)
            } else {
                async let one: Void = receiver.pause()
                async let other: Void = sender.cancel()
                _ = try await (one, other)
            }
            let ends = try await running.ends()
            #expect(ends.0 == .cancelled(byPeer: isSource))
            #expect(ends.1 == .cancelled(byPeer: !isSource))
        }
    }

    @Test("a disk without space holds the transfer, and goes on when there is some")
    func fullDisk() async throws {
        let running = try await start()
        let (phones, receiver) = (running.phones, running.receiver)
        try await wait(for: receiver.state) { $0.step == .transferring }
        phones.disk.failWrites(.diskFull(neededBytes: 4096))
        try await wait(for: phones.sender.state) { $0.hold.peer == "diskFull" }
        phones.disk.freeBytes = 1000
        await #expect(throws: MigrationTransferError.self) { try await receiver.resume() }
        #expect(receiver.state.value.hold.own == "diskFull")
        phones.disk.freeBytes = .max / 4
        phones.disk.failWrites(nil)
        try await receiver.resume()
        #expect(try await running.ends() == (.restored, .restored))
        #expect(phones.hasArrived)
    }

    @Test("without space for the package nothing of it is sent, and the person is asked once there is")
    func noSpace() async throws {
        let phones = TwoPhones()
        phones.disk.freeBytes = 1000
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let receiver = phones.receiver()
        let (source, target) = (phones.source(), phones.target(receiver))
        let running = Running(
            phones: phones,
            receiver: receiver,
            source: Task { try await source.run() },
            target: Task { try await target.run() },
            restoring: Task { try await TwoPhones.restoring(receiver) }
        )
        try await wait(for: phones.sender.state) { $0.hold.peer == "diskFull" }
        // 200,000 bytes, a fiftieth more, and 200 MiB that stay free.
        await #expect(throws: MigrationTransferError.diskFull(neededBytes: 204_000 + 200 << 20 - 1000)) {
            try await receiver.resume()
        }
        #expect(phones.package.readBytes == 0)
        phones.disk.freeBytes = .max / 4
        try await receiver.resume()
        #expect(try await running.ends() == (.restored, .restored))
        #expect(phones.hasArrived)
    }

    @Test("who goes on while they are asked are asked anew, and what they were asked before declines nothing")
    func asksAnew() async throws {
        let phones = TwoPhones(size: 50_000)
        _ = await phones.targetCredentials.show(addresses: [])
        try await phones.sender.offer(phones.package.meta, from: phones.package)
        let questions = LatestValue(0)
        let receiver = phones.receiver { _ in
            let count = questions.value + 1
            questions.set(count)
            guard count == 1 else { return .accept }
            // Only the end of the task answers this one, as it does a question to a person.
            for await _ in questions.values() {}
            return .decline(reason: "declined")
        }
        let (source, target) = (phones.source(), phones.target(receiver))
        let ends = try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            async let first = source.run()
            async let second = target.run()
            async let restoring: Void = TwoPhones.restoring(receiver)
            for await count in questions.values() where count == 1 { break }
            try await receiver.pause()
            try await receiver.resume()
            let both = try await (first, second)
            try await restoring
            return both
        }
        #expect(ends == (.restored, .restored))
        #expect(questions.value == 2)
        #expect(phones.hasArrived)
    }
}
