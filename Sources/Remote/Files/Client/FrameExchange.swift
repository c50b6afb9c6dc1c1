import Kernel

/// Sends frames and gives each its answer, found by transfer and offset.
actor FrameExchange {
    private struct Key: Hashable {
        let transfer: TransferID
        let offset: Int64
    }

    private let send: @Sendable ([UInt8]) async throws -> Void
    private let clock: any Clock<Duration>
    private var waiting: [Key: CheckedContinuation<TransferFrame.Content, any Error>] = [:]
    private var sends: [Key: Task<Void, Never>] = [:]

    init(clock: any Clock<Duration>, send: @escaping @Sendable ([UInt8]) async throws -> Void) {
        self.clock = clock
        self.send = send
    }

    /// - Throws: ``TransferError/refused(code:reason:)``; ``RemoteError`` when no answer came.
    func answer(to frame: TransferFrame, within limit: Duration) async throws -> TransferFrame.Content {
        let late = RemoteError.timeout(id: "\(frame.offset)", method: "a file's frame", after: limit)
        let content = try await withTimeout(limit, on: clock, throwing: late) { try await self.exchange(frame) }
        if case .refused(let code, let reason) = content { throw TransferError.refused(code: code, reason: reason) }
        return content
    }

    func receive(_ frame: TransferFrame) {
        let key = Key(transfer: frame.transfer, offset: frame.offset)
        waiting.removeValue(forKey: key)?.resume(returning: frame.content)
    }

    func close() {
        let callers = waiting.values
        waiting = [:]
        for caller in callers { caller.resume(throwing: RemoteError.notConnected) }
    }

    private func exchange(_ frame: TransferFrame) async throws -> TransferFrame.Content {
        let key = Key(transfer: frame.transfer, offset: frame.offset)
        guard waiting[key] == nil else { throw TransferError.busy }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[key] = continuation
                // The answer may come before `send` returns, so the wait is in place first. The task ends with the send.
                sends[key] = Task {
                    do { try await send(frame.bytes) } catch { fail(key, error) }
                    sends[key] = nil
                }
            }
        } onCancel: {
            Task { await self.fail(key, CancellationError()) }
        }
    }

    private func fail(_ key: Key, _ error: any Error) {
        sends.removeValue(forKey: key)?.cancel()
        waiting.removeValue(forKey: key)?.resume(throwing: error)
    }
}
