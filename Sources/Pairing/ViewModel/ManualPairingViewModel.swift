public import Foundation
public import Kernel
public import Observation

/// The person types the digits that a computer shows.
@MainActor @Observable
public final class ManualPairingViewModel {
    /// What the screen stands on; tests give others.
    public struct Dependencies: Sendable {
        /// Told of each step that is worth showing.
        public typealias Progress = @Sendable (PairingProgress) async -> Void

        /// Pairs by the digits; returns the computer.
        public var pair: @Sendable (TypedCode, PairingOptions, @escaping Progress) async throws -> PairedDesktop
        /// Counts the seconds that are shown.
        public var time: any TimeSource

        public init(
            pair: @escaping @Sendable (TypedCode, PairingOptions, @escaping Progress) async throws -> PairedDesktop,
            time: any TimeSource
        ) {
            self.pair = pair
            self.time = time
        }

        public init(_ pairing: PhonePairing) {
            self.init(
                pair: { try await pairing.pair(typing: $0, options: $1, progress: $2) },
                time: pairing.dependencies.time
            )
        }
    }

    /// Where the screen stands.
    public enum State: Hashable, Sendable {
        case entering
        case submitting(code: String)
        case waitingForConfirm(code: String, expiresAt: Date)
        case success(name: String)
        case failed(PairingFailure)
    }

    /// What is in the field; anything but digits is taken out, and so is what is too much.
    public var typedCode = "" {
        didSet {
            let digits = String(typedCode.filter { $0.isASCII && $0.isNumber }.prefix(10))
            if digits != typedCode { typedCode = digits }
        }
    }
    /// What the screen shows.
    public private(set) var state = State.entering
    /// Counts down once a second while the computer is waited for.
    public private(set) var secondsLeft = 0
    /// When only six digits were typed: the number that the person at the computer types.
    public private(set) var comparisonNumber: String?
    /// The words of this device's key, for the person at the computer to compare.
    public private(set) var ownKey: String?
    private let dependencies: Dependencies
    private var submitted: TypedCode?

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Whether six or ten digits stand in the field, and none are on their way.
    public var canSubmit: Bool { state == .entering && (typedCode.count == 6 || typedCode.count == 10) }

    /// Called from the button's `.task`: leaving the screen cancels it.
    public func submit() async {
        guard state == .entering else { return }
        do {
            try await pair(TypedCode(typedCode), options: PairingOptions())
        } catch {
            state = .failed(PairingFailure(error))
        }
    }

    /// The person was shown why it failed, and goes on: see ``PairingFailure/remedy``.
    public func continueAnyway() async {
        guard case .failed(let failure) = state, let options = failure.remedy, let submitted else { return }
        do {
            try await pair(submitted, options: options)
        } catch {
            state = .failed(PairingFailure(error))
        }
    }

    /// Back to the field: after a failure, or to pair another computer.
    public func enterAgain() {
        switch state {
        case .submitting, .waitingForConfirm: return
        case .entering, .success, .failed: break
        }
        typedCode = ""
        comparisonNumber = nil
        submitted = nil
        state = .entering
    }

    private func pair(_ code: TypedCode, options: PairingOptions) async throws {
        submitted = code
        state = .submitting(code: code.grouped)
        let countdown = Task { [weak self, time = dependencies.time] in
            while await time.pause(for: .seconds(1)) { self?.countDown() }
        }
        defer {
            countdown.cancel()
            secondsLeft = 0
        }
        do {
            let desktop = try await dependencies.pair(code, options) { [weak self] progress in
                await self?.show(progress, of: code)
            }
            state = .success(name: desktop.deviceName)
        } catch is CancellationError {
            state = .entering
        }
    }

    private func show(_ progress: PairingProgress, of code: TypedCode) {
        switch progress {
        case .identified(let key):
            ownKey = key
        case .waiting(let until):
            state = .waitingForConfirm(code: code.grouped, expiresAt: until)
            countDown()
        case .compare(let number):
            comparisonNumber = number
        }
    }

    private func countDown() {
        guard case .waitingForConfirm(_, let expiresAt) = state else { return }
        secondsLeft = DesktopPairingViewModel.seconds(until: expiresAt, from: dependencies.time.date)
    }
}
