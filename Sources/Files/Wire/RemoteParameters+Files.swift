import Commands
import Kernel
import Transfers

/// Bounds of requests. Source: `docs/protocol.md`, "Files".
package enum FileLimits {
    /// Bytes of a path.
    package static let path = 4096
    /// Bytes of a name as a text, with its escapes.
    static let name = 1024
    /// Bytes of a transfer's id.
    static let transferID = 64
    static let count = Int64(Int32.max)
    static let depth: Int64 = 1000
    /// Bytes of a file that one answer may hold.
    package static let part: Int64 = 1 << 20
    /// The documented chunk; an asker may choose another.
    package static let documentedChunk = 65_536
    /// Bytes of a chunk, which is in base64 below a message's 700,000 bytes.
    package static let chunks: ClosedRange<Int64> = 4096...393_216
}

extension RemoteParameters {
    /// The `path` parameter; where none is given, the folder in which paths begin.
    func path() throws(RemoteFailure) -> String { try optionalText("path", limit: FileLimits.path) ?? "" }

    /// The first of `names` that was given.
    ///
    /// - Throws: ``RemoteFailure`` with -32602 also where none is given: there is no default.
    func requiredPath(_ names: String...) throws(RemoteFailure) -> String {
        guard let name = names.first(where: { has($0) }) else {
            throw .badParameter(names[0], "a path of 1 to \(FileLimits.path) bytes")
        }
        return try text(name, limit: FileLimits.path)
    }

    func transferID() throws(RemoteFailure) -> String { try text("transferId", limit: FileLimits.transferID) }

    /// The chunk's index, unchecked: the computer compares it later to the transfer's number of chunks.
    var chunkIndex: Int64? { value["chunkIndex"]?.integerValue }

    func checksum() throws(RemoteFailure) -> String? {
        guard let text = try optionalText("checksum", limit: 128), !text.isEmpty else { return nil }
        guard let checksum = FileChecksum(text) else {
            throw .badParameter("checksum", "a SHA-256 of 64 hexadecimal digits")
        }
        return checksum.text
    }

    func checksumKey() throws(RemoteFailure) -> [UInt8]? {
        guard let text = try optionalText("checksumKey", limit: 2 * ChecksumMethod.keySize) else { return nil }
        guard let key = Hexadecimal.decode(text), key.count == ChecksumMethod.keySize else {
            throw .badParameter("checksumKey", "\(2 * ChecksumMethod.keySize) hexadecimal digits")
        }
        return key
    }
}

extension JSONValue {
    /// An object without the members that are nil.
    static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
        var object: [String: JSONValue] = [:]
        object.reserveCapacity(members.count)
        for case let (key, value?) in members { object[key] = value }
        return .object(object)
    }

    /// A whole number from 0 to 2^50, as sizes and offsets of files are; nil for anything else.
    var sizeValue: Int64? { integerValue.flatMap { (0...TransferLimits.fileSize).contains($0) ? $0 : nil } }

    var permissionsValue: UInt32? { integerValue.flatMap { UInt32(exactly: $0) } }
}

extension ByteRanges {
    /// Reads pairs of start and end: `[[0,65536],[131072,196608]]`. Nothing is no range.
    ///
    /// - Returns: Nil for anything else, and for more than ``FileHoles/limit``.
    init?(wire: JSONValue?) {
        self.init()
        guard let wire, wire != .null else { return }
        guard let pairs = wire.arrayValue, pairs.count <= FileHoles.limit else { return nil }
        for pair in pairs {
            guard let bounds = pair.arrayValue?.compactMap(\.sizeValue), bounds.count == 2, bounds[0] <= bounds[1]
            else { return nil }
            insert(bounds[0]..<bounds[1])
        }
    }

    var wire: JSONValue { .array(ranges.map { [.integer($0.lowerBound), .integer($0.upperBound)] }) }
}

extension Optional<JSONValue> {
    static func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
    static func whole(_ number: (some BinaryInteger)?) -> JSONValue? { number.map { .integer(Int64(clamping: $0)) } }
    static func flag(_ flag: Bool?) -> JSONValue? { flag.map(JSONValue.bool) }
}
