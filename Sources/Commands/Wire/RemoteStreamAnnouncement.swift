package import Kernel

/// Says in place of a result that it comes in pieces. Source: `docs/protocol.md`, "Streams".
package struct RemoteStreamAnnouncement: Hashable, Sendable {
    /// Bytes of a piece; all but the last have the announced size.
    package static let chunkSizes = 1024...262_144
    /// The longest ``id``, in bytes of UTF-8.
    package static let idLimit = 128

    /// New for each stream, also when an answer is sent again.
    package let id: String
    /// The size of the whole result, a JSON text, in bytes.
    package let byteCount: Int
    /// Within ``chunkSizes``, in bytes.
    package let chunkSize: Int

    /// Nil for what cannot be announced.
    package init?(id: String, byteCount: Int, chunkSize: Int) {
        guard (1...Self.idLimit).contains(id.utf8.count), byteCount > 0, Self.chunkSizes.contains(chunkSize) else {
            return nil
        }
        self.id = id
        self.byteCount = byteCount
        self.chunkSize = chunkSize
    }

    /// At least 1.
    package var chunkCount: Int { (byteCount - 1) / chunkSize + 1 }

    /// Bytes that the piece has.
    package func byteCount(of index: Int) -> Int {
        index == chunkCount - 1 ? byteCount - index * chunkSize : chunkSize
    }

    var members: [String: JSONValue] {
        ["id": .string(id), "bytes": .integer(Int64(byteCount)), "chunkSize": .integer(Int64(chunkSize))]
    }

    init?(members: [String: JSONValue]) {
        guard let id = members["id"]?.stringValue,
            let byteCount = members["bytes"]?.integerValue.flatMap(Int.init(exactly:)),
            let chunkSize = members["chunkSize"]?.integerValue.flatMap(Int.init(exactly:))
        else { return nil }
        self.init(id: id, byteCount: byteCount, chunkSize: chunkSize)
    }

    /// The value in place of the result.
    package var result: JSONValue { ["stream": .object(members)] }

    /// Nil for a result that is one itself.
    package init?(result: JSONValue) {
        guard let object = result.objectValue, object.count == 1, let members = object["stream"]?.objectValue else {
            return nil
        }
        self.init(members: members)
    }
}
