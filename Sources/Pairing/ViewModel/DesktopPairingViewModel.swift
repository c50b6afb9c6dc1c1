public import Foundation
public import Kernel
public import Observation

/// The phone shows its own code for a computer to scan (Flow A).
@MainActor @Observable
public final class DesktopPairingViewModel {
    /// The screen's dependencies; tests pass their own.
    public struct Dependencies: Sendable {
        /// Makes the code to show.
        public var makeCode: @Sendable (PairingOptions) async throws -> PhonePairing.ShownCode
        /// Returns the computer that scanned the code and is paired.
        public var desktopScanning: @Sendable (PhonePairing.ShownCode, PairingOptions) async throws -> PairedDesktop
        /// Counts the seconds that are shown.
        public var time: any TimeSource

        public init(
            makeCode: @escaping @Sendable (PairingOptions) async throws -> PhonePairing.ShownCode,
            desktopScanning: @escaping @Sendable (PhonePairing.ShownCode, PairingOptions) async throws -> PairedDesktop,
            time: any TimeSource
        ) {
            self.makeCode = makeCode
            self.desktopScanning = desktopScanning
            self.time = time
        }

        public init(_ pairing: PhonePairing) {
            self.init(
                makeCode: { try await pairing.makeCode(options: $0) },
                desktopScanning: { try await pairing.desktopScanning($0, options: $1) },
                time: pairing.dependencies.time
            )
        }
    }

    /// The screen's states.
    public enum State: Hashable, Sendable {
        case idle
        case displaying(payload: DevicePairingQR, json: String, expiresAt: Date)
        case completed
        case expired
        case failed(PairingFailure)
    }

    /// The screen's state now.
    public private(set) var state = State.idle
    /// The seconds until the shown code ends, counted down once a second.
    public private(set) var secondsLeft = 0
    /// The name of the computer that scanned the code, once completed.
    public private(set) var desktopName: String?
    private let dependencies: Dependencies

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Shows a code until it is scanned, expires, or the task is cancelled: called from the screen's `.task`.
    public func display(options: PairingOptions = PairingOptions()) async {
        if case .displaying = state { return }
        do {
            let code = try await dependencies.makeCode(options)
            state = .displaying(payload: code.qr, json: code.text, expiresAt: code.expiresAt)
            secondsLeft = Self.seconds(until: code.expiresAt, from: dependencies.time.date)
            let desktop = try await counting(until: code.expiresAt) { [dependencies] in
                try await dependencies.desktopScanning(code, options)
            }
            desktopName = desktop.deviceName
            state = .completed
        } catch is CancellationError {
            state = .idle
        } catch PairingError.shownCodeExpired {
            state = .expired
        } catch {
            state = .failed(PairingFailure(error))
        }
        secondsLeft = 0
    }

    /// Runs `work` while the countdown on the screen moves.
    private func counting(
        until end: Date,
        _ work: @escaping @Sendable () async throws -> PairedDesktop
    ) async throws -> PairedDesktop {
        let countdown = Task { [weak self, time = dependencies.time] in
            while await time.pause(for: .seconds(1)) {
                self?.secondsLeft = Self.seconds(until: end, from: time.date)
            }
        }
        defer { countdown.cancel() }
        return try await work()
    }

    /// The whole seconds until `end`, rounded up, so that one is left until the end.
    static func seconds(until end: Date, from now: Date) -> Int {
        max(0, Int(end.timeIntervalSince(now).rounded(.up)))
    }
}
