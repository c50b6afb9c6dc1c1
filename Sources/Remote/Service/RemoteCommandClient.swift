import Foundation
public import Kernel

/// Sends commands to one desktop and gives each caller its own answer.
public actor RemoteCommandClient {
    /// Answers that one peer may owe us at a time.
    public static let waitingLimit = 256

    private let mobileDID: String
    private let clock: any Clock<Duration>
    private let send: @Sendable (JSONValue) async throws -> Void
    private var waiting: [String: CheckedContinuation<JSONValue, any Error>] = [:]
    private var sends: [String: Task<Void, Never>] = [:]

    /// - Parameter send: Hands one envelope to whatever carries it to the desktop.
    public init(
        mobileDID: String,
        clock: any Clock<Duration> = ContinuousClock(),
        send: @escaping @Sendable (JSONValue) async throws -> Void
    ) {
        self.mobileDID = mobileDID
        self.clock = clock
        self.send = send
    }

    /// - Parameter timeout: Source of the default: `docs/protocol.md`, "Command envelopes".
    /// - Throws: ``RemoteFailure`` when the desktop refused; ``RemoteError`` when no answer came.
    public func invoke(
        _ method: String,
        _ params: JSONValue = .object([:]),
        timeout: Duration = .seconds(30)
    ) async throws -> JSONValue {
        let request = CommandRequest(id: UUID().uuidString.lowercased(), method: method, params: params)
        return try await withTimeout(timeout, on: clock, throwing: RemoteError.timeout(method: method, after: timeout))
        {
            try await self.exchange(request)
        }
    }

    /// Takes a message from the desktop. True when it was an answer, ours or a late one.
    public func receive(_ envelope: JSONValue) -> Bool {
        guard envelope["type"]?.stringValue == CommandResponse.type else { return false }
        // An unreadable answer names nobody, so nobody can be told: its caller's timeout ends the wait.
        guard let response = try? CommandResponse(envelope: envelope) else { return true }
        waiting.removeValue(forKey: response.id)?.resume(with: response.outcome.mapError { $0 as any Error })
        return true
    }

    /// Ends every wait: the connection is gone for good.
    public func close() {
        let callers = waiting.values
        waiting = [:]
        for caller in callers { caller.resume(throwing: RemoteError.notConnected) }
    }

    private func exchange(_ request: CommandRequest) async throws -> JSONValue {
        guard waiting.count < Self.waitingLimit else { throw RemoteError.tooManyWaiting(limit: Self.waitingLimit) }
        let envelope = request.envelope(mobileDID: mobileDID)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                waiting[request.id] = continuation
                // The answer may come before `send` returns, so the wait is in place first. The task ends with the send.
                sends[request.id] = Task {
                    do { try await send(envelope) } catch { fail(request.id, error) }
                    sends[request.id] = nil
                }
            }
        } onCancel: {
            Task { await self.fail(request.id, CancellationError()) }
        }
    }

    private func fail(_ id: String, _ error: any Error) {
        sends.removeValue(forKey: id)?.cancel()
        waiting.removeValue(forKey: id)?.resume(throwing: error)
    }
}
