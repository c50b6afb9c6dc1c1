public import AccountsClient

/// Access tokens of one account at its hub: a seam, so that the connection knows neither keys nor refresh tokens.
public protocol AccessTokenSource: Sendable {
    /// A token that is good for a minute at least.
    ///
    /// - Throws: `AccountClientError`; what the database says.
    func token() async throws -> String
    /// A token in place of one that the hub refused. Several callers with the same refused token wait for one renewal.
    ///
    /// - Throws: `AccountClientError.signedOut(name:hub:)` where the session is over; otherwise as ``token()``.
    func token(replacing refused: String) async throws -> String
}

extension AccountClient: AccessTokenSource {}
