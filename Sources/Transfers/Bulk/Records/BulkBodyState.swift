import Crypto

/// One body in one direction of a connection: its key, its nonces and how much of it went.
struct BulkBodyState: Sendable {
    let key: SymmetricKey
    var nonces = BulkNonces()
    private var count: Int64 = 0
    private var isOver = false

    init(key: SymmetricKey) {
        self.key = key
    }

    /// Counts a record before its blocks.
    ///
    /// - Throws: ``BulkError/malformed(_:)`` behind the final record; ``BulkError/exhausted`` beyond ``BulkLimits/bodySize``.
    mutating func begin(_ head: BulkRecordHead) throws(BulkError) {
        guard !isOver else { throw .malformed("data behind the end of a file") }
        guard count + Int64(head.payloadSize) <= BulkLimits.bodySize else { throw .exhausted }
        count += Int64(head.payloadSize)
        isOver = head.isFinal
    }
}
