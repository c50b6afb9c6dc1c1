public import Observation

/// The phone scans the code on a computer's screen (Flow B).
@MainActor @Observable
public final class ScanDesktopPairingViewModel {
    /// What the screen stands on; tests give others.
    public struct Dependencies: Sendable {
        /// Told of each step that is worth showing.
        public typealias Progress = @Sendable (PairingProgress) async -> Void

        /// Reads a code; nothing is sent.
        public var read: @Sendable (String) throws(PairingError) -> DesktopPairingQR
        /// Pairs by the code that was scanned; returns the computer.
        public var pair: @Sendable (DesktopPairingQR, PairingOptions, @escaping Progress) async throws -> PairedDesktop

        public init(
            read: @escaping @Sendable (String) throws(PairingError) -> DesktopPairingQR,
            pair:
                @escaping @Sendable (DesktopPairingQR, PairingOptions, @escaping Progress) async throws ->
                PairedDesktop
        ) {
            self.read = read
            self.pair = pair
        }

        public init(_ pairing: PhonePairing) {
            self.init(
                read: { text throws(PairingError) in try pairing.read(text) },
                pair: { try await pairing.pair(with: $0, options: $1, progress: $2) }
            )
        }
    }

    /// Where the screen stands.
    public enum State: Hashable, Sendable {
        case scanning
        /// Telling this computer.
        case sending(String)
        case success(String)
        case failed(PairingFailure)
    }

    /// What the screen shows.
    public private(set) var state = State.scanning
    /// The words of this device's key, for the person at the computer to compare.
    public private(set) var ownKey: String?
    private let dependencies: Dependencies
    private var scanned: DesktopPairingQR?

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Called with everything the camera reads, from the screen's `.task`: leaving the screen cancels it. A
    /// text that comes while something else is shown is ignored.
    public func scanned(_ text: String) async {
        guard state == .scanning else { return }
        do {
            try await pair(with: try dependencies.read(text), options: PairingOptions())
        } catch {
            state = .failed(PairingFailure(error))
        }
    }

    /// The person was shown why it failed, and goes on: see ``PairingFailure/remedy``.
    public func continueAnyway() async {
        guard case .failed(let failure) = state, let options = failure.remedy, let scanned else { return }
        do {
            try await pair(with: scanned, options: options)
        } catch {
            state = .failed(PairingFailure(error))
        }
    }

    /// Back to the camera: after a failure, or to pair another computer.
    public func scanAgain() {
        if case .sending = state { return }
        state = .scanning
        scanned = nil
    }

    private func pair(with qr: DesktopPairingQR, options: PairingOptions) async throws {
        scanned = qr
        state = .sending(qr.deviceInfo.name)
        do {
            let desktop = try await dependencies.pair(qr, options) { [weak self] progress in
                if case .identified(let key) = progress { await self?.show(ownKey: key) }
            }
            state = .success(desktop.deviceName)
        } catch is CancellationError {
            state = .scanning
        }
    }

    private func show(ownKey key: String) { ownKey = key }
}
