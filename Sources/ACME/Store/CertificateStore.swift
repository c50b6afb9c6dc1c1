package import Crypto
package import Foundation
package import Kernel
import SwiftASN1
package import WebClient

/// The account, the certificate and the tries of a hub, among the keys of its state folder.
package struct CertificateStore: Sendable {
    private static let accountFile = "acme-account.json"
    private static let certificateFile = "acme-certificate.pem"
    private static let triesFile = "acme-tries.json"

    private let folder: StateFolder

    package init(_ folder: StateFolder) { self.folder = folder }

    /// The certificate's chain and its key in one file, so that both change at once.
    package var certificateURL: URL { folder.keysURL.appending(path: Self.certificateFile) }
    package var accountURL: URL { folder.keysURL.appending(path: Self.accountFile) }

    /// - Throws: ``ACMEError/damaged(path:)``; what the state folder says.
    package func account() throws -> KeptAccount? {
        guard let bytes = try folder.readKey(Self.accountFile) else { return nil }
        guard let file = try? JSONValue(parsing: bytes).decode(as: KeptAccount.File.self),
            let account = KeptAccount(file)
        else { throw ACMEError.damaged(path: accountURL.path) }
        return account
    }

    package func keep(_ account: KeptAccount) throws {
        try folder.writeKey(Self.accountFile, Array(JSONValue(encoding: account.file).canonicalBytes))
    }

    /// Nil where none is kept. A damaged one counts as none, because it is made anew without anybody's help.
    package func certificate() throws -> CertificateChain? {
        guard let bytes = try folder.readKey(Self.certificateFile) else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let documents = (try? PEMDocument.parseMultiple(pemString: text)) ?? []
        guard let chain = CertificateChain(text),
            let document = documents.first(where: { $0.discriminator == "PRIVATE KEY" }),
            let key = try? P256.Signing.PrivateKey(derRepresentation: document.derBytes), chain.isFor(key.publicKey)
        else { return nil }
        return chain
    }

    package func keep(_ chain: CertificateChain, key: P256.Signing.PrivateKey) throws {
        try folder.writeKey(Self.certificateFile, Array((key.pemRepresentation + "\n" + chain.pem).utf8))
    }

    /// Those of another run, if they were for the same certificate; a damaged file counts as none.
    package func tries(for configuration: ACMEConfiguration) throws -> CertificateTries {
        let none = CertificateTries(configuration)
        guard let bytes = try folder.readKey(Self.triesFile),
            let tries = try? JSONValue(parsing: bytes).decode(as: CertificateTries.self), tries.isSame(as: none)
        else { return none }
        return tries
    }

    package func keep(_ tries: CertificateTries) throws {
        try folder.writeKey(Self.triesFile, Array(JSONValue(encoding: tries).canonicalBytes))
    }
}

/// An account at an authority.
package struct KeptAccount: Sendable {
    struct File: Codable {
        var directory: String
        var key: String
        var url: String?
        var terms: String?
        var contact: String?
    }

    /// The authority.
    package let directory: WebURL
    package let key: AccountKey
    /// Its address; nil until it is registered.
    package var url: WebURL?
    /// The terms that its owner agreed to.
    package var terms: String?
    package var contact: String?

    package init(directory: WebURL, key: AccountKey) {
        self.directory = directory
        self.key = key
    }

    init?(_ file: File) {
        guard let directory = try? WebURL(file.directory), let key = try? AccountKey(pem: file.key) else { return nil }
        self.init(directory: directory, key: key)
        if let url = file.url {
            guard let url = try? WebURL(url), url.isSecure else { return nil }
            self.url = url
        }
        terms = file.terms
        contact = file.contact
    }

    var file: File {
        File(directory: directory.text, key: key.pem, url: url?.text, terms: terms, contact: contact)
    }
}
