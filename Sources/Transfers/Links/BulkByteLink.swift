import Kernel
import Synchronization

/// The asking end of a bulk connection: sends parts and fetches them, many under way at a time. One thread of its own sends, one receives,
/// both behind what others do. When the connection fails, every part under way fails with it.
package final class BulkByteLink: ByteLink {
    /// - Parameter parts: How many parts were under way.
    package typealias Ended = @Sendable (_ link: BulkByteLink, _ reason: BulkError, _ parts: Int) -> Void

    private enum Question: Hashable {
        case data(TransferID, Int64)
        case want(TransferID, Int64)
    }

    private struct Wait {
        let count: Int
        let take: @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
        let caller: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var waits: [Question: Wait] = [:]
        /// The transfers that had parts here, of either direction.
        var bodies: Set<TransferID> = []
        /// Why nothing can be asked any more.
        var failure: BulkError?
    }

    private let connection: BulkConnection
    private let threads = BlockingWork("tandem.bulk", width: 2, urgency: .bulk)
    private let sending: BlockingLane
    private let ended: Ended
    private let state = Mutex(State())

    /// Begins to receive. ``end()`` has to be called when the link is not needed any more.
    ///
    /// - Parameter ended: Called once, when nothing can be asked any more; maybe before this returns.
    package init(_ connection: BulkConnection, ended: @escaping Ended = { _, _, _ in }) {
        self.connection = connection
        self.ended = ended
        sending = BlockingLane(on: threads)
        threads.perform { [self] in receive() }
    }

    package var partSize: Int { BulkLimits.recordSize }
    /// Whether parts may still be asked for.
    package var isUsable: Bool { state.withLock { $0.failure == nil } }

    package func send(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        reading read: @escaping @Sendable () throws -> [UInt8]
    ) async throws {
        let (head, question) = (
            BulkRecordHead(.data, body: transfer, offset: offset, count: count), Question.data(transfer, offset)
        )
        try await ask(question, of: transfer, count, take: { _, _ in }) { [self] in
            let bytes: [UInt8]
            do {
                bytes = try read()
                guard bytes.count == count else { throw TransferError.sourceChanged("The file") }
            } catch {
                // Nothing of the part has gone: the trouble is the part's, and the connection goes on.
                resume(question, .failure(error))
                return
            }
            try connection.send(head) { bytes[$0..<$0 + $1] }
        }
    }

    package func fetch(
        _ count: Int,
        at offset: Int64,
        of transfer: TransferID,
        into take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void
    ) async throws {
        let head = BulkRecordHead(.want, body: transfer, offset: offset, count: count)
        try await ask(.want(transfer, offset), of: transfer, count, take: take) { [connection] in
            try connection.send(head)
        }
    }

    /// Ends the connection at once; parts under way fail with ``BulkError/closed``.
    package func end() { end(.closed) }

    private func end(_ reason: BulkError) {
        fail(reason)
        connection.end()
    }

    private func ask(
        _ question: Question,
        of transfer: TransferID,
        _ count: Int,
        take: @escaping @Sendable (ArraySlice<UInt8>, Int64) throws -> Void,
        sending send: @escaping @Sendable () throws -> Void
    ) async throws {
        try await withCheckedThrowingContinuation { (caller: CheckedContinuation<Void, any Error>) in
            let refusal = state.withLock { state -> (any Error)? in
                if let failure = state.failure { return failure }
                guard state.waits[question] == nil else { return TransferError.busy }
                state.bodies.insert(transfer)
                guard state.bodies.count <= BulkLimits.bodies else { return BulkError.exhausted }
                state.waits[question] = Wait(count: count, take: take, caller: caller)
                return nil
            }
            if let refusal {
                // The computer would end it in the middle of an answer.
                if refusal as? BulkError == .exhausted { end(.exhausted) }
                return caller.resume(throwing: refusal)
            }
            sending.perform { [self] in
                do {
                    try send()
                } catch {
                    // A record was begun and not ended, so nothing more can be said.
                    end(error as? BulkError ?? .closed)
                }
            }
        }
    }

    /// Until the connection ends. Blocks.
    private func receive() {
        do {
            while true {
                var payload: [UInt8] = []
                let head = try connection.receive { [self] head, _, block in
                    if payload.isEmpty {
                        try check(head)
                        payload.reserveCapacity(head.count)
                    }
                    payload += block
                }
                try answer(head, payload)
            }
        } catch {
            end(error as? BulkError ?? .closed)
        }
    }

    /// Looked at before more of a part than its first block is kept.
    private func check(_ head: BulkRecordHead) throws(BulkError) {
        guard head.kind == .data else { return }
        guard state.withLock({ $0.waits[.want(head.body, head.offset)]?.count }) == head.count else {
            throw .malformed("a part that was not asked for")
        }
    }

    private func answer(_ head: BulkRecordHead, _ payload: [UInt8]) throws(BulkError) {
        switch head.kind {
        case .data: try take(head, payload)
        case .taken:
            let question = Question.data(head.body, head.offset)
            guard state.withLock({ $0.waits[question]?.count }) == head.count else {
                throw .malformed("an answer to nothing that was sent")
            }
            resume(question, .success(()))
        case .refused:
            let code = payload.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let error = TransferError.refused(
                code: Int(Int32(bitPattern: code)),
                reason: String(decoding: payload.dropFirst(4), as: UTF8.self)
            )
            // One offset is sent or fetched, never both: a transfer has one direction.
            let questions = [Question.want(head.body, head.offset), .data(head.body, head.offset)]
            guard questions.contains(where: { resume($0, .failure(error)) }) else {
                throw .malformed("a refusal of nothing that was asked")
            }
        case .end: throw .closed
        case .want: throw .malformed("a question where an answer belongs")
        }
    }

    /// A trouble of the part's own file is the part's, and the connection goes on. The part is taken out first: an end in between does not
    /// let its caller return while its bytes are still taken.
    private func take(_ head: BulkRecordHead, _ payload: [UInt8]) throws(BulkError) {
        guard let wait = state.withLock({ $0.waits.removeValue(forKey: .want(head.body, head.offset)) }) else {
            throw .malformed("a part that was not asked for")
        }
        guard payload.count == wait.count else {
            wait.caller.resume(throwing: BulkError.damaged)
            throw .malformed("a part of another size than was asked for")
        }
        wait.caller.resume(with: Result { try wait.take(payload[...], head.offset) })
    }

    /// - Returns: Whether somebody waited for it.
    @discardableResult
    private func resume(_ question: Question, _ result: Result<Void, any Error>) -> Bool {
        guard let wait = state.withLock({ $0.waits.removeValue(forKey: question) }) else { return false }
        wait.caller.resume(with: result)
        return true
    }

    private func fail(_ error: BulkError) {
        let (waits, isFirst) = state.withLock { state in
            let isFirst = state.failure == nil
            state.failure = state.failure ?? error
            defer { state.waits = [:] }
            return (Array(state.waits.values), isFirst)
        }
        // Told first: a part that goes the other way now finds this link left.
        if isFirst { ended(self, error, waits.count) }
        for wait in waits { wait.caller.resume(throwing: error) }
    }
}
