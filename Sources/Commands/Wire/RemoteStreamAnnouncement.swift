public import Kernel

/// Says in place of a result that it comes in pieces. Source: `docs/protocol.md`, "Streams".
public struct RemoteStreamAnnouncement: Hashable, Sendable {
    /// Bytes of a piece; all but the last have the announced size.
    public static let chunkSizes = 1024...262_144
    public static let idLimit = 128

    public let id: String
    /// Of the whole result, a JSON text.
    public let byteCount: Int
    public let chunkSize: Int

    /// Nil for what cannot be announced.
    public init?(id: String, byteCount: Int, chunkSize: Int) {
        guard (1...Self.idLimit).contains(id.utf8.count), byteCount > 0, Self.chunkSizes.contains(chunkSize) else {
            return nil
        }
        self.id = id
        self.byteCount = byteCount
        self.chunkSize = chunkSize
    }

    public var chunkCount: Int { (byteCount - 1) / chunkSize + 1 }

    /// Bytes that the piece has.
    public func byteCount(of index: Int) -> Int {
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

    /// What stands where the result would.
    public var result: JSONValue { ["stream": .object(members)] }

    /// Nil for a result that is one itself.
    public init?(result: JSONValue) {
        guard let object = result.objectValue, object.count == 1, let members = object["stream"]?.objectValue else {
            return nil
        }
        self.init(members: members)
    }
}
