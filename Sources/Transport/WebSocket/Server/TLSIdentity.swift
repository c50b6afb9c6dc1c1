import Crypto
import NIOSSL

/// A server's TLS certificate and key, ready for use, with what is known of the certificate.
package struct TLSIdentity: Sendable {
    let context: NIOSSLContext
    /// SHA-256 of the server's certificate, DER. See ``CertificateHash``.
    let certificateHash: [UInt8]
    /// SHA-256 of the certificate's key. See ``WebSocketTrust/publicKey(sha256:)``.
    package let keyHash: [UInt8]
    /// The DNS names in the certificate, in lower case; a name may begin with `*.`.
    let names: [String]

    init(context: NIOSSLContext, certificate: NIOSSLCertificate) throws {
        self.context = context
        certificateHash = try CertificateHash.of(certificate)
        keyHash = try CertificateHash.ofKey(certificate)
        names = Self.dnsNames(certificate._subjectAlternativeNames())
    }

    private static func dnsNames(_ names: _SubjectAlternativeNames) -> [String] {
        names.filter { $0.nameType == .dnsName }
            .map { name in name.contents.withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self).lowercased() } }
    }
}

/// The channel binding of a TLS connection: SHA-256 over the server's certificate in DER.
///
/// It is `tls-server-end-point` of RFC 5929 for every certificate whose own signature uses SHA-256. The exporter of RFC 9266 is not
/// to be had: NIOSSL offers no way to it.
enum CertificateHash {
    static func of(_ certificate: NIOSSLCertificate) throws -> [UInt8] {
        Array(SHA256.hash(data: try certificate.toDERBytes()))
    }

    /// SHA-256 of the certificate's key alone, which outlives the certificate.
    static func ofKey(_ certificate: NIOSSLCertificate) throws -> [UInt8] {
        Array(SHA256.hash(data: try certificate.extractPublicKey().toSPKIBytes()))
    }
}
