import Accounts
import Foundation
import Kernel
import Logging
import Transport

/// The routes of `/account/…` and of OpenIM's `/auth/…`.
struct AccountRoutes: Sendable {
    let accounts: Accounts
    let logger: Logger

    /// - Throws: `RouteError`.
    func all() throws -> RouteSet { RouteSet(http: try open() + own() + sessions()) }

    // MARK: Routes

    /// Those that need no token.
    private func open() throws -> [HTTPRoute] {
        [
            try route(.challenge) { [accounts] (request: ChallengeRequest, _) in try accounts.challenge(request) },
            try route(.register) { [accounts] in try await accounts.register($0, $1) },
            try route(.login) { [accounts] in try await accounts.login($0, $1) },
            try route(.refresh) { [accounts] in try await accounts.refresh($0, $1) },
            try route(.parseToken) { [accounts] (request: ParseTokenRequest, _) in
                let content = try await accounts.tokens.open(request.token)
                // The session is looked at, too: a token of one that is over says nothing.
                _ = try await accounts.asker(showing: request.token).get()
                return ParsedToken(
                    userID: content.person.imUserID,
                    platformID: content.platform,
                    expireTimeSeconds: content.expiresAt
                )
            },
        ]
    }

    private func own() throws -> [HTTPRoute] {
        [
            try route(.me) { [accounts] (_: Nothing, asker, _) in try await accounts.me(asker) },
            try route(.profile) { [accounts] (profile: ProfileRequest, asker, _) in
                try await accounts.change(profile, by: asker)
            },
            try route(.find) { [accounts] (request: FindAccountRequest, asker, call) in
                try await accounts.find(request, for: asker, call)
            },
            try route(.password) { [accounts] (request: PasswordRequest, asker, call) in
                try await accounts.setPassword(request, by: asker, call)
                return Nothing()
            },
            try route(.key) { [accounts] (request: KeyRequest, asker, call) in
                try await accounts.addKey(request, by: asker, call)
            },
            try route(.delete) { [accounts] (request: DeleteAccountRequest, asker, _) in
                try await accounts.delete(request, by: asker)
                return Nothing()
            },
        ]
    }

    private func sessions() throws -> [HTTPRoute] {
        [
            try route(.devices) { [accounts] (_: Nothing, asker, _) in accounts.devices(of: asker) },
            try route(.endDevice) { [accounts] (request: EndDeviceRequest, asker, _) in
                try await accounts.end(request.device, by: asker)
                return Nothing()
            },
            try route(.logout) { [accounts] (_: Nothing, asker, _) in
                try await accounts.logout(asker)
                return Nothing()
            },
            try route(.forceLogout) { [accounts] (request: ForceLogoutRequest, asker, _) in
                guard request.userID == asker.person.imUserID else { throw AccountsError.othersAccount }
                try await accounts.logout(asker, everywhereOn: request.platformID)
                return Nothing()
            },
        ]
    }

    // MARK: Kinds of routes

    /// A route that needs no token.
    private func route<Request: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ endpoint: AccountEndpoint,
        _ answer: @escaping @Sendable (Request, AccountCall) async throws -> Answer
    ) throws -> HTTPRoute {
        try HTTPRoute.im(endpoint.path, maximumBodyBytes: AccountEndpoint.bodyLimit, logger: logger) {
            [accounts] request, json in
            let call = AccountCall(json, of: request)
            try accounts.limits.request(call)
            return try JSONValue(encoding: try await answer(Self.read(json), call))
        }
    }

    /// A route for people with a session.
    private func route<Request: Decodable & Sendable, Answer: Encodable & Sendable>(
        _ endpoint: AccountEndpoint,
        _ answer: @escaping @Sendable (Request, Asker, AccountCall) async throws -> Answer
    ) throws -> HTTPRoute {
        try HTTPRoute.im(endpoint.path, maximumBodyBytes: AccountEndpoint.bodyLimit, logger: logger) {
            [accounts] request, json in
            let asker = try await accounts.asker(of: request).get()
            try accounts.limits.request(of: asker.person)
            let call = AccountCall(json, of: request)
            return try JSONValue(encoding: try await answer(Self.read(json), asker, call))
        }
    }

    private static func read<Request: Decodable>(_ json: JSONValue) throws(AccountsError) -> Request {
        do {
            return try json.decode(as: Request.self)
        } catch let DecodingError.keyNotFound(key, _) {
            throw .malformedRequest("\(key.stringValue) is missing")
        } catch let DecodingError.typeMismatch(_, context) {
            throw .malformedRequest("\(Self.place(context)) does not fit")
        } catch let DecodingError.valueNotFound(_, context) {
            throw .malformedRequest("\(Self.place(context)) is null")
        } catch {
            throw .malformedRequest("a member does not fit")
        }
    }

    private static func place(_ context: DecodingError.Context) -> String {
        let path = context.codingPath.map(\.stringValue).joined(separator: ".")
        return path.isEmpty ? "the body" : path
    }
}

/// An object without members.
struct Nothing: Codable, Hashable, Sendable {}

/// OpenIM's `/auth/parse_token`.
struct ParseTokenRequest: Codable, Hashable, Sendable {
    var token: String
}

struct ParsedToken: Codable, Hashable, Sendable {
    var userID: String
    var platformID: PlatformID
    /// Seconds since 1970.
    var expireTimeSeconds: Int64
}

/// OpenIM's `/auth/force_logout`.
struct ForceLogoutRequest: Codable, Hashable, Sendable {
    var userID: String
    var platformID: PlatformID
}
