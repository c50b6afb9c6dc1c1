import Kernel

/// A payload of content type 110: a JSON object with a `type`. Members that this version does not know survive a round trip.
protocol CustomPayload: Hashable, Sendable {
    /// The value of `type`.
    static var type: String { get }
    /// The keys that this version knows, beside `type`.
    static var keys: Set<String> { get }
    /// Members of other programs and later versions.
    var others: [String: JSONValue] { get }
    /// The known members that have a value.
    var known: JSONValue { get }

    /// Nil where what makes the payload is missing.
    init?(_ members: WireMembers)

    /// - Throws: ``ChatError`` for the first member that is over its limit or missing.
    func check() throws(ChatError)
}

extension CustomPayload {
    /// The object, in canonical order once it is written.
    var data: JSONValue {
        var members = others
        for (key, value) in known.objectValue ?? [:] { members[key] = value }
        members["type"] = .string(Self.type)
        return .object(members)
    }

    static func unknownMembers(of members: WireMembers) -> [String: JSONValue] {
        members.others(than: keys.union(["type"]))
    }
}

/// Checks that several payloads share.
enum PayloadCheck {
    static func text(_ text: String?, _ what: String, atMost limit: Int) throws(ChatError) {
        guard (text?.utf8.count ?? 0) <= limit else { throw .tooLong(what, limit: limit) }
    }

    /// - Throws: ``ChatError/malformed(_:)`` for an empty key, ``ChatError/badObjectKey`` for one that is no file's name.
    static func objectKey(_ key: String) throws(ChatError) {
        guard !key.isEmpty else { throw .malformed("objectKey") }
        _ = try MediaName(objectKey: key)
    }

    /// A side in pixels, or another count; nil for one that no picture has.
    static func count(_ number: Int64?, upTo limit: Int) -> Int? {
        guard let number, (1...Int64(limit)).contains(number) else { return nil }
        return Int(number)
    }
}
