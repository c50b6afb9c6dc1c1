extension ACMEError {
    /// The refusal of a request or of an order.
    static func problem(_ problem: ACMEProblem, of authority: String, names: [CertificateName] = []) -> ACMEError {
        let names = problem.names.isEmpty ? names.map(\.text) : problem.names
        return switch problem.kind {
        case .userActionRequired: .actionRequired(authority: authority, detail: problem.detail)
        case .externalAccountRequired: .externalAccountRequired(authority: authority)
        case .caa where !names.isEmpty:
            .notProved(name: names.joined(separator: ", "), .http, .forbiddenByCAA, detail: problem.detail)
        case .dns where !names.isEmpty:
            .notProved(name: names.joined(separator: ", "), .http, .noAddress, detail: problem.detail)
        case .rejectedIdentifier, .unsupportedIdentifier: .nameRefused(names: names, detail: problem.detail)
        default: .refused(authority: authority, problem.kind, detail: problem.detail)
        }
    }
}
