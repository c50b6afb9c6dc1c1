package import Commands
package import Kernel
package import Logging
package import Rights
import Synchronization

/// The reader of a session's binary messages that begin with its byte. JSON begins with an opening brace, so that no frame does.
package struct FrameRoute: Sendable {
    package let firstByte: UInt8
    /// Reads one, and does nothing of it. Nil for one that is dropped.
    package let read: @Sendable (_ frame: [UInt8]) -> FrameRequest?

    package init(firstByte: UInt8, read: @escaping @Sendable (_ frame: [UInt8]) -> FrameRequest?) {
        self.firstByte = firstByte
        self.read = read
    }
}

/// One call in its binary form. The declared method that it stands for says what it needs, and what the log calls it.
package struct FrameRequest: Sendable {
    package let method: MethodDeclaration
    /// How many bytes it holds or asks for.
    package let cost: Int
    /// Does it. Nil where nothing is answered.
    package let run: @Sendable (Caller) async throws -> FrameAnswer?
    /// The frame that says why it was not done; nil where that is not said.
    package let refusal: @Sendable (RemoteFailure) -> [UInt8]?

    package init(
        _ method: MethodDeclaration,
        cost: Int,
        run: @escaping @Sendable (Caller) async throws -> FrameAnswer?,
        refusal: @escaping @Sendable (RemoteFailure) -> [UInt8]?
    ) {
        self.method = method
        self.cost = cost
        self.run = run
        self.refusal = refusal
    }
}

/// The answer to a frame.
package struct FrameAnswer: Sendable {
    package let bytes: [UInt8]
    /// What the device must be allowed to be sent it.
    package let right: Right

    package init(_ bytes: [UInt8], needing right: Right) {
        self.bytes = bytes
        self.right = right
    }
}

/// The only way for binary messages to features: through the same gate, limits and log as commands.
/// Source: `docs/protocol.md`, "Who may do what" and "Frames".
package final class FrameDoor: Sendable {
    /// Bytes of one device that are under way at a time, in all features together.
    package static let bytesAtATime = 8 << 20
    /// The least that a frame counts: its task and its answer take memory however few bytes it is about.
    package static let leastCost = 4096

    private let routes: [UInt8: FrameRoute]
    private let gate: CommandGate
    private let audit: (any AuditLog)?
    private let outlet: any DeviceOutlet
    private let time: any TimeSource
    private let logger: Logger
    private let tasks = OwnedTasks()

    private struct Load {
        var bytes: [String: Int] = [:]
        /// The devices to which a refusal is on its way.
        var refusing: Set<String> = []
    }

    private let load = Mutex(Load())

    /// - Parameters:
    ///   - routes: Where several have one byte, the first holds.
    ///   - audit: Who did what; nil: it is not written down.
    package init(
        _ routes: [FrameRoute],
        gate: CommandGate,
        audit: (any AuditLog)? = nil,
        outlet: any DeviceOutlet,
        time: any TimeSource = .system,
        logger: Logger
    ) {
        self.routes = Dictionary(routes.map { ($0.firstByte, $0) }, uniquingKeysWith: { first, _ in first })
        self.gate = gate
        self.audit = audit
        self.outlet = outlet
        self.time = time
        self.logger = logger
    }

    /// Whether a message is a frame of a feature here.
    package func takes(_ message: [UInt8]) -> Bool { message.first.map { routes[$0] != nil } ?? false }

    /// Takes a message for which ``takes(_:)`` is true. Returns at once: the work is done beside the session's other messages.
    package func take(_ frame: [UInt8], from caller: Caller) {
        // Frames are messages of a session. Outside of a session the sender is unproved, so it gets no answer.
        guard caller.proof == .session, let route = frame.first.flatMap({ routes[$0] }), let request = route.read(frame)
        else { return }
        // Before its room is looked at: what may not be done does not look like something that may be tried again.
        if let refusal = gate.refusal(ofFrame: request.method, from: caller) {
            return refuse(request, refusal.failure, isLogged: refusal != .tooMany, caller)
        }
        let cost = max(request.cost, Self.leastCost)
        let hasRoom = load.withLock { load in
            guard load.bytes[caller.id, default: 0] + cost <= Self.bytesAtATime else { return false }
            load.bytes[caller.id, default: 0] += cost
            return true
        }
        guard hasRoom else { return refuse(request, Self.busy, isLogged: false, caller) }
        tasks.add { [self] in
            // Its blocking work takes turns with that of other devices.
            await WorkOwner.$device.withValue(caller.id) { await run(request, caller) }
            load.withLock { load in
                let rest = load.bytes[caller.id, default: 0] - cost
                load.bytes[caller.id] = rest > 0 ? rest : nil
            }
        }
    }

    /// Ends what is under way.
    package func close() async { await tasks.end() }

    private static let busy = RemoteFailure(
        code: FailureCode.busy,
        message: "More was sent than this computer takes from a device at a time. Wait for what is under way."
    )

    private func run(_ request: FrameRequest, _ caller: Caller) async {
        let risk = gate.risk(of: request.method, named: request.method.name)
        // Nothing privileged is done that could not be logged.
        if risk == .privileged,
            let refusal = await audit?.refusal(ofBeginning: request.method.name, risk: risk, caller, date: time.date)
        {
            return await send(request.refusal(refusal.failure), needing: nil, to: caller)
        }
        do {
            let answer = try await request.run(caller)
            if risk > .safe { note(.done, request, caller) }
            await send(answer?.bytes, needing: answer?.right, to: caller)
        } catch {
            let failure = Self.failure(error)
            if risk > .safe { note(.failed(code: failure.code), request, caller) }
            await send(request.refusal(failure), needing: nil, to: caller)
        }
    }

    private static func failure(_ error: any Error) -> RemoteFailure {
        if let failure = error as? RemoteFailure { return failure }
        let code = (error as? any ClassifiedError)?.facts.code ?? FailureCode.internalError
        return RemoteFailure(code: code, message: "\(error)")
    }

    /// A refused frame costs as little as can be: a flood of them must not become a queue of answers.
    private func refuse(_ request: FrameRequest, _ failure: RemoteFailure, isLogged: Bool, _ caller: Caller) {
        guard load.withLock({ $0.refusing.insert(caller.id).inserted }) else { return }
        if isLogged { note(.refused(code: failure.code), request, caller) }
        tasks.add { [self] in
            await send(request.refusal(failure), needing: nil, to: caller)
            load.withLock { _ = $0.refusing.remove(caller.id) }
        }
    }

    private func send(_ frame: [UInt8]?, needing right: Right?, to caller: Caller) async {
        guard let frame else { return }
        do {
            try await outlet.send(frame: frame, needing: right, to: caller.id)
        } catch {
            // The phone is gone; it asks again for what it has no answer to.
            logger.debug("a frame did not reach its phone", metadata: ["device": "\(caller.id)"])
        }
    }

    private func note(_ outcome: AuditEntry.Outcome, _ request: FrameRequest, _ caller: Caller) {
        let risk = gate.risk(of: request.method, named: request.method.name)
        audit?.record(AuditEntry(outcome, request.method.name, risk: risk, caller, date: time.date))
    }
}
