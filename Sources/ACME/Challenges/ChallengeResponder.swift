/// What answers the authority's challenges where it asks.
package protocol ChallengeResponder: Sendable {
    /// - Throws: Why it cannot be answered.
    func prepare(_ answer: ChallengeAnswer) async throws
    func withdraw(_ answer: ChallengeAnswer) async
}

/// The answer to one challenge.
package enum ChallengeAnswer: Sendable {
    /// The body of the file with the token's name.
    case http(token: ChallengeToken, keyAuthorization: String)
    case tls(ProofCertificate)
}
