package import Foundation
package import Transfers

/// A store's record of a blob, from the beginning of its upload on.
package struct BlobRecord: ArrivalRecord, Hashable {
    /// The upload's: 26 letters and digits.
    package let id: String
    package let owner: String
    /// The name of its ``BlobKind``.
    package let kind: String
    package var size: Int64
    /// Whether its sender can go on with it in another request; else it ends with the one that it came in.
    package let isResumable: Bool
    package var phase: ArrivalPhase = .receiving
    package var received = ByteRanges()
    package var touchedAt: Date
    /// Minted when it is whole.
    package var key: BlobKey?
    /// 32 bytes, once it is whole.
    package var sha256: [UInt8] = []
    package var type: MediaType?
    package var pictureSize: PictureSize?
    package var references = 0

    /// Blobs are compared by SHA-256.
    package var checksumKey: Data? { nil }

    package mutating func returnToReceiving() { phase = .receiving }

    /// Nil until it is whole and in its place.
    package var object: BlobObject? {
        guard phase == .done, let key else { return nil }
        return BlobObject(
            key: key,
            owner: owner,
            kind: kind,
            size: size,
            sha256: sha256,
            type: type,
            pictureSize: pictureSize,
            references: references,
            createdAt: touchedAt
        )
    }

    /// The upload as its sender is told of it.
    package var upload: BlobUpload {
        BlobUpload(
            id: id,
            kind: kind,
            size: size,
            offset: phase == .receiving ? received.end : size,
            key: phase == .done ? key : nil
        )
    }
}
