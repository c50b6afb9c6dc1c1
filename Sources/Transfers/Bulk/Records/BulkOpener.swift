import Crypto

/// Opens what one end of a bulk connection receives. Nothing is believed before its tag was checked, and nothing is longer than
/// ``expectedSize`` says. After an error it opens nothing more.
package struct BulkOpener: Sendable {
    private let keys: BulkDirectionKeys
    private var headNonces = BulkNonces()
    private var bodies: [TransferID: BulkBodyState] = [:]
    private var record: (head: BulkRecordHead, headBytes: [UInt8], left: Int)?
    private var isOver = false
    private var failure: BulkError?

    package init(_ keys: BulkDirectionKeys) {
        self.keys = keys
    }

    /// The bytes to read next, as they travel: of a head, or of a block.
    package var expectedSize: Int {
        record.map { min($0.left, BulkLimits.blockSize) + 16 } ?? BulkRecordHead.sealedSize
    }

    /// Whether a block comes next.
    package var isWithinRecord: Bool { record != nil }

    /// - Parameter sealed: Exactly ``expectedSize`` bytes.
    /// - Throws: ``BulkError/damaged`` for what was changed, comes twice or too early; ``BulkError/malformed(_:)``;
    ///   ``BulkError/exhausted``.
    package mutating func open(head sealed: ArraySlice<UInt8>) throws(BulkError) -> BulkRecordHead {
        do throws(BulkError) {
            return try openHead(sealed)
        } catch {
            failure = failure ?? error
            throw error
        }
    }

    /// - Parameter sealed: Exactly ``expectedSize`` bytes.
    /// - Returns: The plain bytes, which stand behind those of the block before.
    package mutating func open(block sealed: ArraySlice<UInt8>) throws(BulkError) -> [UInt8] {
        do throws(BulkError) {
            return try openBlock(sealed)
        } catch {
            failure = failure ?? error
            throw error
        }
    }

    /// The connection has ended.
    ///
    /// - Throws: ``BulkError/truncated`` unless its last record came.
    package func finish() throws(BulkError) {
        if let failure { throw failure }
        guard isOver else { throw .truncated }
    }

    private mutating func openHead(_ sealed: ArraySlice<UInt8>) throws(BulkError) -> BulkRecordHead {
        if let failure { throw failure }
        guard !isOver else { throw .malformed("a record behind the last") }
        guard record == nil, sealed.count == expectedSize else { throw .malformed("a record's head") }
        let bytes = try Self.open(sealed, under: keys.headKey, headNonces.next(), authenticating: [])
        let head = try BulkRecordHead(bytes: bytes)
        if head.payloadSize > 0 || head.kind == .data {
            var state = try bodies.state(of: head.body, keys)
            if head.kind == .data { try state.begin(head) }
            bodies[head.body] = state
        }
        if head.payloadSize > 0 { record = (head, bytes, head.payloadSize) }
        isOver = head.kind == .end
        return head
    }

    private mutating func openBlock(_ sealed: ArraySlice<UInt8>) throws(BulkError) -> [UInt8] {
        if let failure { throw failure }
        guard let record, sealed.count == expectedSize, var state = bodies[record.head.body] else {
            throw .malformed("a block")
        }
        let plain = try Self.open(sealed, under: state.key, state.nonces.next(), authenticating: record.headBytes)
        bodies[record.head.body] = state
        self.record = record.left > plain.count ? (record.head, record.headBytes, record.left - plain.count) : nil
        return plain
    }

    private static func open(
        _ sealed: ArraySlice<UInt8>,
        under key: SymmetricKey,
        _ nonce: AES.GCM.Nonce,
        authenticating: [UInt8]
    ) throws(BulkError) -> [UInt8] {
        do {
            let box = try AES.GCM.SealedBox(nonce: nonce, ciphertext: sealed.dropLast(16), tag: sealed.suffix(16))
            return Array(try AES.GCM.open(box, using: key, authenticating: authenticating))
        } catch {
            throw .damaged
        }
    }
}
