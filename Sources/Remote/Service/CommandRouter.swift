import Kernel
public import Logging

/// The only way to any method: every door (session, legacy, bridge) hands its requests to ``answer(_:from:)``.
public actor CommandRouter {
    /// Answers kept for repeats. A request id is an idempotency key: a repeat is answered from memory.
    /// Source: `docs/protocol.md`, "Command envelopes".
    private static let rememberedAnswers = 256
    private static let rememberedFor: Duration = .seconds(30)

    private struct RequestKey: Hashable {
        let caller: String
        let id: String
    }

    private let methods: [String: RemoteMethod]
    private let skills: Set<String>
    private let logger: Logger
    private let now: @Sendable () -> ContinuousClock.Instant
    private var running: [RequestKey: Task<CommandResponse, Never>] = [:]
    private var remembered: [RequestKey: (response: CommandResponse, at: ContinuousClock.Instant)] = [:]
    private var rememberedOrder: [RequestKey] = []

    public init(
        methods: [RemoteMethod],
        logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now }
    ) {
        self.methods = Dictionary(methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        skills = Set(methods.map(\.namespace))
        self.logger = logger
        self.now = now
    }

    /// Answers a request, or a repeat of one that runs or ran, without doing it twice.
    public func answer(_ request: CommandRequest, from caller: Caller) async -> CommandResponse {
        let key = RequestKey(caller: caller.id, id: request.id)
        forgetOldAnswers()
        if let known = remembered[key] { return known.response }
        if let task = running[key] { return await task.value }
        if let refusal = refusal(of: request, from: caller) {
            logger.notice("command refused", metadata: ["method": "\(request.method)", "code": "\(refusal.code)"])
            return CommandResponse(id: request.id, outcome: .failure(refusal))
        }
        guard let method = methods[request.method] else {
            return CommandResponse(id: request.id, outcome: .failure(unknownMethod(request.method)))
        }
        if method.risk > .safe {
            logger.notice("command", metadata: ["method": "\(request.method)", "device": "\(caller.id)"])
        }
        let task = Task { await Self.run(method, request, caller) }
        running[key] = task
        let response = await task.value
        running[key] = nil
        remember(response, for: key)
        return response
    }

    private static func run(_ method: RemoteMethod, _ request: CommandRequest, _ caller: Caller) async
        -> CommandResponse
    {
        do {
            let result = try await method.run(RemoteParameters(request.params), caller)
            return CommandResponse(id: request.id, outcome: .success(result))
        } catch let failure as RemoteFailure {
            return CommandResponse(id: request.id, outcome: .failure(failure))
        } catch {
            let failure = RemoteFailure(code: RemoteError.internalCode, message: "\(error)")
            return CommandResponse(id: request.id, outcome: .failure(failure))
        }
    }

    /// The gate: paired and proved is what being a ``Caller`` means; here it is what the phone may do.
    private func refusal(of request: CommandRequest, from caller: Caller) -> RemoteFailure? {
        guard let permission = methods[request.method]?.permission, !caller.allowedSkills.contains(permission) else {
            return nil
        }
        return RemoteFailure(
            code: RemoteError.notAllowedCode,
            message: """
                \(caller.name) may not use \(permission) on this computer. Allow it there with: \
                tandem devices allow \(caller.id) \(permission)
                """
        )
    }

    private func unknownMethod(_ name: String) -> RemoteFailure {
        let skill = RemoteMethod.namespace(of: name)
        let message =
            skills.contains(skill)
            ? "Unknown method: \(name). This computer serves \(skill), but not that."
            : "Unknown command namespace: \(skill.isEmpty ? name : skill)"
        return RemoteFailure(code: RemoteError.unknownMethodCode, message: message)
    }

    private func remember(_ response: CommandResponse, for key: RequestKey) {
        remembered[key] = (response, now())
        rememberedOrder.append(key)
        if rememberedOrder.count > Self.rememberedAnswers {
            remembered[rememberedOrder.removeFirst()] = nil
        }
    }

    private func forgetOldAnswers() {
        let oldest = now() - Self.rememberedFor
        while let key = rememberedOrder.first, let entry = remembered[key], entry.at < oldest {
            rememberedOrder.removeFirst()
            remembered[key] = nil
        }
    }
}
