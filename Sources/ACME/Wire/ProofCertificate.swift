import Crypto
package import Foundation
import SwiftASN1
import X509

/// The certificate that answers a challenge in a TLS handshake (RFC 8737 section 3): self-signed, for the name alone, with the hash of the key
/// authorization in a critical extension.
package struct ProofCertificate: Sendable {
    /// `id-pe-acmeIdentifier`.
    static let identifier: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 1, 31]
    private static let lifetime: TimeInterval = 7 * 86_400

    package let name: CertificateName
    /// DER.
    package let certificate: [UInt8]
    /// Its private key, PKCS #8 in PEM.
    package let key: String

    /// - Throws: What the libraries say.
    package init(name: CertificateName, keyAuthorization: String, now: Date) throws {
        let key = P256.Signing.PrivateKey()
        var serializer = DER.Serializer()
        try serializer.serialize(
            ASN1OctetString(contentBytes: ArraySlice(SHA256.hash(data: Data(keyAuthorization.utf8))))
        )
        let value = serializer.serializedBytes
        let subject = try DistinguishedName { CommonName("acme") }
        let made = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: now.addingTimeInterval(-Self.lifetime),
            notValidAfter: now.addingTimeInterval(Self.lifetime),
            issuer: subject,
            subject: subject,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: try Certificate.Extensions {
                SubjectAlternativeNames([.dnsName(name.text)])
                Certificate.Extension(oid: Self.identifier, critical: true, value: value[...])
            },
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        var encoder = DER.Serializer()
        try encoder.serialize(made)
        self.name = name
        certificate = encoder.serializedBytes
        self.key = key.pemRepresentation
    }
}
