import Crypto
import Foundation
public import NIOSSL

/// A self-signed certificate for DNS names (RFC 5280).
public struct TestCertificate: Sendable {
    public let certificate: NIOSSLCertificate
    public let key: NIOSSLPrivateKey
    /// For a client that trusts it.
    public let pem: [UInt8]
    /// The key for a server of another program, PEM text.
    public let keyPEM: String

    /// - Parameters:
    ///   - from: The first moment of validity, as `UTCTime` writes it.
    ///   - to: The last one.
    public init(names: [String], from: String = "200101000000Z", to: String = "491231235959Z") throws {
        let key = P256.Signing.PrivateKey()
        let algorithm = Self.sequence([[0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]])
        let commonName = Self.sequence([[0x06, 0x03, 0x55, 0x04, 0x03], Self.value(0x0C, Array("test".utf8))])
        let subject = Self.sequence([Self.value(0x31, commonName)])
        // subjectAltName: every dNSName is [2].
        let alternatives = Self.sequence(names.map { Self.value(0x82, Array($0.utf8)) })
        let names = Self.sequence([[0x06, 0x03, 0x55, 0x1D, 0x11], Self.value(0x04, alternatives)])
        let body = Self.sequence([
            Self.value(0xA0, Self.value(0x02, [2])),
            Self.value(0x02, [0x40] + (0..<15).map { _ in UInt8.random(in: .min ... .max) }),
            algorithm,
            subject,
            Self.sequence([
                Self.value(0x17, Array(from.utf8)), Self.value(0x17, Array(to.utf8)),
            ]),
            subject,
            Array(key.publicKey.derRepresentation),
            Self.value(0xA3, Self.sequence([names])),
        ])
        let signature = Array(try key.signature(for: Data(body)).derRepresentation)
        let der = Self.sequence([body, algorithm, Self.value(0x03, [0] + signature)])
        certificate = try NIOSSLCertificate(bytes: der, format: .der)
        keyPEM = key.pemRepresentation
        self.key = try NIOSSLPrivateKey(bytes: Array(key.pemRepresentation.utf8), format: .pem)
        let text = Data(der).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
        pem = Array("-----BEGIN CERTIFICATE-----\n\(text)\n-----END CERTIFICATE-----\n".utf8)
    }

    private static func sequence(_ parts: [[UInt8]]) -> [UInt8] { value(0x30, Array(parts.joined())) }

    private static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        switch content.count {
        case ..<0x80: [tag, UInt8(content.count)] + content
        case ..<0x100: [tag, 0x81, UInt8(content.count)] + content
        default: [tag, 0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)] + content
        }
    }
}
