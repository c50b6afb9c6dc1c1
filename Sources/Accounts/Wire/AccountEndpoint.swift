/// The paths of a hub's accounts. Every request is a POST of a JSON object of at most ``bodyLimit`` bytes.
public enum AccountEndpoint: String, Hashable, Sendable, CaseIterable {
    case challenge = "/account/challenge"
    case register = "/account/register"
    case login = "/account/login"
    case refresh = "/account/refresh"
    case me = "/account/me"
    case profile = "/account/profile"
    case devices = "/account/devices"
    case endDevice = "/account/devices/end"
    case logout = "/account/logout"
    case password = "/account/password"
    case key = "/account/key"
    case delete = "/account/delete"
    /// Who has a name.
    case find = "/account/find"
    /// OpenIM's: what a token says.
    case parseToken = "/auth/parse_token"
    /// OpenIM's: ends one's sessions on a platform.
    case forceLogout = "/auth/force_logout"

    public static let bodyLimit = 16 * 1024

    public var path: String { rawValue }
}
