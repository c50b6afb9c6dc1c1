/// A limit on the bytes under way at a time. Callers beyond it wait, in order.
package actor ByteWindow {
    private struct Waiter {
        let id: UInt64
        let count: Int
        let continuation: CheckedContinuation<Void, any Error>
    }

    private let size: Int
    private var used = 0
    private var waiters: [Waiter] = []
    private var nextID: UInt64 = 0

    package init(size: Int) { self.size = size }

    /// - Throws: `CancellationError` when the asker gave up.
    package func acquire(_ wanted: Int) async throws {
        let count = min(wanted, size)
        if waiters.isEmpty, used + count <= size {
            used += count
            return
        }
        nextID += 1
        let id = nextID
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiters.append(Waiter(id: id, count: count, continuation: continuation))
            }
        } onCancel: {
            Task { await self.giveUp(id) }
        }
    }

    package func release(_ wanted: Int) {
        used -= min(wanted, size)
        admit()
    }

    private func admit() {
        while let first = waiters.first, used + first.count <= size {
            waiters.removeFirst()
            used += first.count
            first.continuation.resume()
        }
    }

    private func giveUp(_ id: UInt64) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
        admit()
    }
}

extension ByteWindow {
    /// Runs `body` while so many bytes of the window are its own.
    ///
    /// - Throws: As ``acquire(_:)``; what `body` throws.
    package func with<Value>(
        _ wanted: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        try await acquire(wanted)
        return try await releasing(wanted, body)
    }

    /// Like ``with(_:isolation:_:)``, for bytes that were acquired before.
    package func releasing<Value>(
        _ wanted: Int,
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            let value = try await body()
            await release(wanted)
            return value
        } catch {
            await release(wanted)
            throw error
        }
    }
}
