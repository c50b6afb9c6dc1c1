public import Accounts
public import Kernel
public import Sealing
public import WebClient

/// A device's account at a hub: made or signed in to once, and kept until the person signs out. A device has one account at a time.
///
/// Every method throws ``AccountClientError``, and what is wrong with the database.
public actor AccountClient {
    /// An access token, as long as it is good.
    private struct Access {
        var token: String
        /// When it is renewed, a while before it ends.
        var renewal: ContinuousClock.Instant
    }

    /// How long before its end a token is renewed: a request has to arrive and be checked with it.
    private static let margin = Duration.seconds(60)
    /// The refusals after which the session is over, and not only its access token.
    private static let endings: Set<IMErrorCode> = [.tokenKicked, .tokenNotExisting]
    /// The refusals of an access token that a new one may mend.
    private static let stale: Set<IMErrorCode> = [.tokenExpired, .tokenUnknown, .tokenInvalid, .tokenMalformed]

    private let web: any WebClient
    private let identity: Identity
    private let store: AccountStore
    private let device: DeviceDescription
    private let time: any TimeSource
    private nonisolated let changed = Broadcaster<Void>(capacity: 1)
    private var access: Access?
    /// The renewal that is under way: whoever needs a token waits for the same.
    private var renewing: Task<String, any Error>?

    /// - Parameters:
    ///   - identity: Signs where no password is used.
    ///   - device: How this device stands in the account's list of devices.
    public init(
        web: any WebClient,
        identity: Identity,
        store: AccountStore,
        device: DeviceDescription,
        time: any TimeSource = .system
    ) {
        self.web = web
        self.identity = identity
        self.store = store
        self.device = device
        self.time = time
    }

    /// Tells of each change of the account, for one reader that asks again then.
    public nonisolated func changes() -> AsyncStream<Void> { changed.subscribe() }

    /// The account that this device is signed in to; nil for none.
    public func account() async throws -> KnownAccount? { try await store.load()?.account }

    /// Makes an account and signs in to it. Asked again after a lost answer, it signs in.
    ///
    /// - Parameters:
    ///   - hub: The hub's address; its path is not used.
    ///   - password: Nil for an account that this device's key opens.
    ///   - invitation: Where the hub asks for one.
    public func register(
        at hub: WebURL,
        name: String,
        nickname: String? = nil,
        password: String? = nil,
        invitation: InvitationCode? = nil
    ) async throws -> KnownAccount {
        let accounts = try await newcomer(at: hub)
        let request = RegisterRequest(
            name: name,
            nickname: nickname,
            password: password,
            device: device,
            invitation: invitation?.digits
        )
        let session: AccountSession =
            if password == nil {
                try await accounts.prove(.register, request, by: identity)
            } else {
                try await accounts.post(.register, request)
            }
        return try await begin(session, at: accounts.hub)
    }

    /// Signs in, by this device's key or by name and password.
    ///
    /// - Parameter name: Needed with a password; with the key the account that it has to be of.
    public func login(at hub: WebURL, name: String? = nil, password: String? = nil) async throws -> KnownAccount {
        let accounts = try await newcomer(at: hub)
        let request = LoginRequest(name: name, password: password, device: device)
        let session: AccountSession =
            if password == nil {
                try await accounts.prove(.login, request, by: identity)
            } else {
                try await accounts.post(.login, request)
            }
        return try await begin(session, at: accounts.hub)
    }

    /// An access token that is good for a minute at least, for requests of other features to the hub.
    public func token() async throws -> String {
        if let access, time.now < access.renewal { return access.token }
        if let renewing { return try await renewing.value }
        let task = Task { try await renew() }
        renewing = task
        defer { renewing = nil }
        return try await task.value
    }

    /// An access token in place of one that the hub refused, also where it should be good still. Several callers wait for the same renewal.
    ///
    /// - Throws: ``AccountClientError/signedOut(name:hub:)`` where the session is over: the device has forgotten it then.
    public func token(replacing refused: String) async throws -> String {
        // Another caller may have renewed it meanwhile.
        if access?.token == refused { access = nil }
        return try await token()
    }

    /// What the hub knows of the person.
    public func me() async throws -> OwnAccount { try await ask(.me, [String: String]()) }

    /// Changes what is given, and keeps the nickname that the hub made of it.
    ///
    /// - Returns: The account afterwards.
    @discardableResult
    public func change(_ profile: ProfileRequest) async throws -> KnownAccount {
        let own: OwnAccount = try await ask(.profile, profile)
        guard let account = try await store.load()?.account, account.user.number == own.uid else {
            throw AccountClientError.notSignedIn
        }
        guard account.nickname != own.nickname else { return account }
        try await store.rename(own.nickname, of: account)
        changed.send(())
        return account.renamed(own.nickname)
    }

    /// Who has a name at the hub.
    ///
    /// - Parameter name: The whole name, as a person types it.
    public func find(_ name: String) async throws -> FoundAccount {
        try await ask(.find, FindAccountRequest(name: name))
    }

    /// Sets a password, or another one. Other devices are signed out by it.
    ///
    /// - Parameter old: The one before; nil where the account had none.
    public func setPassword(_ new: String, old: String?) async throws {
        let _: JSONValue = try await ask(.password, PasswordRequest(old: old, new: new))
    }

    public func devices() async throws -> [AccountDevice] {
        let list: AccountDeviceList = try await ask(.devices, [String: String]())
        return list.devices
    }

    /// Signs another device out, and takes its key from the account.
    ///
    /// - Parameter id: Of ``AccountDevice/device``.
    public func end(device id: String) async throws {
        let _: JSONValue = try await ask(.endDevice, EndDeviceRequest(device: id))
    }

    /// Signs this device out. A hub that is not reached is told nothing: its session ends by itself after months, or from another device.
    ///
    /// - Returns: Whether the hub was told.
    public func logout() async throws -> Bool {
        guard try await store.load() != nil else { throw AccountClientError.notSignedIn }
        var isTold = true
        do {
            let _: JSONValue = try await ask(.logout, [String: String]())
        } catch AccountClientError.signedOut {
            return true
        } catch is AccountClientError {
            isTold = false
        }
        try await forget()
        return isTold
    }

    /// Deletes the account with everything that the hub keeps of the person.
    ///
    /// - Parameter name: The account's own, as the person types it to confirm.
    public func delete(confirming name: String) async throws {
        let _: JSONValue = try await ask(.delete, DeleteAccountRequest(name: name))
        try await forget()
    }

    private func newcomer(at hub: WebURL) async throws -> HubAccounts {
        if let known = try await store.load()?.account {
            throw AccountClientError.alreadySignedIn(name: known.name, hub: known.hub.origin)
        }
        guard HubAddress.isSafe(hub) else { throw AccountClientError.unsafeAddress(hub.origin) }
        do throws(WebClientError) {
            return HubAccounts(web: web, hub: try WebURL(hub.base))
        } catch {
            throw AccountClientError.unreachable(error)
        }
    }

    private func begin(_ session: AccountSession, at hub: WebURL) async throws -> KnownAccount {
        guard let user = UserID(session.uid), let refreshToken = session.refreshToken else {
            throw AccountClientError.brokenAnswer(hub: hub.origin)
        }
        let account = KnownAccount(
            hub: hub,
            user: user,
            name: session.name,
            nickname: session.nickname,
            device: session.device
        )
        guard try await store.add(.init(account: account, refreshToken: refreshToken)) else {
            // Another call was quicker.
            throw AccountClientError.alreadySignedIn(name: account.name, hub: hub.origin)
        }
        take(session)
        changed.send(())
        return account
    }

    private func take(_ session: AccountSession) {
        // Half of the life of a token that is shorter than the margin.
        let life = Duration.seconds(min(max(session.expiresIn, 0), 86_400))
        access = Access(token: session.accessToken, renewal: time.now + max(life - Self.margin, life / 2))
    }

    private func renew() async throws -> String {
        guard let record = try await store.load() else { throw AccountClientError.notSignedIn }
        let accounts = HubAccounts(web: web, hub: record.account.hub)
        let session: AccountSession
        do {
            session = try await accounts.post(.refresh, RefreshRequest(refreshToken: record.refreshToken))
        } catch AccountClientError.refused(let failure) where Self.endings.contains(failure.code) {
            throw try await over(record.account)
        }
        // The replacement is kept before the access token is used: the one before it stays good for a while, should this device end here.
        if let refreshToken = session.refreshToken, refreshToken != record.refreshToken {
            try await store.replace(refreshToken: refreshToken, of: record.account)
        }
        // The person may have signed out meanwhile.
        guard try await store.load()?.account.device == record.account.device else {
            throw AccountClientError.notSignedIn
        }
        take(session)
        return session.accessToken
    }

    /// Asks with a token, and once more where the hub does not know it any more.
    private func ask<Answer: Decodable & Sendable>(
        _ endpoint: AccountEndpoint,
        _ body: some Encodable & Sendable
    ) async throws -> Answer {
        guard let account = try await store.load()?.account else { throw AccountClientError.notSignedIn }
        let accounts = HubAccounts(web: web, hub: account.hub)
        let token = try await token()
        do {
            return try await accounts.post(endpoint, body, token: token)
        } catch AccountClientError.refused(let failure) where Self.stale.contains(failure.code) {
            return try await accounts.post(endpoint, body, token: try await self.token(replacing: token))
        } catch AccountClientError.refused(let failure) where Self.endings.contains(failure.code) {
            throw try await over(account)
        }
    }

    /// The session is over, so nothing of it is kept.
    private func over(_ account: KnownAccount) async throws -> AccountClientError {
        try await forget()
        return .signedOut(name: account.name, hub: account.hub.origin)
    }

    private func forget() async throws {
        access = nil
        try await store.remove()
        changed.send(())
    }
}
