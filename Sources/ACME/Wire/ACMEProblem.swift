import Kernel

/// An authority's refusal (RFC 7807, RFC 8555 section 6.7).
package struct ACMEProblem: Hashable, Sendable {
    private static let prefix = "urn:ietf:params:acme:error:"
    private static let known: [String: ACMEError.Refusal] = [
        "accountDoesNotExist": .accountDoesNotExist, "badNonce": .badNonce, "caa": .caa, "connection": .connection,
        "dns": .dns, "externalAccountRequired": .externalAccountRequired, "incorrectResponse": .incorrectResponse,
        "invalidContact": .invalidContact, "rateLimited": .rateLimited, "rejectedIdentifier": .rejectedIdentifier,
        "tls": .tls, "unauthorized": .unauthorized, "unsupportedContact": .unsupportedContact,
        "unsupportedIdentifier": .unsupportedIdentifier, "userActionRequired": .userActionRequired,
    ]
    private static let longestDetail = 300
    private static let mostSubproblems = 100

    package let kind: ACMEError.Refusal
    /// The authority's sentence, in one bounded row.
    package let detail: String
    /// The names that it is about, where it tells them.
    package let names: [String]

    init(_ members: [String: JSONValue]) {
        let type = members["type"]?.stringValue ?? ""
        let word = type.hasPrefix(Self.prefix) ? String(type.dropFirst(Self.prefix.count)) : type
        kind = Self.known[word] ?? .other(TerminalText.line(String((word.isEmpty ? "unnamed" : word).prefix(60))))
        detail = TerminalText.line(String((members["detail"]?.stringValue ?? "").prefix(Self.longestDetail)))
        names = (members["subproblems"]?.arrayValue ?? []).prefix(Self.mostSubproblems)
            .compactMap { $0["identifier"]?["value"]?.stringValue }
            .prefix(CertificateName.most).map { TerminalText.line(String($0.prefix(253))) }
    }

    /// What it says of a challenge that failed.
    var failure: ACMEError.Failure {
        switch kind {
        case .dns: .noAddress
        case .connection: .notReached
        case .unauthorized, .incorrectResponse, .tls: .otherAnswer
        case .caa: .forbiddenByCAA
        default: .other
        }
    }
}
