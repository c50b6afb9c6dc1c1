import Commands
package import Kernel
package import Rights
import Sealing
import Storage
import Synchronization

/// The only way to any skill, whatever door a command came through: paired, proved, fresh, not too often, allowed.
/// Source: `docs/protocol.md`, "Who may do what".
package final class CommandGate: Sendable {
    /// How far a signed request's time may lie from ours.
    private static let freshness: Int64 = 300_000
    private static let bucketLimit = 1024

    private enum BucketKey: Hashable {
        case session(String)
        case token(String)
        case clearDoor(String)
        case clear(String)
        case clearPrivileged(String)
        case clearStep(String, of: String)
        /// They choose their ids, so they share one.
        case strangers
    }

    package let registry: RemoteSkillRegistry
    /// The permission for a method that the registry on disk says is privileged and that names no right of its own.
    private let highest: Permission
    private let nonces: any NonceStore
    private let limits: GateLimits
    private let time: any TimeSource
    private let buckets = Mutex<[BucketKey: TokenBucket]>([:])

    package init(
        registry: RemoteSkillRegistry = .builtIn,
        rights: RightsCatalogue,
        nonces: any NonceStore = MemoryNonceStore(),
        limits: GateLimits = GateLimits(),
        time: any TimeSource = .system
    ) {
        self.registry = registry
        highest = rights.highest.map { Permission($0) } ?? Permission(anyOf: [], group: "privileged")
        self.nonces = nonces
        self.limits = limits
        self.time = time
    }

    /// Refuses a caller who may not ask at all, and one who asks too often. Comes before anything is looked up for the caller.
    func refusal(atDoor caller: Caller) -> GateRefusal? {
        switch caller.proof {
        case .session: take(limits.session, .session(caller.id)) ? nil : .tooMany
        case .token: take(limits.token, .token(caller.id)) ? nil : .tooMany
        case .clear: take(limits.clearDoor, .clearDoor(caller.id)) ? nil : .tooMany
        case .unsealed: take(limits.strangers, .strangers) ? .sealingRequired : .tooMany
        case .stranger: take(limits.strangers, .strangers) ? .notPaired : .tooMany
        }
    }

    /// The reason why a caller at the door may not call a method; nil where it may.
    func refusal(of request: CommandRequest, to method: RemoteMethod, from caller: Caller) async -> GateRefusal? {
        let risk = risk(of: method)
        let step = ClearStep(request, method.declaration)
        if caller.proof == .clear {
            let isInTime =
                if let step { take(limits.clearStep, .clearStep(caller.id, of: step.id)) } else {
                    take(limits.clear, .clear(caller.id))
                }
            guard isInTime else { return .tooMany }
        }
        if caller.proof == .token { return refusal(ofToken: caller, method, risk: risk) }
        if let permission = permission(for: method.declaration, risk: risk), !caller.may(permission) {
            return .notAllowed(name: caller.name, permission: permission.name)
        }
        guard caller.proof != .session else { return nil }
        switch await proof(of: request, from: caller) {
        case .failure(let refusal): return refusal
        case .success(let isSigned):
            guard risk == .privileged else { return nil }
            let permission = permission(for: method.declaration, risk: risk) ?? highest
            guard isSigned || caller.mayUnsigned(permission) else {
                return .signatureRequired(method: method.name, name: caller.name, permission: permission.name)
            }
            return step != nil || take(limits.clearPrivileged, .clearPrivileged(caller.id)) ? nil : .tooMany
        }
    }

    /// Whether a device's rights open the method, as far as the method alone says.
    func mayCall(_ method: RemoteMethod, _ caller: Caller) -> Bool {
        let risk = risk(of: method)
        if caller.proof == .token { return refusal(ofToken: caller, method, risk: risk) == nil }
        return permission(for: method.declaration, risk: risk).map { caller.may($0) } ?? true
    }

    /// A token opens what one of its rights is named for, and nothing of what is every paired phone's: it is no paired phone.
    private func refusal(ofToken caller: Caller, _ method: RemoteMethod, risk: Risk) -> GateRefusal? {
        let permission = permission(for: method.declaration, risk: risk)
        if let permission, caller.may(permission) { return nil }
        return .notForToken(name: caller.name, permission: permission?.name ?? method.name)
    }

    /// The reason why a device of a session may not have done what a method does, asked for by a frame; nil where it may.
    func refusal(ofFrame method: MethodDeclaration, from caller: Caller) -> GateRefusal? {
        if let refusal = refusal(atDoor: caller) { return refusal }
        guard let permission = permission(for: method, risk: risk(of: method, named: method.name)),
            !caller.may(permission)
        else { return nil }
        return .notAllowed(name: caller.name, permission: permission.name)
    }

    /// The method's own risk, or the registry's for it when that is higher: what is on disk can only tighten.
    func risk(of method: RemoteMethod) -> Risk { risk(of: method.declaration, named: method.name) }

    /// - Parameter name: The one of the method's names that was called.
    func risk(of method: MethodDeclaration, named name: String) -> Risk {
        max(method.risk, registry.riskOverride(of: name) ?? method.risk)
    }

    /// The permission that a method needs. No privileged method is open to every paired device: one that names no right needs the highest.
    private func permission(for method: MethodDeclaration, risk: Risk) -> Permission? {
        method.permission ?? (risk == .privileged ? highest : nil)
    }

    /// Whether a documented-only device signed; what it signed has to hold.
    private func proof(of request: CommandRequest, from caller: Caller) async -> Result<Bool, GateRefusal> {
        guard let auth = request.auth else { return .success(false) }
        if let did = auth.did, did != caller.id { return .failure(.otherIdentity) }
        // A time is checked also when it is not signed: a command that waited somewhere for hours is not wanted any more.
        if let timestamp = auth.timestamp, !isFresh(timestamp) { return .failure(.notFresh) }
        // Other kinds of DID name no key that could be checked: they are known by the server's word alone, as if unsigned.
        guard auth.signature != nil, let did = try? DID(caller.id), let key = did.signingKey else {
            return await unsigned(auth, from: caller)
        }
        guard auth.did != nil else { return .failure(.incompleteProof(missing: "did")) }
        guard let timestamp = auth.timestamp else { return .failure(.incompleteProof(missing: "timestamp")) }
        guard let nonce = auth.nonce else { return .failure(.incompleteProof(missing: "nonce")) }
        let texts = CommandAuth.signedTexts(method: request.method, timestamp: timestamp, nonce: nonce)
        guard let signature = auth.signatureBytes, texts.contains(where: { key.verifies(signature, of: $0) }) else {
            return .failure(.wrongSignature)
        }
        // Last, so that only what was really signed fills the store.
        return await used(nonce, by: caller).map { .failure($0) } ?? .success(true)
    }

    private func unsigned(_ auth: CommandAuth, from caller: Caller) async -> Result<Bool, GateRefusal> {
        guard let nonce = auth.nonce else { return .success(false) }
        return await used(nonce, by: caller).map { .failure($0) } ?? .success(false)
    }

    private func used(_ nonce: String, by caller: Caller) async -> GateRefusal? {
        do {
            return try await nonces.use(nonce, by: caller.id, now: time.date) ? nil : .replayed
        } catch {
            return .nonceNotKept(reason: "\(StorageError.telling(error))")
        }
    }

    private func isFresh(_ timestamp: Int64) -> Bool {
        let (distance, overflowed) = time.date.millisecondsSince1970.subtractingReportingOverflow(timestamp)
        return !overflowed && distance.magnitude <= Self.freshness.magnitude
    }

    private func take(_ rate: GateLimits.Rate, _ key: BucketKey) -> Bool {
        let now = time.ticks
        return buckets.withLock { buckets in
            if buckets[key] == nil {
                if buckets.count >= Self.bucketLimit { buckets = buckets.filter { !$0.value.isFull(now: now) } }
                buckets[key] = TokenBucket(capacity: rate.burst, refillPerSecond: rate.perSecond, now: now)
            }
            return buckets[key]?.take(now: now) ?? false
        }
    }
}
