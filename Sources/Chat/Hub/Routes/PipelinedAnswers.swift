import Chat
import Kernel
import Synchronization

/// The answers to requests of one socket that do not wait for each other. They go out in the order of their requests, and those that are ready
/// together in one go: what came in one commit is one write.
///
/// One reader begins the requests; their answers come from anywhere.
final class PipelinedAnswers: Sendable {
    /// Tells what has become of a request.
    typealias Done = @Sendable (SyncFrame.Response) -> Void

    private struct State {
        /// Requests that were begun, answers that were taken to be sent, and those whose sending has ended.
        var begun: UInt64 = 0
        var taken: UInt64 = 0
        var sent: UInt64 = 0
        /// Answers that were not taken yet, by the numbers of their requests.
        var ready: [UInt64: SyncFrame.Response] = [:]
        var isSending = false
        /// The reader, until at most so many requests are under way.
        var reader: (count: UInt64, waiter: CheckedContinuation<Void, Never>)?

        mutating func takeReader() -> CheckedContinuation<Void, Never>? {
            defer { reader = nil }
            return reader?.waiter
        }
    }

    private let state = Mutex(State())
    private let tasks = OwnedTasks()
    private let send: @Sendable ([SyncFrame.Response]) async -> Void

    /// - Parameter send: Sends answers, one call at a time. A request is under way until it returns, so that a socket that takes nothing is not
    ///   read either.
    init(send: @escaping @Sendable ([SyncFrame.Response]) async -> Void) { self.send = send }

    /// Takes the next place for an answer.
    ///
    /// - Returns: To be called once with it.
    func begin() -> Done {
        let number = state.withLock { state in
            defer { state.begun += 1 }
            return state.begun
        }
        return { [self] in finish(number, $0) }
    }

    /// Returns once at most `count` requests are under way, or the caller is cancelled. One caller at a time.
    func wait(for count: UInt64) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let goesOn = state.withLock { state in
                    // Looked at under the lock: a cancellation that comes later finds the reader.
                    guard state.begun - state.sent > count, !Task.isCancelled else { return true }
                    state.reader = (count, waiter)
                    return false
                }
                if goesOn { waiter.resume() }
            }
        } onCancel: {
            state.withLock { $0.takeReader() }?.resume()
        }
    }

    /// Sends nothing more, and returns once no sending is under way.
    func close() async { await tasks.end() }

    private func finish(_ number: UInt64, _ response: SyncFrame.Response) {
        let begins = state.withLock { state in
            state.ready[number] = response
            guard !state.isSending, state.ready[state.taken] != nil else { return false }
            state.isSending = true
            return true
        }
        // The rest of a commit's answers come while the task is on its way to a thread.
        if begins { tasks.add { [self] in await drain() } }
    }

    private func drain() async {
        while let responses = take() {
            await send(responses)
            let reader = state.withLock { state -> CheckedContinuation<Void, Never>? in
                state.sent += UInt64(responses.count)
                guard let count = state.reader?.count, state.begun - state.sent <= count else { return nil }
                return state.takeReader()
            }
            reader?.resume()
        }
    }

    /// The answers that are next, up to the first that is not there.
    private func take() -> [SyncFrame.Response]? {
        state.withLock { state in
            var responses: [SyncFrame.Response] = []
            while let response = state.ready.removeValue(forKey: state.taken) {
                responses.append(response)
                state.taken += 1
            }
            guard responses.isEmpty else { return responses }
            state.isSending = false
            return nil
        }
    }
}
