package import Crypto
import Foundation
import SwiftASN1
import X509

/// The request that a certificate is made from (RFC 2986), with the names in it and nothing else: authorities ignore the rest.
package enum CertificateRequest {
    /// - Returns: DER.
    /// - Throws: What the libraries say.
    package static func der(for names: [CertificateName], key: P256.Signing.PrivateKey) throws -> [UInt8] {
        let extensions = try Certificate.Extensions {
            SubjectAlternativeNames(names.map { .dnsName($0.text) })
        }
        let request = try CertificateSigningRequest(
            version: .v1,
            subject: DistinguishedName(),
            privateKey: Certificate.PrivateKey(key),
            attributes: CertificateSigningRequest.Attributes([.init(ExtensionRequest(extensions: extensions))]),
            signatureAlgorithm: .ecdsaWithSHA256
        )
        var serializer = DER.Serializer()
        try serializer.serialize(request)
        return serializer.serializedBytes
    }
}
