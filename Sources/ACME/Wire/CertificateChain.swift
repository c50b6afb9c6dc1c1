package import Crypto
import Foundation
import SwiftASN1
import X509

/// A certificate with those of its authority (RFC 8555 section 7.4.2), the own one first.
package struct CertificateChain: Hashable, Sendable {
    /// Bytes of the text.
    static let largest = 64 << 10
    private static let longest = 10

    /// PEM, as it came but for what stands around the certificates.
    package let pem: String
    package let validity: CertificateValidity
    /// Its DNS names, in lower case.
    package let names: Set<String>
    /// The public key, as X.509 writes it.
    private let keyBytes: [UInt8]

    /// Nil for anything but certificates in PEM.
    package init?(_ text: String) {
        guard text.utf8.count <= Self.largest, let documents = try? PEMDocument.parseMultiple(pemString: text) else {
            return nil
        }
        let certificates = documents.filter { $0.discriminator == "CERTIFICATE" }
        guard let first = certificates.first, certificates.count <= Self.longest,
            let own = try? Certificate(derEncoded: first.derBytes),
            certificates.dropFirst().allSatisfy({ (try? Certificate(derEncoded: $0.derBytes)) != nil })
        else { return nil }
        pem = certificates.map { $0.pemString + "\n" }.joined()
        validity = CertificateValidity(from: own.notValidBefore, to: own.notValidAfter)
        let alternatives = (try? own.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames()
        names = Set(
            alternatives.compactMap { name in
                if case .dnsName(let name) = name { name.lowercased() } else { nil }
            }
        )
        keyBytes = P256.Signing.PublicKey(own.publicKey).map { Array($0.x963Representation) } ?? []
    }

    package func isFor(_ key: P256.Signing.PublicKey) -> Bool { keyBytes == Array(key.x963Representation) }

    package func covers(_ wanted: [CertificateName]) -> Bool { wanted.allSatisfy { names.contains($0.text) } }
}
