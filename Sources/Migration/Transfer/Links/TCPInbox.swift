import Synchronization

/// What arrived on a TCP connection and was not taken: between the event loop and the one task that reads.
final class TCPInbox: Sendable {
    private struct State {
        var reader = MigrationFrameReader()
        var bytesHeard: UInt64 = 0
        var isEnded = false
        var failure: MigrationTransferError?
        var waiter: CheckedContinuation<Result<[UInt8]?, MigrationTransferError>, Never>?
        var readMore: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    var bytesHeard: UInt64 { state.withLock(\.bytesHeard) }

    /// Reads once more from the connection, which never reads by itself.
    var readMore: (@Sendable () -> Void)? {
        get { state.withLock(\.readMore) }
        set { state.withLock { $0.readMore = newValue } }
    }

    func allow(_ limit: Int) { state.withLock { $0.reader.limit = limit } }

    /// Bytes of the connection.
    func take(_ bytes: some Collection<UInt8>) {
        state.withLock { state in
            state.bytesHeard &+= UInt64(bytes.count)
            state.reader.append(bytes)
        }
    }

    /// All of one read was taken: hands out a body, or reads on where somebody waits for one.
    func readIsComplete() {
        let (resume, readMore) = state.withLock { state -> ((() -> Void)?, (@Sendable () -> Void)?) in
            guard let waiter = state.waiter else { return (nil, nil) }
            guard let result = Self.body(&state) else { return (nil, state.readMore) }
            state.waiter = nil
            return ({ waiter.resume(returning: result) }, nil)
        }
        resume?()
        readMore?()
    }

    /// There will be no more bytes.
    func end(_ failure: MigrationTransferError?) {
        let resume = state.withLock { state -> (() -> Void)? in
            state.isEnded = true
            state.failure = state.failure ?? failure
            state.readMore = nil
            // What arrived before the end is there for whoever asks next: a body is taken out only for somebody.
            guard let waiter = state.waiter else { return nil }
            state.waiter = nil
            let result = Self.body(&state) ?? .success(nil)
            return { waiter.resume(returning: result) }
        }
        resume?()
    }

    /// The next body; nil at the end. A task that is cancelled ends the connection.
    func next(cancel: @escaping @Sendable () -> Void) async throws(MigrationTransferError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                let (result, readMore) = state.withLock {
                    state -> (Result<[UInt8]?, MigrationTransferError>?, (@Sendable () -> Void)?) in
                    if let result = Self.body(&state) { return (result, nil) }
                    state.waiter = waiter
                    return (nil, state.readMore)
                }
                if let result { waiter.resume(returning: result) }
                readMore?()
            }
        } onCancel: {
            end(nil)
            cancel()
        }
        return try result.get()
    }

    /// What can be handed out: a whole body, an error of the stream, or the end. Nil while more has to arrive.
    private static func body(_ state: inout State) -> Result<[UInt8]?, MigrationTransferError>? {
        do {
            if let body = try state.reader.next() { return .success(body) }
        } catch {
            state.isEnded = true
            state.failure = error
        }
        guard state.isEnded else { return nil }
        return state.failure.map { .failure($0) } ?? .success(nil)
    }
}
