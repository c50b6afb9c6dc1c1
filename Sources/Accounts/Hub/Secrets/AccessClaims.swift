import JWTKit

/// The claims of an access token. The names are OpenIM's, beside the registered ones of RFC 7519; times are seconds since 1970.
struct AccessClaims: JWTPayload, Hashable {
    var userID: String
    var platformID: Int
    var exp: Int64
    var nbf: Int64
    var iat: Int64
    /// The session.
    var sid: String

    enum CodingKeys: String, CodingKey {
        case userID = "UserID"
        case platformID = "PlatformID"
        case exp, nbf, iat, sid
    }

    /// Times are checked by ``AccessTokens``, whose clock a test moves; this has no clock to ask.
    func verify(using algorithm: some JWTAlgorithm) async throws {}
}
