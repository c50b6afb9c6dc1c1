import Kernel
package import Sealing

/// The TXT record of a device on the network, as it says: a claim, until a session proves the key.
package struct ServiceRecord: Hashable, Sendable {
    /// Bytes of one entry, by its length byte (RFC 6763, 6.1).
    package static let entryLimit = 255
    /// Entries looked at; ours has four.
    package static let countLimit = 32

    package let deviceID: String
    package let did: DID
    /// Where the WebSocket is.
    package let path: String

    /// - Throws: ``DiscoveryError/malformedRecord(field:)`` for the first field that is missing or out of bounds.
    package init(entries: [[UInt8]]) throws(DiscoveryError) {
        guard entries.count <= Self.countLimit, entries.allSatisfy({ $0.count <= Self.entryLimit }) else {
            throw .malformedRecord(field: "TXT record")
        }
        guard let id = Self.value(of: "id", in: entries), Self.isDeviceID(id) else {
            throw .malformedRecord(field: "id")
        }
        guard let did = Self.value(of: "did", in: entries) else { throw .malformedRecord(field: "did") }
        // Versions above 1 keep what version 1 has; a thing without a version, or with another word, is not ours.
        guard let version = Self.value(of: "ver", in: entries).flatMap(Int.init), version >= 1 else {
            throw .malformedRecord(field: "ver")
        }
        let path = Self.value(of: "path", in: entries) ?? "/"
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .malformedRecord(field: "path")
        }
        do {
            self.did = try DID(did)
        } catch {
            throw .malformedRecord(field: "did")
        }
        deviceID = id
        self.path = path
    }

    package static func isDeviceID(_ text: String) -> Bool {
        (1...128).contains(text.utf8.count)
            && text.hasOnlyLettersAndDigits(or: ".:-_")
    }

    /// Keys ignore case, and the first of several counts (RFC 6763, 6.4).
    private static func value(of key: String, in entries: [[UInt8]]) -> String? {
        for entry in entries {
            let parts = entry.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = parts.first, String(decoding: name, as: UTF8.self).lowercased() == key else { continue }
            return parts.count == 2 ? String(validating: parts[1], as: UTF8.self) : nil
        }
        return nil
    }
}
