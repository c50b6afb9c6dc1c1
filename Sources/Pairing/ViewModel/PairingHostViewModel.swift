public import Foundation
public import Kernel
public import Observation

/// The computer's pairing screen: its code, the code's remaining time, and the requests.
@MainActor @Observable
public final class PairingHostViewModel {
    /// The screen's dependencies; tests pass their own.
    public struct Dependencies: Sendable {
        /// The state of pairing now, and at every change.
        public var statuses: @Sendable () -> AsyncStream<PairingHostStatus>
        /// Makes the code to show, in place of the one before.
        public var makeCode: @Sendable (PairingOptions) async throws -> ShownPairingCode
        /// Takes the code from the screen: no phone can use it any more.
        public var withdrawCode: @Sendable () async -> Void
        /// Pairs the phone that asked.
        public var accept: @Sendable (PairingRequest.ID, PairingComparison?) async throws -> PairedPhone
        /// Refuses the phone that asked.
        public var reject: @Sendable (PairingRequest.ID) async throws -> Void
        /// Counts the seconds that are shown.
        public var time: any TimeSource

        public init(_ host: PairingHost) {
            statuses = { host.statuses() }
            makeCode = { try await host.makeCode(options: $0) }
            withdrawCode = { await host.withdrawCode() }
            accept = { try await host.accept($0, comparison: $1) }
            reject = { try await host.reject($0) }
            time = host.dependencies.time
        }
    }

    /// The documented states of the computer's side.
    public enum State: Hashable, Sendable {
        case idle
        case waiting(ShownPairingCode)
        /// A phone used the code: see ``PairingHostViewModel/requests``, then the paired phones.
        case acked
        case expired
    }

    /// The state of the code.
    public private(set) var state = State.idle
    /// The requests that wait for the person's decision, oldest first.
    public private(set) var requests: [PairingRequest] = []
    /// The last phone that was paired since the program started.
    public private(set) var lastPaired: PairedPhone?
    /// Whether to warn of interference: wrong codes were tried within the last five minutes.
    public private(set) var isSuspicious = false
    /// Until when no digits are shown after wrong tries; the code can still be scanned.
    public private(set) var typedCodesLockedUntil: Date?
    /// Why the digits are found at no server now; the code can still be scanned.
    public private(set) var typedTrouble: TypedCodeTrouble?
    /// The seconds until typed codes are unlocked, counted down once a second.
    public private(set) var lockSecondsLeft = 0
    /// The seconds until the shown code ends, counted down once a second.
    public private(set) var secondsLeft = 0
    /// Why the last action failed, for the person; nil once it was read.
    public private(set) var failureMessage: String?
    private let dependencies: Dependencies

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Follows pairing until the task is cancelled: called from the screen's `.task`.
    public func follow() async {
        let countdown = Task { [weak self, time = dependencies.time] in
            while await time.pause(for: .seconds(1)) { self?.countDown() }
        }
        defer { countdown.cancel() }
        for await status in dependencies.statuses() { show(status) }
    }

    /// Shows a new code. A failure is put into ``failureMessage``.
    public func makeCode(options: PairingOptions = PairingOptions()) async {
        await perform { [dependencies] in _ = try await dependencies.makeCode(options) }
    }

    /// Takes the code from the screen.
    public func withdrawCode() async { await dependencies.withdrawCode() }

    /// - Parameter comparison: The person's comparison of the numbers, for a request that has one.
    public func accept(_ request: PairingRequest, comparison: PairingComparison? = nil) async {
        await perform { [dependencies] in _ = try await dependencies.accept(request.id, comparison) }
    }

    /// Refuses the phone that asked. A failure is put into ``failureMessage``.
    public func reject(_ request: PairingRequest) async {
        await perform { [dependencies] in try await dependencies.reject(request.id) }
    }

    /// A warning to show beside the code while something is wrong: what happened, then what to do.
    public var warning: String? {
        if typedCodesLockedUntil != nil {
            return "Too many wrong codes were typed; someone may be interfering. Scan the code, or type one in "
                + "\(lockSecondsLeft) s."
        }
        if let typedTrouble { return typedTrouble.sentence }
        guard isSuspicious else { return nil }
        return "A wrong code was tried; someone may be interfering. Use the digits that are shown now."
    }

    /// Clears ``failureMessage``, which the person has read.
    public func dismissFailure() { failureMessage = nil }

    private func perform(_ work: @Sendable () async throws -> Void) async {
        failureMessage = nil
        do { try await work() } catch { failureMessage = "\(error)" }
    }

    private func show(_ status: PairingHostStatus) {
        switch status.code {
        case .none: state = .idle
        case .shown(let shown): state = .waiting(shown)
        case .used: state = .acked
        case .expired: state = .expired
        }
        requests = status.requests
        lastPaired = status.lastPaired
        isSuspicious = status.isSuspicious
        typedCodesLockedUntil = status.typedCodesLockedUntil
        typedTrouble = status.typedTrouble
        countDown()
    }

    private func countDown() {
        lockSecondsLeft =
            typedCodesLockedUntil.map { DesktopPairingViewModel.seconds(until: $0, from: dependencies.time.date) } ?? 0
        guard case .waiting(let shown) = state else {
            secondsLeft = 0
            return
        }
        secondsLeft = DesktopPairingViewModel.seconds(until: shown.expiresAt, from: dependencies.time.date)
    }
}
