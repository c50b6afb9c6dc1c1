import Foundation
import Kernel
public import Sealing

/// The content of the QR code on the new phone's screen: `mystory-mig:v2?pk=…&addr=…&hub=…&psk=…` (rule #4).
///
/// It replaces the PIN: `psk` shows the new phone that it was scanned, and the key that belongs to `pk` shows the old phone whose code it was. Someone
/// who photographed the code can therefore not take the new phone's place.
public struct MigrationCode: Hashable, Sendable {
    private static let scheme = "mystory-mig:v"
    private static let version = 2
    /// The most characters of a code, and the most addresses in it.
    private static let maximumLength = 1024
    private static let maximumAddresses = 8

    /// The new phone's key, made for this code only.
    public let publicKey: AgreementPublicKey
    /// 16 random bytes, made for this code only.
    public let secret: [UInt8]
    /// Where the new phone listens (``LinkPlace``), the likeliest first. Empty where the old phone listens. Earlier programs see those in the
    /// local network only.
    public let addresses: [String]

    public init(publicKey: AgreementPublicKey, secret: [UInt8], addresses: [String]) {
        self.publicKey = publicKey
        self.secret = secret
        self.addresses = addresses
    }

    /// - Throws: ``MigrationTransferError/malformedCode``, ``MigrationTransferError/unsupportedProtocol(theirs:ours:)`` for a code of another version.
    public init(_ text: String) throws(MigrationTransferError) {
        guard text.utf8.count <= Self.maximumLength, text.hasPrefix(Self.scheme) else { throw .malformedCode }
        let parts = text.dropFirst(Self.scheme.count).split(separator: "?", maxSplits: 1)
        guard parts.count == 2, let theirs = Int(parts[0]), theirs > 0 else { throw .malformedCode }
        guard theirs == Self.version else { throw .unsupportedProtocol(theirs: theirs, ours: Self.version) }
        var values: [Substring: Substring] = [:]
        var addresses: [String] = []
        for item in parts[1].split(separator: "&") {
            let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2 else { throw .malformedCode }
            if pair[0] == "addr" {
                guard addresses.count < Self.maximumAddresses, let address = String(pair[1]).removingPercentEncoding,
                    (try? LinkAddress(address)) != nil
                else { throw .malformedCode }
                addresses.append(address)
            } else {
                guard values.updateValue(pair[1], forKey: pair[0]) == nil else { throw .malformedCode }
            }
        }
        if let hub = values["hub"] {
            guard let text = String(hub).removingPercentEncoding, (try? RelayPlace(text)) != nil else {
                throw .malformedCode
            }
            addresses.append(text)
        }
        guard let secret = values["psk"].flatMap({ Base64URL.decode($0) }), secret.count == 16,
            let key = values["pk"].flatMap({ Base64URL.decode($0) }), let key = try? AgreementPublicKey(key)
        else { throw .malformedCode }
        self.init(publicKey: key, secret: secret, addresses: addresses)
        // What is longer once it is written as we write it could not be shown again.
        guard self.text.utf8.count <= Self.maximumLength else { throw .malformedCode }
    }

    /// The text for the QR code.
    public var text: String {
        // A key that is there twice is none, so of several hubs the first is in it.
        let hub = addresses.first { (try? RelayPlace($0)) != nil }
        let places = addresses.filter { (try? RelayPlace($0)) == nil || $0 == hub }.map { address in
            let key = address == hub ? "hub" : "addr"
            return "&\(key)=\(address.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? "")"
        }
        return "\(Self.scheme)\(Self.version)?pk=\(Base64URL.encode(publicKey.bytes))\(places.joined())"
            + "&psk=\(Base64URL.encode(secret))"
    }

    private static let plain = CharacterSet(
        charactersIn: "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~:/[]"
    )
}

// Printing or dumping a code shows no secret.
extension MigrationCode: CustomStringConvertible, CustomReflectable {
    public var description: String { "a migration code" }
    public var customMirror: Mirror { Mirror(self, children: ["addresses": addresses]) }
}
