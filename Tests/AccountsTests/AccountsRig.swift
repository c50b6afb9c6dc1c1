import Accounts
import Capabilities
import Control
import Foundation
import Kernel
import KernelTesting
import Logging
import Principals
import Sealing
import Storage
import Transport

@testable import AccountsHub

/// A hub's accounts in memory, asked through their routes as a server would hand requests to them.
struct AccountsRig {
    static let host = "hub.example"
    static let address = "192.0.2.1"
    /// Hashes in no time.
    static let scrypt = ScryptParameters(exponent: 4, blockSize: 1, parallelism: 1)
    static let password = "correct horse battery"
    static let phone = DeviceDescription(name: "Ada's phone", platformID: .android)

    struct Reply {
        let status: Int
        let fields: [String: String]
        let envelope: IMEnvelope

        var code: IMErrorCode { envelope.errCode }

        func value<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
            try envelope.result().decode(as: Value.self)
        }
    }

    let clock: ManualClock
    /// Lasts longer than the accounts, as a disk does.
    let stores: FeatureStores
    let accounts: Accounts
    let feature: AccountsFeature
    let control: ControlTable
    private let routes: [String: HTTPRoute]
    private let migrations: [Migration]

    init(
        _ admission: Admission = .anybody,
        scrypt: ScryptParameters = Self.scrypt,
        isFindable: Bool = true,
        removals: [AccountRemoval] = [],
        migrations: [Migration] = []
    ) throws {
        var policy = AccountsPolicy(admission: admission, scrypt: scrypt)
        policy.isFindable = isFindable
        try self.init(
            policy: policy,
            removals: removals,
            migrations: migrations,
            clock: ManualClock(),
            stores: FeatureStores(nil, shared: StateDatabase.inMemory(schema: []))
        )
    }

    private init(
        policy: AccountsPolicy,
        removals: [AccountRemoval],
        migrations: [Migration],
        clock: ManualClock,
        stores: FeatureStores
    ) throws {
        self.clock = clock
        self.stores = stores
        self.migrations = migrations
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let context = FeatureContext(
            storage: try stores.storage(of: "accounts", own: AccountTables.migrations + migrations),
            version: "1",
            time: clock,
            logger: logger
        )
        accounts = try Accounts(context, policy: policy, removals: removals)
        feature = AccountsFeature(accounts, logger: logger)
        control = ControlTable(feature.controlRoutes)
        routes = Dictionary(
            uniqueKeysWithValues: try feature.serverRoutes().http.map { ($0.path.description, $0) }
        )
    }

    /// The next process on the same disk.
    func restarted(scrypt: ScryptParameters = Self.scrypt) throws -> AccountsRig {
        var policy = accounts.policy
        policy.scrypt = scrypt
        return try AccountsRig(
            policy: policy,
            removals: accounts.removals,
            migrations: migrations,
            clock: clock,
            stores: stores
        )
    }

    // MARK: Requests

    func post(
        _ endpoint: AccountEndpoint,
        _ body: some Encodable = [String: String](),
        token: String? = nil,
        header: String = "token",
        host: String = Self.host,
        from address: String = Self.address
    ) async throws -> Reply {
        try await post(
            endpoint,
            bytes: JSONValue(encoding: body).canonicalBytes,
            fields: token.map { [(header, $0)] } ?? [],
            host: host,
            from: address
        )
    }

    func post(
        _ endpoint: AccountEndpoint,
        bytes: [UInt8],
        fields: [(name: String, value: String)] = [],
        host: String = Self.host,
        from address: String = Self.address
    ) async throws -> Reply {
        struct NoRoute: Error {}
        guard let route = routes[endpoint.path] else { throw NoRoute() }
        let request = RouteRequest(
            method: "POST",
            target: endpoint.path,
            host: host,
            clientAddress: address,
            fields: fields
        )
        let pieces = LockedPieces([bytes])
        let response = try await route.handler(
            request,
            HTTPRequestBody(limit: route.maximumBodyBytes) { pieces.next() }
        )
        guard case .bytes(let answer) = response.body else { throw NoRoute() }
        return Reply(
            status: response.status,
            fields: Dictionary(response.fields.map { ($0.name, $0.value) }) { first, _ in first },
            envelope: try JSONValue(parsing: answer).decode(as: IMEnvelope.self)
        )
    }

    /// Asks for a challenge and signs a request with it.
    func signed<Request: ProvenRequest>(
        _ request: Request,
        by identity: Identity,
        host: String = Self.host
    ) async throws -> Request {
        let told: Challenge = try await post(.challenge, ChallengeRequest(did: identity.did.text)).value()
        var request = request
        try request.prove(by: identity, challenge: told.challenge, host: host)
        return request
    }

    /// Makes an account with a password.
    func register(_ name: String, invitation: String? = nil) async throws -> AccountSession {
        let request = RegisterRequest(
            name: name,
            password: Self.password,
            device: Self.phone,
            invitation: invitation
        )
        return try await post(.register, request).value()
    }

    /// Makes an account with a key.
    func register(_ name: String, by identity: Identity) async throws -> AccountSession {
        let request = try await signed(RegisterRequest(name: name, device: Self.phone), by: identity)
        return try await post(.register, request).value()
    }

    func login(_ name: String, password: String = Self.password, from address: String = Self.address) async throws
        -> Reply
    {
        try await post(.login, LoginRequest(name: name, password: password, device: Self.phone), from: address)
    }

    /// The person who shows a token.
    func asker(_ session: AccountSession) async throws -> Asker {
        try await accounts.asker(showing: session.accessToken).get()
    }

    /// The code with which a token is refused; nil for one that holds.
    func refusal(of token: String) async -> AccountsError? {
        switch await accounts.asker(showing: token) {
        case .success: nil
        case .failure(let error): error
        }
    }

    /// The keys that sign access tokens, as they stand in their file.
    func tokenKeys() throws -> [TokenKey] {
        let storage = try stores.storage(of: "accounts", own: AccountTables.migrations + migrations)
        let bytes = try StateFolder(at: storage.folder()).readKey("access-tokens") ?? []
        return try JSONValue(parsing: bytes).decode(as: TokenKeyFile.self).keys
    }
}

/// Pieces of a body, for one reader.
private final class LockedPieces: Sendable {
    private let pieces: LatestValue<[[UInt8]]>

    init(_ pieces: [[UInt8]]) { self.pieces = LatestValue(pieces) }

    func next() -> [UInt8]? {
        var taken: [UInt8]?
        pieces.update { pieces in taken = pieces.isEmpty ? nil : pieces.removeFirst() }
        return taken
    }
}
