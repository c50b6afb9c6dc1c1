public import Foundation
public import Kernel
public import Observation

/// The person types the digits that a computer shows.
@MainActor @Observable
public final class ManualPairingViewModel {
    /// The screen's dependencies; tests pass their own.
    public struct Dependencies: Sendable {
        /// Called for each step to show.
        public typealias Progress = @Sendable (PairingProgress) async -> Void
        /// Asks the person whether the computer asked for this number and says that it is paired.
        public typealias Confirm = @Sendable (String) async throws -> Bool

        /// Pairs by the digits; returns the computer.
        public var pair:
            @Sendable (TypedCode, PairingOptions, @escaping Confirm, @escaping Progress) async throws -> PairedDesktop
        /// Counts the seconds that are shown.
        public var time: any TimeSource

        public init(
            pair:
                @escaping @Sendable (TypedCode, PairingOptions, @escaping Confirm, @escaping Progress) async throws
                -> PairedDesktop,
            time: any TimeSource
        ) {
            self.pair = pair
            self.time = time
        }

        public init(_ pairing: PhonePairing) {
            self.init(
                pair: { try await pairing.pair(typing: $0, options: $1, confirm: $2, progress: $3) },
                time: pairing.dependencies.time
            )
        }
    }

    /// The screen's states.
    public enum State: Hashable, Sendable {
        case entering
        case submitting(code: String)
        case waitingForConfirm(code: String, expiresAt: Date)
        /// The computer's yes is there, and the person is asked whether its screen asked for the number: ``ManualPairingViewModel/confirm(_:)``.
        case confirming(number: String)
        case success(name: String)
        case failed(PairingFailure)
    }

    /// The field's text. All but digits is removed, and so are digits after the tenth.
    public var typedCode = "" {
        didSet {
            let digits = String(typedCode.filter { $0.isASCII && $0.isNumber }.prefix(10))
            if digits != typedCode { typedCode = digits }
        }
    }
    /// The screen's state now.
    public private(set) var state = State.entering
    /// The seconds left to wait for the computer, counted down once a second.
    public private(set) var secondsLeft = 0
    /// The number that the person at the computer types; set when only six digits were typed.
    public private(set) var comparisonNumber: String?
    /// The words of this device's key, for the person at the computer to compare.
    public private(set) var ownKey: String?
    private let dependencies: Dependencies
    private let confirmation = LatestValue<Bool?>(nil)
    private var submitted: TypedCode?

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Whether the field holds six or ten digits, and none are being sent.
    public var canSubmit: Bool { state == .entering && (typedCode.count == 6 || typedCode.count == 10) }

    /// Pairs by the digits in the field. Called from the button's `.task`, so that leaving the screen cancels it.
    public func submit() async {
        guard state == .entering else { return }
        await pair(options: PairingOptions()) { try TypedCode(typedCode) }
    }

    /// Tries again with the ``PairingFailure/remedy``, because the person saw the failure and goes on.
    public func continueAnyway() async {
        guard case .failed(let failure) = state, let options = failure.remedy, let submitted else { return }
        await pair(options: options) { submitted }
    }

    /// Returns to the field after a failure, or to pair another computer.
    public func enterAgain() {
        switch state {
        case .submitting, .waitingForConfirm, .confirming: return
        case .entering, .success, .failed: break
        }
        typedCode = ""
        comparisonNumber = nil
        submitted = nil
        state = .entering
    }

    /// Says whether the computer asked for the number and says that it is paired. Without a yes nothing is kept.
    public func confirm(_ isSame: Bool) {
        guard case .confirming = state else { return }
        confirmation.set(isSame)
    }

    private func pair(options: PairingOptions, reading read: () throws -> TypedCode) async {
        let countdown = Task { [weak self, time = dependencies.time] in
            while await time.pause(for: .seconds(1)) { self?.countDown() }
        }
        defer {
            countdown.cancel()
            secondsLeft = 0
        }
        do {
            let code = try read()
            submitted = code
            confirmation.set(nil)
            state = .submitting(code: code.grouped)
            let desktop = try await dependencies.pair(code, options) { [confirmation] _ in
                for await isSame in confirmation.values() { if let isSame { return isSame } }
                return false
            } _: { [weak self] progress in
                await self?.show(progress, of: code)
            }
            state = .success(name: desktop.deviceName)
        } catch is CancellationError {
            state = .entering
        } catch {
            state = .failed(PairingFailure(error))
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
        case .confirm(let number):
            state = .confirming(number: number)
        }
    }

    private func countDown() {
        guard case .waitingForConfirm(_, let expiresAt) = state else { return }
        secondsLeft = DesktopPairingViewModel.seconds(until: expiresAt, from: dependencies.time.date)
    }
}
