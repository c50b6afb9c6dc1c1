import Crypto

/// Seals what one end of a bulk connection sends: for each record its head, then its bytes in blocks.
package struct BulkSealer: Sendable {
    private let keys: BulkDirectionKeys
    private var headNonces = BulkNonces()
    private var bodies: [TransferID: BulkBodyState] = [:]
    /// The record whose blocks are missing, and how many bytes they are.
    private var record: (head: BulkRecordHead, headBytes: [UInt8], left: Int)?
    private var isOver = false

    package init(_ keys: BulkDirectionKeys) {
        self.keys = keys
    }

    /// The plain bytes that the next block has to have; 0 before a head.
    package var nextBlockSize: Int { record.map { min($0.left, BulkLimits.blockSize) } ?? 0 }

    /// - Returns: The head as it travels.
    /// - Throws: ``BulkError/malformed(_:)`` for a head that no reader takes, or while blocks of the last record are missing;
    ///   ``BulkError/exhausted``; ``BulkError/closed`` behind the end.
    package mutating func seal(_ head: BulkRecordHead) throws(BulkError) -> [UInt8] {
        guard !isOver else { throw .closed }
        guard record == nil else { throw .malformed("a record within another") }
        try head.check()
        if head.payloadSize > 0 || head.kind == .data {
            var state = try bodies.state(of: head.body, keys)
            if head.kind == .data { try state.begin(head) }
            bodies[head.body] = state
        }
        let bytes = head.bytes
        let sealed = try Self.seal(bytes[...], under: keys.headKey, headNonces.next(), authenticating: [])
        if head.payloadSize > 0 { record = (head, bytes, head.payloadSize) }
        isOver = head.kind == .end
        return sealed
    }

    /// - Parameter block: Exactly ``nextBlockSize`` bytes.
    /// - Returns: The block as it travels: sealed, and 16 bytes of tag.
    package mutating func seal(block: ArraySlice<UInt8>) throws(BulkError) -> [UInt8] {
        guard let record, block.count == nextBlockSize, var state = bodies[record.head.body] else {
            throw .malformed("a block of another length")
        }
        let sealed = try Self.seal(block, under: state.key, state.nonces.next(), authenticating: record.headBytes)
        bodies[record.head.body] = state
        self.record = record.left > block.count ? (record.head, record.headBytes, record.left - block.count) : nil
        return sealed
    }

    private static func seal(
        _ plain: ArraySlice<UInt8>,
        under key: SymmetricKey,
        _ nonce: AES.GCM.Nonce,
        authenticating: [UInt8]
    ) throws(BulkError) -> [UInt8] {
        do {
            let box = try AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: authenticating)
            var bytes: [UInt8] = []
            bytes.reserveCapacity(plain.count + 16)
            bytes += box.ciphertext
            bytes += box.tag
            return bytes
        } catch {
            // The key and the nonce have their lengths; nothing else is refused.
            throw .exhausted
        }
    }
}

extension [TransferID: BulkBodyState] {
    /// - Throws: ``BulkError/exhausted`` where a connection has no room for one body more.
    func state(of body: TransferID, _ keys: BulkDirectionKeys) throws(BulkError) -> BulkBodyState {
        if let known = self[body] { return known }
        guard count < BulkLimits.bodies else { throw .exhausted }
        return BulkBodyState(key: keys.bodyKey(body))
    }
}
