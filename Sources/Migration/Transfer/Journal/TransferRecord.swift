/// A record of `transfer.journal`: `u32 BE length | u8 kind | body | u32 BE crc32c`. The length counts the body, the checksum covers all in front of it.
public enum TransferRecord: Hashable, Sendable {
    /// The package that the journal is bound to: SHA-256 of the container's header (32 bytes), and the transfer's id.
    case header(headerSHA256: [UInt8], transferID: String)
    /// `BackupMeta` as it came, canonical JSON.
    case meta([UInt8])
    /// Chunks whose bytes were synced to disk before this record was written.
    case received(Range<Int>)
    case paused
    case done
    case cancelled
    /// The pause before it is over.
    case resumed
    /// Bytes of the package, all of them received, whose space may have been given back: what they were lies elsewhere. In bytes from the package's
    /// start, below 2^63.
    case released(Range<Int64>)
    /// Chunks that are no longer there, and are asked for again.
    case missing(Range<Int>)

    /// Bounds a body. Meta is the largest: it fits a frame.
    static let maximumBodyBytes = MigrationFrame.maximumJSONBytes

    var kind: UInt8 {
        switch self {
        case .header: 1
        case .meta: 2
        case .received: 3
        case .paused: 4
        case .done: 5
        case .cancelled: 6
        case .resumed: 7
        case .released: 8
        case .missing: 9
        }
    }

    public func encoded() -> [UInt8] {
        var body: [UInt8] = []
        switch self {
        case .header(let hash, let transferID): body = hash + Array(transferID.utf8)
        case .meta(let json): body = json
        case .received(let range), .missing(let range):
            body.append(bigEndian: UInt32(range.lowerBound))
            body.append(bigEndian: UInt32(range.upperBound))
        case .released(let range):
            body.append(bigEndian: UInt64(range.lowerBound))
            body.append(bigEndian: UInt64(range.upperBound))
        case .paused, .done, .cancelled, .resumed: break
        }
        var bytes: [UInt8] = []
        bytes.append(bigEndian: UInt32(body.count))
        bytes.append(kind)
        bytes += body
        bytes.append(bigEndian: CRC32C.checksum(bytes))
        return bytes
    }

    /// Nil for a kind of a later version, which is passed over, and for a body that its kind cannot have.
    init?(kind: UInt8, body: [UInt8]) {
        switch kind {
        case 1:
            guard (33...160).contains(body.count), let id = String(validating: body.dropFirst(32), as: UTF8.self) else {
                return nil
            }
            self = .header(headerSHA256: Array(body.prefix(32)), transferID: id)
        case 2: self = .meta(body)
        case 3, 9:
            guard body.count == 8 else { return nil }
            let (first, end) = (Int(body.bigEndian32(at: 0)), Int(body.bigEndian32(at: 4)))
            guard first < end, end <= ChunkRanges.maximumIndex else { return nil }
            self = kind == 3 ? .received(first..<end) : .missing(first..<end)
        case 4: self = .paused
        case 5: self = .done
        case 6: self = .cancelled
        case 7: self = .resumed
        case 8:
            guard body.count == 16, let first = Int64(exactly: body.bigEndian64(at: 0)),
                let end = Int64(exactly: body.bigEndian64(at: 8)), first < end
            else { return nil }
            self = .released(first..<end)
        default: return nil
        }
    }
}
