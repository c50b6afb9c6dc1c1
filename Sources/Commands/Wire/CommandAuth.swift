import Kernel

/// A request's claims about its asker. Every member is optional, because every dialect has others; one that does not fit counts as absent.
/// Source: `docs/protocol.md`, "Who may do what".
package struct CommandAuth: Hashable, Sendable {
    static let didLimit = 256
    static let nonceLimit = 128
    static let signatureLimit = 128

    /// The DID that the asker claims, at most 256 bytes.
    package var did: String?
    /// Base64 of an Ed25519 signature.
    package var signature: String?
    /// Milliseconds since 1970-01-01T00:00:00Z, by the asker's clock.
    package var timestamp: Int64?
    /// Chosen by the asker, at most 128 bytes: a signature counts once.
    package var nonce: String?

    package init(did: String? = nil, signature: String? = nil, timestamp: Int64? = nil, nonce: String? = nil) {
        self.did = did
        self.signature = signature
        self.timestamp = timestamp
        self.nonce = nonce
    }

    /// - Parameter payload: The request's; one dialect has the timestamp there.
    init?(payload: JSONValue) {
        guard let auth = payload["auth"], auth.objectValue != nil else { return nil }
        self.init(
            did: Self.text(auth["did"], limit: Self.didLimit) ?? Self.text(auth["mobileDid"], limit: Self.didLimit),
            signature: Self.text(auth["signature"], limit: Self.signatureLimit),
            timestamp: (auth["timestamp"] ?? payload["timestamp"])?.integerValue,
            nonce: Self.text(auth["nonce"], limit: Self.nonceLimit)
        )
    }

    private static func text(_ value: JSONValue?, limit: Int) -> String? {
        guard let text = value?.stringValue, !text.isEmpty, text.utf8.count <= limit else { return nil }
        return text
    }
}

extension CommandAuth {
    /// The texts that existing programs sign: compact JSON with its keys in this order, or the three with colons between them.
    /// Neither holds the parameters.
    package static func signedTexts(method: String, timestamp: Int64, nonce: String) -> [[UInt8]] {
        var json = Array(#"{"method":"#.utf8)
        JSONValue.appendQuoted(method, to: &json)
        json += Array(#","timestamp":\#(timestamp),"nonce":"#.utf8)
        JSONValue.appendQuoted(nonce, to: &json)
        json.append(UInt8(ascii: "}"))
        return [json, Array("\(method):\(timestamp):\(nonce)".utf8)]
    }

    /// The signature's bytes; it is written in either alphabet of base64, with or without padding.
    package var signatureBytes: [UInt8]? {
        guard let signature else { return nil }
        let text = signature.replacing("+", with: "-").replacing("/", with: "_").prefix { $0 != "=" }
        return Base64URL.decode(String(text))
    }
}
