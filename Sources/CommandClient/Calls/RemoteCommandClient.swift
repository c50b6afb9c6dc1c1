package import Commands
import Foundation
package import Kernel

/// Sends commands to one desktop and gives each caller its own answer.
package actor RemoteCommandClient {
    /// Answers that one peer may owe us at a time.
    package static let waitingLimit = 256
    /// Bytes of all results together that may be on their way in pieces.
    package static let streamedLimit = 2 * RemoteStreamReceiver.byteLimit

    /// One request that has no answer yet.
    private struct Call {
        /// Tells it from a later call under the same id.
        let number: UInt64
        let request: CommandRequest
        let timeout: Duration
        /// A new program of the desktop is asked again what the one before did not answer.
        let isRepeated: Bool
        let caller: CheckedContinuation<JSONValue, any Error>
        /// Ends with true once the request was handed over.
        let sending: Task<Bool, Never>
        /// When the desktop was silent for too long.
        var deadline: ContinuousClock.Instant
        /// The receiver while the result comes in pieces; else nil.
        var stream: RemoteStreamReceiver?
    }

    private let mobileDID: String
    private let time: any TimeSource
    private let send: @Sendable (JSONValue) async throws -> Void
    private let whileWaiting: @Sendable (Bool) -> Void
    private let explain: @Sendable (RemoteFailure) -> String?
    private var calls: [String: Call] = [:]
    private var lastNumber: UInt64 = 0
    /// The request that each stream answers.
    private var streams: [String: String] = [:]
    /// Messages that are sent beside the calls: cancels and repeats.
    private let errands = OwnedTasks()
    /// One timer serves all calls: a thousand begin and end in the time of one. A spurious wake-up only rescans.
    private var timer = DeadlineTimer()

    /// - Parameters:
    ///   - time: Measures how long an answer may take. Stands while the machine sleeps, so that no call ends by a sleep.
    ///   - whileWaiting: Told true when the first answer is waited for, and false when there is none left. Returns at once.
    ///   - explain: The sentence for a refusal whose text is a word for programs; nil for any other.
    ///   - send: Hands one envelope to the link that carries it to the desktop.
    package init(
        mobileDID: String,
        time: any TimeSource = .awake,
        whileWaiting: @escaping @Sendable (Bool) -> Void = { _ in },
        explain: @escaping @Sendable (RemoteFailure) -> String? = { _ in nil },
        send: @escaping @Sendable (JSONValue) async throws -> Void
    ) {
        self.mobileDID = mobileDID
        self.time = time
        self.whileWaiting = whileWaiting
        self.explain = explain
        self.send = send
    }

    /// - Parameters:
    ///   - timeout: Source of the default: `docs/protocol.md`, "Command envelopes".
    ///   - isRepeatable: Doing it twice is as good as once: where the desktop's program ends before it has answered, the next one is
    ///     asked again.
    /// - Throws: ``RemoteFailure`` when the desktop refused; ``RemoteError`` when no answer came.
    package func invoke(
        _ method: String,
        _ params: JSONValue = .object([:]),
        timeout: Duration = .seconds(30),
        isRepeatable: Bool = false
    ) async throws -> JSONValue {
        let request = CommandRequest(id: UUID.randomText(), method: method, params: params)
        return try await invoke(request, timeout: timeout, isRepeatable: isRepeatable)
    }

    /// Sends a request under the id that it has: one that was sent before is the same request, and is not done twice.
    ///
    /// A caller that is cancelled tells the desktop so, unless the request is durable: that is to be done all the same.
    ///
    /// - Parameter timeout: How long the desktop may be silent: until the answer, and between the pieces of a large one.
    /// - Throws: ``RemoteFailure`` when the desktop refused; ``RemoteError`` when no answer came; `CancellationError`.
    package func invoke(
        _ request: CommandRequest,
        timeout: Duration = .seconds(30),
        isRepeatable: Bool = false
    ) async throws -> JSONValue {
        try RemoteArguments.check(request, timeout: timeout)
        guard calls[request.id] == nil else {
            throw RemoteError.invalidArgument("a call under the id \(request.id) waits already")
        }
        guard calls.count < Self.waitingLimit else { throw RemoteError.tooManyWaiting(limit: Self.waitingLimit) }
        lastNumber += 1
        let number = lastNumber
        let request = CommandRequest(
            id: request.id,
            method: request.method,
            params: request.params,
            isDurable: request.isDurable,
            acceptsStream: true
        )
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { caller in
                guard !Task.isCancelled else { return caller.resume(throwing: CancellationError()) }
                // The answer may come before `send` returns, so the wait is in place first.
                let deadline = time.now + timeout
                // Before the request goes out, so that the link that carries it is watched from then on.
                if calls.isEmpty { whileWaiting(true) }
                calls[request.id] = Call(
                    number: number,
                    request: request,
                    timeout: timeout,
                    isRepeated: isRepeatable || request.isDurable,
                    caller: caller,
                    sending: sending(request, number),
                    deadline: deadline
                )
                setTimer(to: deadline)
            }
        } onCancel: {
            Task { await self.cancel(request.id, number) }
        }
    }

    /// Takes a message from the desktop. True when it was an answer or a part of one, ours or a late one.
    package func receive(_ envelope: JSONValue) -> Bool {
        if RemoteStreamMessage.isStream(envelope) {
            if let message = RemoteStreamMessage(envelope: envelope) { take(message) }
            return true
        }
        guard envelope["type"]?.stringValue == CommandResponse.type else { return false }
        // An unreadable answer names no request, so no caller can be told: the caller's timeout ends the wait.
        guard let response = try? CommandResponse(envelope: envelope), let call = calls[response.id] else {
            return true
        }
        // The answer is coming in pieces already: a repeat of its announcement adds nothing.
        guard call.stream == nil else { return true }
        if case .success(let result) = response.outcome, let announcement = RemoteStreamAnnouncement(result: result) {
            begin(announcement, for: call)
        } else {
            finish(response.id, response.outcome.mapError(explained))
        }
        return true
    }

    /// The desktop's program was started anew, and may know nothing of what it was asked. Durable requests are repeated, which is
    /// safe; whether the others were done is unknown, so they wait on. Pieces that are missing do not come any more.
    package func desktopRestarted() {
        for (id, call) in calls {
            if let stream = call.stream {
                guard call.isRepeated else {
                    fail(id, RemoteError.notConnected)
                    continue
                }
                streams[stream.announcement.id] = nil
                calls[id]?.stream = nil
            }
            guard call.isRepeated else { continue }
            let envelope = call.request.envelope(mobileDID: mobileDID)
            errands.add { [send] in
                // An unsent request goes to the new program anyway; where this fails, the timeout ends the wait.
                if await call.sending.value { try? await send(envelope) }
            }
        }
    }

    /// The link that carries the requests learned that this one did not arrive: ends its caller's wait.
    package func undelivered(_ id: String, because error: any Error) { fail(id, error) }

    /// Ends every wait: the connection is gone for good.
    package func close() async {
        for id in calls.keys { fail(id, RemoteError.notConnected) }
        timer.cancel()
        await errands.end()
    }

    // MARK: One call

    private func explained(_ failure: RemoteFailure) -> any Error {
        var failure = failure
        failure.explanation = explain(failure)
        return failure
    }

    private func sending(_ request: CommandRequest, _ number: UInt64) -> Task<Bool, Never> {
        let envelope = request.envelope(mobileDID: mobileDID)
        return Task {
            do {
                try await send(envelope)
                return true
            } catch {
                if calls[request.id]?.number == number { fail(request.id, Self.carrierError(error)) }
                return false
            }
        }
    }

    private static func carrierError(_ error: any Error) -> any Error {
        switch error {
        case is RemoteError: error
        // Not the caller's doing: that ends the wait itself. The carrier is closing.
        case is CancellationError: RemoteError.notConnected
        default: RemoteError.allTransportsFailed(lastError: "\(error)")
        }
    }

    private func setTimer(to deadline: ContinuousClock.Instant) {
        timer.set(to: deadline, on: time) { [weak self] in await self?.timerRang($0) }
    }

    private func timerRang(_ deadline: ContinuousClock.Instant) {
        guard timer.rang(deadline) else { return }
        let now = time.now
        for call in calls.values where call.deadline <= now { expire(call) }
        if let next = calls.values.map(\.deadline).min() { setTimer(to: next) }
    }

    private func expire(_ call: Call) {
        let request = call.request
        let error = RemoteError.timeout(id: request.id, method: request.method, after: call.timeout)
        // It may still be done, and its answer asked for again: only pieces of an answer are of no use any more.
        if call.stream != nil { tellCancelled(call, reason: "timeout") }
        fail(request.id, error)
    }

    private func cancel(_ id: String, _ number: UInt64) {
        guard let call = calls[id], call.number == number else { return }
        if !call.request.isDurable || call.stream != nil { tellCancelled(call, reason: "cancelled") }
        fail(id, CancellationError())
    }

    private func tellCancelled(_ call: Call, reason: String) {
        let envelope = CommandCancel(id: call.request.id, reason: reason).envelope
        errands.add { [send] in
            // An unsent request needs no cancelling; a desktop that cannot be told is not working for us.
            if await call.sending.value { try? await send(envelope) }
        }
    }

    private func fail(_ id: String, _ error: any Error) {
        calls[id]?.sending.cancel()
        finish(id, .failure(error))
    }

    private func finish(_ id: String, _ outcome: Result<JSONValue, any Error>) {
        guard let call = calls.removeValue(forKey: id) else { return }
        if calls.isEmpty { whileWaiting(false) }
        if let stream = call.stream { streams[stream.announcement.id] = nil }
        call.caller.resume(with: outcome)
    }

    // MARK: Results in pieces

    private func begin(_ announcement: RemoteStreamAnnouncement, for call: Call) {
        let expected = streams.values.compactMap { calls[$0]?.stream?.announcement.byteCount }.reduce(0, +)
        do {
            let stream = try RemoteStreamReceiver(announcement)
            guard streams[announcement.id] == nil else { throw RemoteError.malformedResult }
            guard expected + announcement.byteCount <= Self.streamedLimit else {
                throw RemoteError.resultTooLarge(
                    bytes: expected + announcement.byteCount,
                    limit: Self.streamedLimit
                )
            }
            streams[announcement.id] = call.request.id
            calls[call.request.id]?.stream = stream
            restartTime(of: call)
        } catch {
            tellCancelled(call, reason: "refused")
            fail(call.request.id, error)
        }
    }

    private func take(_ message: RemoteStreamMessage) {
        guard let id = streams[message.id], var stream = calls[id]?.stream else { return }
        // Held in one place only, or each piece would copy all before it.
        calls[id]?.stream = nil
        let taken = Result { try stream.take(message) }
        calls[id]?.stream = stream
        guard let call = calls[id] else { return }
        switch taken {
        case .success(let result?): finish(id, .success(result))
        case .success(nil): restartTime(of: call)
        case .failure(let error):
            if !(error is RemoteFailure) { tellCancelled(call, reason: "refused") }
            fail(id, error)
        }
    }

    private func restartTime(of call: Call) {
        calls[call.request.id]?.deadline = time.now + call.timeout
    }
}
