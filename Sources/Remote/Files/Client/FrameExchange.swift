import Kernel

/// Sends frames and gives each its answer, found by transfer and offset.
actor FrameExchange {
    private struct Key: Hashable {
        let transfer: TransferID
        let offset: Int64
    }

    private struct Wait {
        /// How many turns of the timer are left.
        var turns: Int
        var answer: Result<TransferFrame.Content, any Error>?
        var caller: CheckedContinuation<TransferFrame.Content, any Error>?
    }

    /// Turns of the timer in the time an answer may take. One timer for all: thousands of frames go in a second.
    private static let turns = 4

    private let send: @Sendable ([UInt8]) async throws -> Void
    private let clock: any Clock<Duration>
    private let limit: Duration
    private var waits: [Key: Wait] = [:]
    private var timer: Task<Void, Never>?

    /// - Parameter limit: How long an answer may take, up to a quarter more.
    init(clock: any Clock<Duration>, limit: Duration, send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.clock = clock
        self.limit = limit
        self.send = send
    }

    /// - Throws: ``TransferError/refused(code:reason:)``; ``RemoteError`` when no answer came.
    func answer(to frame: TransferFrame) async throws -> TransferFrame.Content {
        let key = Key(transfer: frame.transfer, offset: frame.offset)
        guard waits[key] == nil else { throw TransferError.busy }
        // Before it is sent, since the answer may come before `send` returns.
        waits[key] = Wait(turns: Self.turns + 1)
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
            Task { await self.settle(key, .failure(CancellationError())) }
        }
        if case .refused(let code, let reason) = content { throw TransferError.refused(code: code, reason: reason) }
        return content
    }

    func receive(_ frame: TransferFrame) {
        settle(Key(transfer: frame.transfer, offset: frame.offset), .success(frame.content))
    }

    /// Ends every wait: nobody will answer.
    func endWaits() {
        timer?.cancel()
        timer = nil
        for key in waits.keys { settle(key, .failure(RemoteError.notConnected)) }
    }

    private func settle(_ key: Key, _ answer: Result<TransferFrame.Content, any Error>) {
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
        timer = Task { [clock, limit] in
            while (try? await clock.sleep(for: limit / Self.turns)) != nil {  // cancelled: closed
                guard turnTimer() else { return }
            }
        }
    }

    /// - Returns: Whether there is anything left to wait for.
    private func turnTimer() -> Bool {
        for key in waits.keys {
            waits[key]?.turns -= 1
            guard waits[key]?.turns == 0 else { continue }
            let late = RemoteError.timeout(id: "\(key.offset)", method: "a file's frame", after: limit)
            settle(key, .failure(late))
        }
        if waits.isEmpty { timer = nil }
        return !waits.isEmpty
    }
}
