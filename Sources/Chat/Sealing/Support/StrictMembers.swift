import Kernel
import Sealing

/// The members of an object of ours, of which there is one form only: a signature is over its canonical text, so that nothing may be read in two ways.
struct StrictMembers {
    let values: [String: JSONValue]

    /// - Throws: ``ChatSealingError/malformed(_:)`` with `subject` for a value that is no object, or has other members than these.
    init(_ value: JSONValue, of subject: String, required: Set<String>, optional: Set<String> = [])
        throws(ChatSealingError)
    {
        guard case .object(let values) = value, required.isSubset(of: values.keys),
            values.keys.allSatisfy({ required.contains($0) || optional.contains($0) })
        else { throw .malformed(subject) }
        self.values = values
    }

    func text(_ key: String, atMost limit: Int) throws(ChatSealingError) -> String {
        guard case .string(let text)? = values[key] else { throw .malformed(key) }
        guard text.utf8.count <= limit else { throw .tooLarge(key, limit: limit) }
        return text
    }

    func integer(_ key: String, in range: ClosedRange<Int64>) throws(ChatSealingError) -> Int64 {
        guard case .integer(let number)? = values[key], range.contains(number) else { throw .malformed(key) }
        return number
    }

    func list(_ key: String, atMost limit: Int) throws(ChatSealingError) -> [JSONValue] {
        guard case .array(let list)? = values[key] else { throw .malformed(key) }
        guard list.count <= limit else { throw .tooLarge(key, limit: limit) }
        return list
    }

    /// Bytes as base64url in the one form that ``Base64URL/encode(_:)`` writes: without padding, the bits behind the last byte zero.
    func bytes(_ key: String, atMost limit: Int) throws(ChatSealingError) -> [UInt8] {
        let text = try text(key, atMost: (limit * 4 + 2) / 3)
        guard let bytes = Base64URL.decode(text), Base64URL.encode(bytes) == text else { throw .malformed(key) }
        return bytes
    }

    func bytes(_ key: String, count: Int) throws(ChatSealingError) -> [UInt8] {
        let bytes = try bytes(key, atMost: count)
        guard bytes.count == count else { throw .malformed(key) }
        return bytes
    }

    /// A device by its key: a `did:key` of Ed25519 in the one spelling that a key has.
    func device(_ key: String) throws(ChatSealingError) -> DID {
        let text = try text(key, atMost: 64)
        guard let did = try? DID(text), let signingKey = did.signingKey, DID(key: signingKey) == did else {
            throw .malformed(key)
        }
        return did
    }
}

extension JSONValue {
    static func bytes(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
}
