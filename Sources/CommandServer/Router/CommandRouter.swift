package import Commands
package import Kernel
package import Logging
import Rights

/// The only way to any method: every door (session, legacy, bridge) hands its requests to ``answer(_:from:)``.
package actor CommandRouter {
    private struct Asker: Hashable {
        let id: String
        let proof: Caller.Proof
    }

    private struct RequestKey: Hashable {
        let asker: Asker
        let id: String
    }

    private let execution: CommandExecution
    private let gate: CommandGate
    private let time: any TimeSource
    private var running: [RequestKey: (method: String, task: Task<CommandExecution.Outcome, Never>)] = [:]
    private var memories: [Asker: AnswerMemory] = [:]
    private var sweptAt: ContinuousClock.Instant

    /// - Parameters:
    ///   - answers: Where answers of durable commands are kept; nil: only those of the last 30 s, in memory.
    ///   - audit: Who did what; nil: it is not written down.
    ///   - time: Of what the stores write down, and of how long answers are remembered; the gate has its own.
    package init(
        methods: [RemoteMethod],
        logger: Logger,
        gate: CommandGate,
        answers: (any AnswerStore)? = nil,
        audit: (any AuditLog)? = nil,
        time: any TimeSource = .system
    ) {
        execution = CommandExecution(
            methods: Dictionary(methods.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }),
            skills: Set(
                methods.flatMap {
                    [$0.namespace] + [gate.registry.entry(ofMethod: $0.name)?.namespace].compactMap(\.self)
                }
            ),
            gate: gate,
            answers: answers,
            audit: audit,
            time: time,
            logger: logger
        )
        self.gate = gate
        self.time = time
        sweptAt = time.now
    }

    /// Answers a request, or a repeat of one that runs or ran, without doing it twice. A request id is an idempotency key.
    /// Source: `docs/protocol.md`, "Command envelopes".
    package func answer(_ request: CommandRequest, from caller: Caller) async -> CommandResponse {
        // First, so that a stranger who only claims a device's name does not get that device's remembered answer.
        if let refusal = gate.refusal(atDoor: caller) { return refuse(request, refusal, from: caller) }
        let asker = Asker(id: caller.id, proof: caller.proof)
        let key = RequestKey(asker: asker, id: request.id)
        if let known = memories[asker]?.response(to: request.id, now: time.now) { return known }
        if let known = running[key] { return await known.task.value.response }
        let task = Task { [execution] in
            // Its blocking work takes turns with that of other devices.
            await WorkOwner.$device.withValue(caller.id) { await execution.run(request, from: caller) }
        }
        running[key] = (request.method, task)
        let outcome = await task.value
        running[key] = nil
        if outcome.isRemembered { remember(outcome.response, for: asker) }
        return outcome.response
    }

    /// Ends a running command of the same caller, which is then answered with -32002, unless it is done by then.
    ///
    /// - Returns: Whether there was one.
    @discardableResult
    package func cancel(_ cancel: CommandCancel, from caller: Caller) -> Bool {
        let key = RequestKey(asker: Asker(id: caller.id, proof: caller.proof), id: cancel.id)
        guard let known = running[key] else { return false }
        known.task.cancel()
        return true
    }

    /// A device is gone, or may do less: its remembered answers go, and of its commands those end that it may not call any more.
    ///
    /// - Parameter device: With what it still may do; nil: nothing.
    package func revoke(_ caller: String, leaving device: Caller? = nil) {
        memories = memories.filter { $0.key.id != caller }
        for (key, known) in running where key.asker.id == caller {
            if let device, execution.mayCall(known.method, device) { continue }
            known.task.cancel()
        }
    }

    /// The computer's program ends: what runs is answered with -32002.
    package func cancelAll() {
        for known in running.values { known.task.cancel() }
    }

    private func remember(_ response: CommandResponse, for asker: Asker) {
        let now = time.now
        memories[asker, default: AnswerMemory()].insert(response, now: now)
        // Expire the answers of askers that ask no more.
        guard now - sweptAt > AnswerMemory.lifetime else { return }
        sweptAt = now
        for asker in memories.keys { memories[asker]?.removeExpired(now: now) }
        memories = memories.filter { !$0.value.isEmpty }
    }

    private func refuse(_ request: CommandRequest, _ refusal: GateRefusal, from caller: Caller) -> CommandResponse {
        // A stranger is no device of the owner's: its id is only a claim, and the log is for devices.
        guard caller.proof != .stranger, refusal != .tooMany else {
            return CommandResponse(refusing: request.id, refusal.failure)
        }
        return execution.refuse(request, refusal, risk: .safe, caller).response
    }
}
