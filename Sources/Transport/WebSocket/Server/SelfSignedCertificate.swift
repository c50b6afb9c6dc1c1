package import Crypto
package import Foundation
import NIOSSL

/// A certificate that a server signs for itself, for clients that pin its key: they look at nothing else in it.
package enum SelfSignedCertificate {
    /// How long it is valid before and after it was made. It is made anew at each start.
    private static let lifetime: TimeInterval = 10 * 365 * 86_400
    private static let slack: TimeInterval = 86_400

    /// An identity for this key.
    ///
    /// - Throws: What the TLS library says of it.
    package static func identity(for key: P256.Signing.PrivateKey, name: String, now: Date) throws -> TLSIdentity {
        let certificate = try NIOSSLCertificate(bytes: der(for: key, name: name, now: now), format: .der)
        let privateKey = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)],
            privateKey: .privateKey(privateKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        return try TLSIdentity(context: NIOSSLContext(configuration: configuration), certificate: certificate)
    }

    /// X.509 version 3 (RFC 5280) in DER, signed with ECDSA and SHA-256.
    static func der(for key: P256.Signing.PrivateKey, name: String, now: Date) throws -> [UInt8] {
        let algorithm = DER.sequence([DER.objectIdentifier([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02])])
        // commonName, at most 64 characters.
        let commonName = DER.sequence([DER.objectIdentifier([0x55, 0x04, 0x03]), DER.text(String(name.prefix(64)))])
        let subject = DER.sequence([DER.value(0x31, commonName)])
        var serial = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
        // Positive, and without a zero in front.
        serial[0] = serial[0] & 0x3F | 0x40
        let body = DER.sequence([
            DER.value(0xA0, DER.value(0x02, [2])),
            DER.value(0x02, serial),
            algorithm,
            subject,
            DER.sequence([
                DER.time(now.addingTimeInterval(-slack)), DER.time(now.addingTimeInterval(lifetime)),
            ]),
            subject,
            Array(key.publicKey.derRepresentation),
        ])
        let signature = Array(try key.signature(for: body).derRepresentation)
        return DER.sequence([body, algorithm, DER.value(0x03, [0] + signature)])
    }
}

/// The few values of DER (X.690) that a certificate is made of.
private enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let count = content.count
        guard count >= 0x80 else { return [tag, UInt8(count)] + content }
        var length: [UInt8] = []
        var rest = count
        while rest > 0 {
            length.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        return [tag, 0x80 | UInt8(length.count)] + length + content
    }

    static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, Array(parts.joined())) }

    static func objectIdentifier(_ encoded: [UInt8]) -> [UInt8] { value(0x06, encoded) }

    static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

    /// UTCTime until 2049, GeneralizedTime from 2050 on (RFC 5280, 4.1.2.5).
    static func time(_ date: Date) -> [UInt8] {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        func digits(_ number: Int?, _ width: Int = 2) -> String {
            let text = String(number ?? 0)
            return String(repeating: "0", count: max(0, width - text.count)) + text
        }
        let rest = [parts.month, parts.day, parts.hour, parts.minute, parts.second].map { digits($0) }.joined() + "Z"
        let year = parts.year ?? 0
        return year < 2050
            ? value(0x17, Array((digits(year % 100) + rest).utf8)) : value(0x18, Array((digits(year, 4) + rest).utf8))
    }
}
