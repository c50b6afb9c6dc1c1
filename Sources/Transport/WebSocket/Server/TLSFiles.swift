public import Foundation
import NIOSSL

/// Where a server's certificate chain and key are: two PEM files.
public struct TLSFiles: Hashable, Sendable {
    /// The certificate chain, PEM, the server's own certificate first.
    public var certificate: URL
    /// The private key of the first certificate, PEM, without a password.
    public var key: URL

    public init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }

    /// - Throws: ``TLSFilesError``.
    func identity() throws -> TLSIdentity {
        for file in [certificate, key] {
            do {
                try FileHandle(forReadingFrom: file).close()
            } catch {
                throw TLSFilesError.unreadable(path: file.path, reason: "it is not there, or this user may not read it")
            }
        }
        let chain: [NIOSSLCertificate]
        do {
            chain = try NIOSSLCertificate.fromPEMFile(certificate.path)
        } catch {
            throw TLSFilesError.unreadable(path: certificate.path, reason: "it holds no certificate in PEM form")
        }
        guard let first = chain.first else {
            throw TLSFilesError.unreadable(path: certificate.path, reason: "it holds no certificate")
        }
        let privateKey: NIOSSLPrivateKey
        do {
            privateKey = try NIOSSLPrivateKey(file: key.path, format: .pem)
        } catch {
            throw TLSFilesError.unreadable(path: key.path, reason: "it holds no private key in PEM form")
        }
        do {
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain.map { .certificate($0) },
                privateKey: .privateKey(privateKey)
            )
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try TLSIdentity(context: NIOSSLContext(configuration: configuration), certificate: first)
        } catch {
            throw TLSFilesError.mismatch(certificate: certificate.path, key: key.path, reason: "\(error)")
        }
    }
}

/// Why a server cannot use its certificate.
public enum TLSFilesError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(path: String, reason: String)
    case mismatch(certificate: String, key: String, reason: String)

    public var description: String {
        switch self {
        case .unreadable(let path, let reason):
            "\(path) could not be used: \(reason). Give a PEM file that this user may read."
        case .mismatch(let certificate, let key, let reason):
            "\(certificate) and \(key) do not belong together: \(reason). Give the key the certificate was made for."
        }
    }
}
