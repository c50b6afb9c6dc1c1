import Foundation
import Kernel
package import WebClient

/// A status of an account, an order, an authorization or a challenge (RFC 8555 section 7.1.6). An open set.
package enum ACMEStatus: Hashable, Sendable {
    case pending, ready, processing, valid, invalid, deactivated, expired, revoked
    case unknown(String)

    private static let known: [String: ACMEStatus] = [
        "pending": .pending, "ready": .ready, "processing": .processing, "valid": .valid, "invalid": .invalid,
        "deactivated": .deactivated, "expired": .expired, "revoked": .revoked,
    ]

    init(_ text: String) { self = Self.known[text] ?? .unknown(TerminalText.line(String(text.prefix(40)))) }
}

/// Reads one of an authority's objects.
struct ResourceReader {
    /// The host, for sentences.
    let authority: String
    let members: [String: JSONValue]

    /// - Throws: ``ACMEError/badAnswer(authority:what:)``.
    init(_ body: [UInt8], of authority: String) throws(ACMEError) {
        guard let value = try? JSONValue(parsing: body), let members = value.objectValue else {
            throw .badAnswer(authority: authority, what: "no JSON object")
        }
        self.init(members, of: authority)
    }

    init(_ members: [String: JSONValue], of authority: String) {
        self.members = members
        self.authority = authority
    }

    func status() throws(ACMEError) -> ACMEStatus {
        guard let text = members["status"]?.stringValue else { throw missing("status") }
        return ACMEStatus(text)
    }

    func address(_ name: String) throws(ACMEError) -> WebURL {
        guard let text = members[name]?.stringValue else { throw missing(name) }
        return try address(text, named: name)
    }

    func optionalAddress(_ name: String) throws(ACMEError) -> WebURL? {
        guard let text = members[name]?.stringValue else { return nil }
        return try address(text, named: name)
    }

    func addresses(_ name: String, limit: Int) throws(ACMEError) -> [WebURL] {
        guard let values = members[name]?.arrayValue, values.count <= limit else { throw missing(name) }
        var found: [WebURL] = []
        for value in values {
            guard let text = value.stringValue else { throw missing(name) }
            found.append(try address(text, named: name))
        }
        return found
    }

    func problem(_ name: String) -> ACMEProblem? {
        members[name]?.objectValue.map { ACMEProblem($0) }
    }

    func missing(_ name: String) -> ACMEError { .badAnswer(authority: authority, what: "no usable \(name)") }

    private func address(_ text: String, named name: String) throws(ACMEError) -> WebURL {
        let error = missing(name)
        return try ACMEAddress.check(text) { _ in error }
    }
}

/// The addresses of an authority (RFC 8555 section 7.1.1).
package struct ACMEDirectory: Hashable, Sendable {
    private static let longestTerms = 500

    package let newNonce: WebURL
    package let newAccount: WebURL
    package let newOrder: WebURL
    /// Where its terms are; nil where it has none.
    package let terms: String?
    package let requiresExternalAccount: Bool

    package init(_ body: [UInt8], of authority: String) throws(ACMEError) {
        let reader = try ResourceReader(body, of: authority)
        newNonce = try reader.address("newNonce")
        newAccount = try reader.address("newAccount")
        newOrder = try reader.address("newOrder")
        let meta = reader.members["meta"]
        // It is shown to the person, and never asked for here.
        terms = meta?["termsOfService"]?.stringValue.map { TerminalText.line(String($0.prefix(Self.longestTerms))) }
        requiresExternalAccount = meta?["externalAccountRequired"]?.boolValue ?? false
    }
}

/// A certificate that is being made (RFC 8555 section 7.1.3).
package struct ACMEOrder: Hashable, Sendable {
    package var status: ACMEStatus
    package var authorizations: [WebURL]
    package var finalize: WebURL
    package var certificate: WebURL?
    package var problem: ACMEProblem?

    package init(_ body: [UInt8], of authority: String) throws(ACMEError) {
        let reader = try ResourceReader(body, of: authority)
        status = try reader.status()
        authorizations = try reader.addresses("authorizations", limit: CertificateName.most)
        finalize = try reader.address("finalize")
        certificate = try reader.optionalAddress("certificate")
        problem = reader.problem("error")
    }
}

/// The permission for one name (RFC 8555 section 7.1.4), with the ways to get it.
package struct ACMEAuthorization: Hashable, Sendable {
    package struct Challenge: Hashable, Sendable {
        package var kind: String
        package var url: WebURL
        package var status: ACMEStatus
        package var token: ChallengeToken?
        package var problem: ACMEProblem?
    }

    private static let mostChallenges = 32

    package var name: String
    package var status: ACMEStatus
    package var challenges: [Challenge]

    package init(_ body: [UInt8], of authority: String) throws(ACMEError) {
        let reader = try ResourceReader(body, of: authority)
        status = try reader.status()
        guard let name = reader.members["identifier"]?["value"]?.stringValue, name.utf8.count <= 253 else {
            throw reader.missing("identifier")
        }
        self.name = name.lowercased()
        let values = reader.members["challenges"]?.arrayValue ?? []
        guard values.count <= Self.mostChallenges else { throw reader.missing("challenges") }
        // A challenge that is not understood may be of a kind to come, and spoils no other.
        challenges = values.compactMap { value in
            guard let members = value.objectValue, let kind = members["type"]?.stringValue else { return nil }
            let reader = ResourceReader(members, of: authority)
            guard let url = try? reader.address("url") else { return nil }
            return Challenge(
                kind: TerminalText.line(String(kind.prefix(40))),
                url: url,
                status: members["status"]?.stringValue.map { ACMEStatus($0) } ?? .pending,
                token: members["token"]?.stringValue.flatMap { ChallengeToken($0) },
                problem: reader.problem("error")
            )
        }
    }
}
