import Kernel
import Synchronization

/// Carries messages over one proven link: one task reads, one writes, one keeps time.
final class LinkCarrier: Sendable {
    private struct Life {
        var bytesHeard: UInt64 = 0
        var heardAt: ContinuousClock.Instant
        var sentAt: ContinuousClock.Instant
        /// Whether the reader waits for the peer. While it works on what arrived, silence is this side's.
        var isReading = false
        var needsPing = false
    }

    private let proven: ProvenLink
    private let part: any SessionPart
    private let time: any TimeSource
    private let timing: MigrationTiming
    private let life: Mutex<Life>

    init(_ proven: ProvenLink, part: any SessionPart, time: any TimeSource, timing: MigrationTiming) {
        self.proven = proven
        self.part = part
        self.time = time
        self.timing = timing
        life = Mutex(Life(heardAt: time.now, sentAt: time.now))
    }

    /// Returns once the transfer has ended and the peer knows it, as far as this link tells.
    ///
    /// - Throws: ``MigrationTransferError/linkLost``, and what ends the session.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer {
                group.cancelAll()
                proven.link.close()
            }
            group.addTask { try await self.read() }
            group.addTask { try await self.write() }
            group.addTask { try await self.keepTime() }
            _ = try await group.next()
        }
    }

    private func read() async throws {
        var opening = proven.opening
        while true {
            life.withLock {
                $0.isReading = true
                $0.heardAt = time.now
            }
            let message: MigrationMessage
            do {
                message = try await proven.link.message(opening: &opening)
            } catch {
                // The peer closes the link when it has heard the last word.
                if error == .linkLost, await part.end != nil { return }
                throw error
            }
            life.withLock { $0.isReading = false }
            try await part.take(message)
        }
    }

    private func write() async throws {
        var sealing = proven.sealing
        while !Task.isCancelled {
            while let message = try await part.next() {
                try await proven.link.send(message, sealing: &sealing)
                life.withLock { $0.sentAt = time.now }
            }
            if await part.end != nil {
                // What is still on its way would be lost by closing first.
                if await part.hasLastWord { _ = await time.pause(for: timing.linger) }
                return
            }
            let needsPing = life.withLock { life in
                defer { life.needsPing = false }
                return life.needsPing
            }
            if needsPing {
                try await proven.link.send(.ping, sealing: &sealing)
                life.withLock { $0.sentAt = time.now }
            }
            await part.wake.wait()
        }
    }

    private func keepTime() async throws {
        while true {
            try await time.sleep(for: timing.acknowledgement)
            try await part.tick()
            let now = time.now
            let heard = proven.link.bytesHeard
            let (isDead, wantsPing) = life.withLock { life in
                if heard != life.bytesHeard || !life.isReading { life.heardAt = now }
                life.bytesHeard = heard
                life.needsPing = now - life.sentAt >= timing.ping
                return (now - life.heardAt >= timing.death, life.needsPing)
            }
            if wantsPing { part.wake.set() }
            if isDead { throw MigrationTransferError.linkLost }
        }
    }
}
