import Commands
package import Kernel

/// Sends frames and gives each its answer, found by transfer and offset. What is not answered is asked again, because a frame may be
/// lost with the link that carried it: soon after the desktop is reached again, and at intervals.
package actor FrameExchange {
    private struct Key: Hashable {
        let transfer: TransferID
        let offset: Int64
    }

    private struct Wait {
        /// The frame that was sent, to be sent again; a repeat changes nothing.
        let frame: TransferFrame
        var askedAt: ContinuousClock.Instant
        var answer: Result<TransferFrame.Content, any Error>?
        var caller: CheckedContinuation<TransferFrame.Content, any Error>?
    }

    /// The time that frames under way have to arrive once the desktop is reached again.
    package static let reconnectDelay = Duration.seconds(1)
    /// The time between two sends of one frame, unless something arrives meanwhile: a slow link is not asked twice.
    package static let interval = Duration.seconds(10)
    /// How long a desktop that is away is waited for.
    package static let maximumAbsence = Duration.seconds(120)

    private let send: @Sendable ([UInt8]) async throws -> Void
    private let time: any TimeSource
    private let limit: Duration
    private var waits: [Key: Wait] = [:]
    /// One for all: thousands of frames go in a second.
    private var timer: Task<Void, Never>?
    private var repeats: Task<Void, Never>?
    private var lostAt: ContinuousClock.Instant?
    private var heardAt: ContinuousClock.Instant
    private var askAllAt: ContinuousClock.Instant?
    private var repeatedAt: ContinuousClock.Instant

    /// - Parameter limit: How long the desktop may answer nothing while it is reached.
    package init(time: any TimeSource, limit: Duration, send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.time = time
        heardAt = time.now
        repeatedAt = time.now
        self.limit = limit
        self.send = send
    }

    /// - Throws: ``TransferError/refused(code:reason:)``; ``RemoteError`` when no answer came.
    package func answer(to frame: TransferFrame) async throws -> TransferFrame.Content {
        let key = Key(transfer: frame.transfer, offset: frame.offset)
        guard waits[key] == nil else { throw TransferError.busy }
        if waits.isEmpty { heardAt = time.now }
        // Before it is sent, since the answer may come before `send` returns.
        waits[key] = Wait(frame: frame, askedAt: time.now)
        startTimer()
        do {
            try await send(frame.bytes)
        } catch {
            waits[key] = nil
            throw error
        }
        let content = try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                if let answer = waits[key]?.answer {
                    waits[key] = nil
                    caller.resume(with: answer)
                } else if Task.isCancelled {
                    waits[key] = nil
                    caller.resume(throwing: CancellationError())
                } else {
                    waits[key]?.caller = caller
                }
            }
        } onCancel: {
            Task { await self.resume(key, .failure(CancellationError())) }
        }
        if case .refused(let code, let reason) = content { throw TransferError.refused(code: code, reason: reason) }
        return content
    }

    package func receive(_ frame: TransferFrame) {
        heardAt = time.now
        resume(Key(transfer: frame.transfer, offset: frame.offset), .success(frame.content))
    }

    /// The desktop is reached again.
    package func desktopReached() {
        guard lostAt != nil else { return }
        lostAt = nil
        heardAt = time.now
        askAllAt = waits.isEmpty ? nil : time.now + Self.reconnectDelay
    }

    package func desktopLost() {
        guard lostAt == nil else { return }
        lostAt = time.now
        askAllAt = nil
    }

    /// Ends every wait: the peer will not answer.
    package func endWaits() {
        timer?.cancel()
        timer = nil
        repeats?.cancel()
        repeats = nil
        for key in waits.keys { resume(key, .failure(RemoteError.notConnected)) }
    }

    private func resume(_ key: Key, _ answer: Result<TransferFrame.Content, any Error>) {
        guard let wait = waits[key], wait.answer == nil else { return }
        if let caller = wait.caller {
            waits[key] = nil
            caller.resume(with: answer)
        } else {
            waits[key]?.answer = answer
        }
    }

    private func startTimer() {
        guard timer == nil else { return }
        timer = Task { [time] in
            // Cancelled: closed.
            while await time.pause(for: .seconds(1)) { guard turnTimer() else { return } }
        }
    }

    /// - Returns: Whether there is anything left to wait for.
    private func turnTimer() -> Bool {
        let now = time.now
        if let lostAt {
            if now - lostAt >= Self.maximumAbsence { endWaits() }
        } else if now - heardAt >= limit {
            for (key, wait) in waits where now - wait.askedAt >= limit {
                resume(key, .failure(RemoteError.timeout(id: "\(key.offset)", method: "a file's frame", after: limit)))
            }
        } else {
            askAgain(now)
        }
        if waits.isEmpty { timer = nil }
        return !waits.isEmpty
    }

    private func askAgain(_ now: ContinuousClock.Instant) {
        let isReconnected = askAllAt.map { now >= $0 } ?? false
        let isQuiet = now - max(heardAt, repeatedAt) >= Self.interval
        guard isReconnected || isQuiet, repeats == nil else { return }
        askAllAt = nil
        repeatedAt = now
        let frames = waits.values.filter { $0.answer == nil && now - $0.askedAt >= Self.reconnectDelay }.map(\.frame)
        guard !frames.isEmpty else { return }
        repeats = Task { [send] in
            for frame in frames where !Task.isCancelled {
                // Closed: the waits end by themselves.
                guard (try? await send(frame.bytes)) != nil else { break }
            }
            repeatsEnded()
        }
    }

    private func repeatsEnded() { repeats = nil }
}
