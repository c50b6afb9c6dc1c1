import Crypto
import Foundation
import SwiftASN1
import X509

/// Makes certificates, as an authority does.
struct TestAuthority {
    private let key = P256.Signing.PrivateKey()
    private let name: DistinguishedName
    private let own: Certificate

    init() throws {
        name = try DistinguishedName { CommonName("Test authority") }
        own = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 4_000_000_000),
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                Critical(BasicConstraints.isCertificateAuthority(maxPathLength: nil))
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
    }

    /// A certificate and the authority's own, PEM.
    func chain(for key: P256.Signing.PublicKey, names: [String], from: Date, life: TimeInterval) throws -> String {
        let certificate = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key),
            notValidBefore: from,
            notValidAfter: from.addingTimeInterval(life),
            issuer: name,
            subject: DistinguishedName(),
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions { Critical(SubjectAlternativeNames(names.map { .dnsName($0) })) },
            issuerPrivateKey: Certificate.PrivateKey(self.key)
        )
        return try [certificate, own].map { try $0.serializeAsPEM().pemString + "\n" }.joined()
    }
}
