import Kernel
import Synchronization

/// The asking end of a bulk connection: sends parts and fetches them, many under way at a time. One thread of its own sends, one receives,
/// both behind what others do. When the connection fails, every part under way fails with it.
package final class BulkByteLink: ByteLink {
    private enum Question: Hashable {
        case data(TransferID, Int64)
        case want(TransferID, Int64)
    }

    private struct Wait {
        let count: Int
        let take: @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
        let caller: CheckedContinuation<Void, any Error>
        var failure: (any Error)?
    }

    private struct State {
        var waits: [Question: Wait] = [:]
        /// Why nothing can be asked any more.
        var failure: (any Error)?
    }

    private let connection: BulkConnection
    private let threads = BlockingWork("tandem.bulk", width: 2, urgency: .bulk)
    private let sending: BlockingLane
    private let state = Mutex(State())

    /// Begins to receive. ``end()`` has to be called when the link is not needed any more.
    package init(_ connection: BulkConnection) {
        self.connection = connection
        sending = BlockingLane(on: threads)
        threads.perform { [self] in receive() }
    }

    package var partSize: Int { BulkLimits.recordSize }
    /// Whether parts may still be asked for.
    package var isUsable: Bool { state.withLock { $0.failure == nil } }

    package func send(_ count: Int, at offset: Int64, of transfer: TransferID, from file: any ReadableFile) async throws
    {
        let head = BulkRecordHead(.data, body: transfer, offset: offset, count: count)
        try await ask(.data(transfer, offset), count, take: { _, _ in }) { [connection] in
            try connection.send(head) { place, count in
                let block = try file.read(at: offset + Int64(place), count: count)
                guard block.count == count else { throw TransferError.sourceChanged("The file") }
                return block[...]
            }
        }
    }

    package func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        let head = BulkRecordHead(.want, body: transfer, offset: offset, count: count)
        try await ask(.want(transfer, offset), count, take: take) { [connection] in try connection.send(head) }
    }

    /// Ends the connection at once; parts under way fail with ``BulkError/closed``.
    package func end() {
        fail(BulkError.closed)
        connection.end()
    }

    private func ask(
        _ question: Question,
        _ count: Int,
        take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void,
        sending send: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            let refusal = state.withLock { state -> (any Error)? in
                if let failure = state.failure { return failure }
                guard state.waits[question] == nil else { return TransferError.busy }
                state.waits[question] = Wait(count: count, take: take, caller: caller)
                return nil
            }
            if let refusal { return caller.resume(throwing: refusal) }
            sending.perform { [self] in
                do {
                    try send()
                } catch {
                    // A record was begun and not ended, so nothing more can be said. The part that failed knows why.
                    resume(question, .failure(error))
                    fail(error as? BulkError ?? BulkError.closed)
                    connection.end()
                }
            }
        }
    }

    /// Until the connection ends. Blocks.
    private func receive() {
        do {
            while true {
                var refusal: [UInt8] = []
                let head = try connection.receive { head, place, block in
                    if head.kind == .refused { refusal += block } else { try take(block, head, place) }
                }
                guard head.kind != .end else { throw BulkError.closed }
                try answer(head, refusal)
            }
        } catch {
            fail(error)
            connection.end()
        }
    }

    /// A trouble of one part's file is that part's: the rest of its record is read and dropped, and the connection goes on.
    private func take(_ block: [UInt8], _ head: BulkRecordHead, _ place: Int) throws(BulkError) {
        let question = Question.want(head.body, head.offset)
        guard let wait = state.withLock({ $0.waits[question] }), wait.count == head.count else {
            throw .malformed("a part that was not asked for")
        }
        guard wait.failure == nil else { return }
        do {
            try wait.take(block[...], head.offset + Int64(place))
        } catch {
            state.withLock { $0.waits[question]?.failure = error }
        }
    }

    private func answer(_ head: BulkRecordHead, _ refusal: [UInt8]) throws(BulkError) {
        switch head.kind {
        case .data: resume(.want(head.body, head.offset), .success(()))
        case .taken:
            let question = Question.data(head.body, head.offset)
            guard state.withLock({ $0.waits[question]?.count }) == head.count else {
                throw .malformed("an answer to nothing that was sent")
            }
            resume(question, .success(()))
        case .refused:
            let code = refusal.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let error = TransferError.refused(
                code: Int(Int32(bitPattern: code)),
                reason: String(decoding: refusal.dropFirst(4), as: UTF8.self)
            )
            // One offset is sent or fetched, never both: a transfer has one direction.
            resume(.want(head.body, head.offset), .failure(error))
            resume(.data(head.body, head.offset), .failure(error))
        case .want, .end: throw .malformed("a question where an answer belongs")
        }
    }

    private func resume(_ question: Question, _ result: Result<Void, any Error>) {
        guard let wait = state.withLock({ $0.waits.removeValue(forKey: question) }) else { return }
        wait.caller.resume(with: wait.failure.map { .failure($0) } ?? result)
    }

    private func fail(_ error: any Error) {
        let waits = state.withLock { state in
            state.failure = state.failure ?? error
            defer { state.waits = [:] }
            return Array(state.waits.values)
        }
        for wait in waits { wait.caller.resume(throwing: wait.failure ?? error) }
    }
}
