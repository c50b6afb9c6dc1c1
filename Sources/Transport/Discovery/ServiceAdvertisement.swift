public import Sealing

/// A desktop's advertisement of itself on the network: its identity, and the port of its signaling server.
public struct ServiceAdvertisement: Hashable, Sendable {
    /// The DNS-SD type of Tandem's devices.
    public static let serviceType = "_tandem._tcp"
    /// Bytes of a service name: it is one DNS label.
    public static let nameLimit = 63

    /// This computer's id at signaling servers.
    public let deviceID: String
    /// This computer's DID.
    public let did: DID
    /// For people, without control characters and cut to ``nameLimit`` bytes.
    public let name: String
    /// Where its server listens, 1 to 65535.
    public let port: UInt16

    /// The DNS-SD type.
    package let type: String
    /// The TXT record's entries for another service; nil for a device of ours.
    private let entries: [String]?

    /// An advertisement of another service of this computer.
    ///
    /// - Parameters:
    ///   - type: A DNS-SD type, for example `_tandem._tcp`.
    ///   - text: The entries of the TXT record, at most 255 bytes each.
    /// - Throws: As ``init(deviceID:did:name:port:)``.
    package init(
        _ type: String,
        text: [String],
        deviceID: String,
        did: DID,
        name: String,
        port: UInt16
    ) throws(DiscoveryError) {
        let plain = try ServiceAdvertisement(deviceID: deviceID, did: did, name: name, port: port)
        guard text.allSatisfy({ $0.utf8.count <= ServiceRecord.entryLimit }) else {
            throw .malformedRecord(field: "TXT record")
        }
        (self.deviceID, self.did, self.name, self.port) = (plain.deviceID, plain.did, plain.name, plain.port)
        self.type = type
        entries = text
    }

    /// - Throws: ``DiscoveryError`` when the id, the identity or the port cannot be advertised.
    public init(deviceID: String, did: DID, name: String, port: UInt16) throws(DiscoveryError) {
        guard ServiceRecord.isDeviceID(deviceID) else { throw .malformedDeviceID }
        guard port > 0 else { throw .malformedPort }
        guard "did=\(did.text)".utf8.count <= ServiceRecord.entryLimit else { throw .didTooLong }
        self.deviceID = deviceID
        self.did = did
        self.name = Self.serviceName(name)
        self.port = port
        type = Self.serviceType
        entries = nil
    }

    /// The entries of the TXT record, in the order they are written.
    public var text: [String] {
        entries ?? ["did=\(did.text)", "ver=1", "path=/", "id=\(deviceID)"]
    }

    private static func serviceName(_ name: String) -> String {
        let printable = name.filter { character in
            character.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        }
        var result = ""
        for character in printable {
            guard result.utf8.count + character.utf8.count <= nameLimit else { break }
            result.append(character)
        }
        return result.allSatisfy(\.isWhitespace) ? "Tandem" : result
    }
}
