import Commands
import Foundation
import Kernel
import Logging
import Rights
import Storage

/// One command on its way through the gate, the method and the logs.
struct CommandExecution: Sendable {
    struct Outcome: Sendable {
        var response: CommandResponse
        /// Whether a repeat gets this answer: not so for refusals, because what was refused may be allowed by then.
        var isRemembered: Bool
    }

    let methods: [String: RemoteMethod]
    let skills: Set<String>
    let gate: CommandGate
    let answers: (any AnswerStore)?
    let audit: (any AuditLog)?
    let time: any TimeSource
    let logger: Logger

    func run(_ request: CommandRequest, from caller: Caller) async -> Outcome {
        guard let method = methods[request.method] else {
            return unremembered(unknownMethod(request.method), to: request)
        }
        let risk = gate.risk(of: method)
        if let refusal = await gate.refusal(of: request, to: method, from: caller) {
            return refuse(request, refusal, risk: risk, caller)
        }
        // Nothing privileged is done that could not be logged.
        if risk == .privileged,
            let refusal = await audit?.refusal(ofBeginning: method.name, risk: risk, caller, date: time.date)
        {
            return refuse(request, refusal, risk: risk, caller)
        }
        // Only for callers that a session vouches for: in the clear any device of the network could fill the store.
        guard request.isDurable, risk > .safe, caller.proof == .session, let answers else {
            let response = await perform(method, request, caller, risk: risk)
            return Outcome(response: response, isRemembered: true)
        }
        return await performOnce(method, request, caller, risk: risk, answers)
    }

    /// Whether a device's rights open a method; one that is not served does nothing.
    func mayCall(_ name: String, _ caller: Caller) -> Bool {
        methods[name].map { gate.mayCall($0, caller) } ?? true
    }

    /// A refusal, written down without what was refused.
    func refuse(_ request: CommandRequest, _ refusal: GateRefusal, risk: Risk, _ caller: Caller) -> Outcome {
        logger.debug("command refused", metadata: ["method": "\(request.method)", "code": "\(refusal.code)"])
        // A name that no skill serves is the caller's invention, and as long as the caller likes.
        let method = methods[request.method] == nil ? "unknown" : request.method
        note(.refused(code: refusal.code), method, risk: risk, caller)
        return unremembered(refusal.failure, to: request)
    }

    private func perform(_ method: RemoteMethod, _ request: CommandRequest, _ caller: Caller, risk: Risk) async
        -> CommandResponse
    {
        let result: Result<JSONValue, RemoteFailure>
        do {
            try Task.checkCancellation()
            result = .success(try await method.run(RemoteParameters(request.params), caller))
        } catch  where Task.isCancelled || error is CancellationError {
            result = .failure(RemoteFailure(code: FailureCode.cancelled, message: "The command was cancelled."))
        } catch let failure as RemoteFailure {
            result = .failure(failure)
        } catch {
            result = .failure(RemoteFailure(code: FailureCode.internalError, message: "\(error)"))
        }
        if risk > .safe {
            switch result {
            case .success: note(.done, request.method, risk: risk, caller)
            case .failure(let failure): note(.failed(code: failure.code), request.method, risk: risk, caller)
            }
        }
        return CommandResponse(id: request.id, outcome: result)
    }

    /// Runs a durable command: noted on disk as begun, then done, then its answer kept on disk. A stop in between does not let it be done twice,
    /// unless that is as good as once.
    private func performOnce(
        _ method: RemoteMethod,
        _ request: CommandRequest,
        _ caller: Caller,
        risk: Risk,
        _ answers: any AnswerStore
    ) async -> Outcome {
        do {
            let known = try await withCancellationShield {
                try await answers.begin(request.id, of: request.method, from: caller.id, now: time.date)
            }
            switch known {
            case .answered(let response): return Outcome(response: response, isRemembered: true)
            // However far the program before this one came: done to its end it is as it should be.
            case .begun where method.declaration.isRepeatable: break
            case .begun: return unremembered(Self.outcomeUnknown, to: request)
            case nil: break
            }
        } catch {
            let reason = StorageError.telling(error)
            let message = "The computer could not note the command, so it did nothing. \(reason)"
            return unremembered(RemoteFailure(code: FailureCode.internalError, message: message), to: request)
        }
        let response = await perform(method, request, caller, risk: risk)
        let isDone = if case .success = response.outcome { true } else { false }
        do {
            try await withCancellationShield {
                // A failure is the end of one try: the queue's next one shall run.
                if isDone {
                    try await answers.finish(request.id, from: caller.id, with: response)
                } else {
                    try await answers.forget(request.id, from: caller.id)
                }
            }
        } catch {
            // A repeat will hear that the outcome is unknown, which is then true.
            logger.error("answer of a durable command not kept", metadata: ["reason": "\(error)"])
        }
        return Outcome(response: response, isRemembered: isDone)
    }

    private func note(_ outcome: AuditEntry.Outcome, _ method: String, risk: Risk, _ caller: Caller) {
        audit?.record(AuditEntry(outcome, method, risk: risk, caller, date: time.date))
    }

    private func unremembered(_ failure: RemoteFailure, to request: CommandRequest) -> Outcome {
        Outcome(response: CommandResponse(refusing: request.id, failure), isRemembered: false)
    }

    private static let outcomeUnknown = RemoteFailure(
        code: FailureCode.outcomeUnknown,
        message:
            "The computer stopped while it did this, and does not know how far it came. Look there before you ask again."
    )

    /// The failure for a method without a skill here: it is unsupported if other computers have its skill, else it does not exist.
    private func unknownMethod(_ name: String) -> RemoteFailure {
        let skill = RemoteMethod.namespace(of: name)
        if let entry = gate.registry.entry(ofMethod: name),
            gate.registry.method(name) != nil || !skills.contains(entry.namespace)
        {
            let offer =
                skills.contains(entry.namespace)
                ? "offers \(entry.displayName), but not \(name)" : "does not offer \(entry.displayName) (\(name))"
            return RemoteFailure(
                code: FailureCode.unsupported,
                message: "This computer \(offer). registry.list says what it offers."
            )
        }
        let message =
            skills.contains(skill)
            ? "Unknown method: \(name). This computer serves \(skill), but not that."
            : "Unknown command namespace: \(skill.isEmpty ? name : skill)"
        return RemoteFailure(code: FailureCode.unknownMethod, message: message)
    }
}
