import Foundation
import Kernel

/// A record of `restore.journal`: `u32 BE length | u8 kind | body | u32 BE crc32c`. The length counts the body, the checksum covers all in
/// front of it.
package enum RestoreRecord: Hashable, Sendable {
    /// The first record: which generation is made, and from what.
    case preparing(Preparing)
    /// What was staged so far, in the words of whoever stages it.
    case progress([UInt8])
    case phase(StagingPhase)

    package struct Preparing: Hashable, Codable, Sendable {
        package var generation: GenerationID
        package var binding: String
        package var startedAtMilliseconds: Int64
    }

    /// Bounds a body.
    package static let bodyLimit = 64 << 10
    private static let progressKind: UInt8 = 2

    func encoded() throws(GenerationsError) -> [UInt8] {
        let (kind, body): (UInt8, [UInt8]) =
            switch self {
            case .preparing(let preparing):
                (StagingPhase.preparing.rawValue, StoreJSON.encode(preparing))
            case .progress(let bytes): (Self.progressKind, bytes)
            case .phase(let phase): (phase.rawValue, [])
            }
        guard body.count <= Self.bodyLimit else {
            throw .tooLarge(path: GenerationStore.journal.text, limit: Self.bodyLimit)
        }
        var bytes = bigEndian(UInt32(body.count)) + [kind] + body
        bytes += bigEndian(CRC32C.checksum(bytes))
        return bytes
    }

    /// Nil for a kind of a later version and for a body that its kind cannot have.
    init?(kind: UInt8, body: ArraySlice<UInt8>) {
        switch kind {
        case StagingPhase.preparing.rawValue:
            guard let preparing = StoreJSON.decode(Preparing.self, Array(body)) else { return nil }
            self = .preparing(preparing)
        case Self.progressKind: self = .progress(Array(body))
        default:
            guard let phase = StagingPhase(rawValue: kind), body.isEmpty else { return nil }
            self = .phase(phase)
        }
    }
}

private func bigEndian(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
