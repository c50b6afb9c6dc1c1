public import Foundation
import Kernel

/// The `Authorization` header of a registered device's HTTP request to a server. Source: `docs/protocol.md` 2.7.
public enum RequestProof {
    /// The largest difference between the clocks of device and server.
    public static let tolerance = Duration.seconds(60)

    /// - Parameters:
    ///   - target: Path and query, as in the request line.
    ///   - host: The authority dialled, as in the `Host` header.
    public static func header(
        identity: Identity,
        method: String,
        target: String,
        host: String,
        now: Date
    ) throws -> String {
        let time = String(now.millisecondsSince1970)
        let signature = try identity.sign(message(method: method, target: target, host: host, time: time))
        return "Tandem did=\"\(identity.did.text)\", t=\"\(time)\", sig=\"\(Base64URL.encode(signature))\""
    }

    /// - Returns: The DID of the device that asks.
    /// - Throws: ``SealingError/identityNotProven``.
    public static func verify(
        _ header: String,
        method: String,
        target: String,
        host: String,
        now: Date
    ) throws(SealingError) -> DID {
        guard header.utf8.count <= 1024, header.hasPrefix("Tandem ") else { throw .identityNotProven }
        var fields: [String: String] = [:]
        for part in header.dropFirst(7).split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[1].count >= 2, pair[1].hasPrefix("\""), pair[1].hasSuffix("\"") else {
                throw .identityNotProven
            }
            fields[pair[0]] = String(pair[1].dropFirst().dropLast())
        }
        guard let text = fields["did"], let time = fields["t"], let sent = Int64(time),
            let signature = fields["sig"].flatMap({ Base64URL.decode($0) })
        else { throw .identityNotProven }
        let limit = tolerance.components.seconds * 1000
        guard sent.subtractingReportingOverflow(now.millisecondsSince1970).partialValue.magnitude <= limit.magnitude
        else {
            throw .identityNotProven
        }
        let did = try DID(text)
        let signed = message(method: method, target: target, host: host, time: time)
        guard let key = did.signingKey, key.verifies(signature, of: signed) else { throw .identityNotProven }
        return did
    }

    private static func message(method: String, target: String, host: String, time: String) -> [UInt8] {
        Array("tandem-http-v1".utf8) + [0]
            + LengthValue.encode(method)
            + LengthValue.encode(target)
            + LengthValue.encode(host.lowercased())
            + LengthValue.encode(time)
    }
}
