public import Observation

/// The phone scans the code on a computer's screen (Flow B).
@MainActor @Observable
public final class ScanDesktopPairingViewModel {
    /// The screen's dependencies; tests pass their own.
    public struct Dependencies: Sendable {
        /// Called for each step to show.
        public typealias Progress = @Sendable (PairingProgress) async -> Void

        /// Reads a code and sends nothing.
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

    /// The screen's states.
    public enum State: Hashable, Sendable {
        case scanning
        /// The message to the computer of this name is being sent.
        case sending(String)
        case success(String)
        case failed(PairingFailure)
    }

    /// The screen's state now.
    public private(set) var state = State.scanning
    /// The words of this device's key, for the person at the computer to compare.
    public private(set) var ownKey: String?
    private let dependencies: Dependencies
    private var scanned: DesktopPairingQR?

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Pairs by a text that the camera read. Called from the screen's `.task`, so that leaving the screen cancels it. A text
    /// that comes while something else is shown is ignored.
    public func scanned(_ text: String) async {
        guard state == .scanning else { return }
        await pair(options: PairingOptions()) { [dependencies] in try dependencies.read(text) }
    }

    /// Tries again with the ``PairingFailure/remedy``, because the person saw the failure and goes on.
    public func continueAnyway() async {
        guard case .failed(let failure) = state, let options = failure.remedy, let scanned else { return }
        await pair(options: options) { scanned }
    }

    /// Returns to the camera after a failure, or to pair another computer.
    public func scanAgain() {
        if case .sending = state { return }
        state = .scanning
        scanned = nil
    }

    private func pair(options: PairingOptions, reading read: () throws -> DesktopPairingQR) async {
        do {
            let qr = try read()
            scanned = qr
            state = .sending(qr.deviceInfo.name)
            let desktop = try await dependencies.pair(qr, options) { [weak self] progress in
                if case .identified(let key) = progress { await self?.show(ownKey: key) }
            }
            state = .success(desktop.deviceName)
        } catch is CancellationError {
            state = .scanning
        } catch {
            state = .failed(PairingFailure(error))
        }
    }

    private func show(ownKey key: String) { ownKey = key }
}
