/// The records of one session, in both directions: seals what this end sends and opens what the other sealed.
/// Source: `docs/protocol.md` 2.5. A value without I/O or clock.
///
/// Its owner must seal with a single copy: two copies would use the same nonce twice, which gives the key away.
///
/// Records may arrive in any order, over several links, and may be lost. A refused record changes nothing.
public struct SealedSession: Sendable {
    /// The kind that `docs/protocol.md` 2.2 gives to sealed records.
    public static let recordKind: UInt8 = 1
    /// The longest body in bytes: the longest message of the protocol, and its envelope.
    public static let maximumBodyBytes = 700_000 + 1024

    /// `sid`, 16 bytes, chosen by the initiator.
    public let id: [UInt8]
    private let isInitiator: Bool
    private var sending: SendingKeys
    private var receiving: ReceivingKeys
    private var window = ReplayWindow()

    /// - Parameters:
    ///   - id: The session's id, `sid`, 16 bytes.
    ///   - keys: The keys of this session's handshake.
    package init(
        id: [UInt8],
        keys: NoiseKeys,
        policy: RekeyPolicy = .standard,
        now: ContinuousClock.Instant
    ) throws(SealingError) {
        guard id.count == 16 else { throw .wrongLength(of: "session id", expected: 16, actual: id.count) }
        self.id = id
        sending = SendingKeys(cipher: NoiseCipher(key: keys.sendKey), policy: policy, now: now)
        receiving = ReceivingKeys(cipher: NoiseCipher(key: keys.receiveKey))
        isInitiator = keys.role == .initiator
    }

    /// Seals one body, moving to the next key when it is time.
    ///
    /// - Parameter rest: The end of the body, so that no caller has to join the two first.
    /// - Throws: ``SealingError/tooLong(bytes:limit:)``, ``SealingError/keysExhausted``.
    public mutating func seal(
        _ body: [UInt8],
        _ rest: [UInt8] = [],
        kind: UInt8 = recordKind,
        now: ContinuousClock.Instant
    ) throws(SealingError) -> SealedRecord {
        guard body.count + rest.count <= Self.maximumBodyBytes else {
            throw .tooLong(bytes: body.count + rest.count, limit: Self.maximumBodyBytes)
        }
        let padded = RecordPadding.pad(body, rest)
        let (generation, sequence) = try sending.take(bytes: UInt64(padded.count), now: now)
        let ciphertext = try sending.cipher.seal(
            padded,
            nonce: sequence,
            authenticating: associatedData(generation: generation, isFromInitiator: isInitiator, kind: kind)
        )
        return SealedRecord(generation: generation, sequence: sequence, ciphertext: ciphertext)
    }

    /// Opens one record of the other end.
    ///
    /// - Parameter read: Reads the body in place, so that it is not copied first.
    /// - Throws: ``SealingError/recordRefused``, ``SealingError/recordRepeated``,
    ///   ``SealingError/unknownGeneration(_:)``, ``SealingError/tooLong(bytes:limit:)``.
    public mutating func open<Contents>(
        generation: UInt32,
        sequence: UInt64,
        ciphertext: ArraySlice<UInt8>,
        kind: UInt8 = recordKind,
        now: ContinuousClock.Instant,
        reading read: (UnsafeRawBufferPointer) -> Contents
    ) throws(SealingError) -> Contents {
        let limit = RecordPadding.paddedCount(ofBody: Self.maximumBodyBytes) + NoiseCipher.tagLength
        guard ciphertext.count <= limit else { throw .tooLong(bytes: ciphertext.count, limit: limit) }
        guard let cipher = try receiving.cipher(of: generation, now: now) else { throw .unknownGeneration(generation) }
        guard sequence <= NoiseCipher.greatestNonce, window.isNew(sequence) else { throw .recordRepeated }
        let opened = cipher.open(
            ciphertext,
            nonce: sequence,
            authenticating: associatedData(generation: generation, isFromInitiator: !isInitiator, kind: kind),
            reading: { RecordPadding.body(of: $0).map(read) }
        )
        guard let opened else { throw .recordRefused }
        // The record is verified, and only now does anything change.
        window.insert(sequence)
        receiving.moved(to: generation, now: now)
        guard let contents = opened else { throw .malformedContents("a record") }
        return contents
    }

    /// The full generation number for the low eight bits in a binary frame.
    ///
    /// - Returns: The matching one of the three generations that may be in use now; nil when none matches.
    public func receivedGeneration(lowByte: UInt8) -> UInt32? {
        receiving.candidates.first { UInt8(truncatingIfNeeded: $0) == lowByte }
    }

    private func associatedData(generation: UInt32, isFromInitiator: Bool, kind: UInt8) -> [UInt8] {
        var data: [UInt8] = []
        data.reserveCapacity(id.count + 6)
        data += id
        for shift: UInt32 in [24, 16, 8, 0] { data.append(UInt8(truncatingIfNeeded: generation >> shift)) }
        data.append(isFromInitiator ? 0 : 1)
        data.append(kind)
        return data
    }
}
