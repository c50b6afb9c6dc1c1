public import Observation

/// The computers that this phone is paired with.
@MainActor @Observable
public final class PairedDevicesListViewModel {
    /// The screen's dependencies; tests pass their own.
    public struct Dependencies: Sendable {
        /// The paired computers now, and at every change.
        public var desktops: @Sendable () -> AsyncStream<[PairedDesktop]>
        /// Forgets the computer with this id.
        public var forget: @Sendable (String) async throws -> Void
        /// Forgets all computers.
        public var forgetAll: @Sendable () async throws -> Void

        public init(
            desktops: @escaping @Sendable () -> AsyncStream<[PairedDesktop]>,
            forget: @escaping @Sendable (String) async throws -> Void,
            forgetAll: @escaping @Sendable () async throws -> Void
        ) {
            self.desktops = desktops
            self.forget = forget
            self.forgetAll = forgetAll
        }

        public init(_ pairing: PhonePairing) {
            self.init(
                desktops: { pairing.desktops() },
                forget: { _ = try await pairing.forget($0) },
                forgetAll: { try await pairing.forgetAll() }
            )
        }
    }

    /// The paired computers, last seen first; nil until they were read.
    public private(set) var desktops: [PairedDesktop]?
    /// Why the last request failed; the list is unchanged then.
    public private(set) var failureMessage: String?
    private let dependencies: Dependencies

    public init(_ dependencies: Dependencies) { self.dependencies = dependencies }

    /// Follows the list until the task is cancelled: called from the screen's `.task`.
    public func follow() async {
        for await list in dependencies.desktops() { desktops = list }
    }

    /// Forgets a computer, which has to be paired again afterwards. Called after the person confirmed.
    public func forget(_ desktop: PairedDesktop) async {
        await perform { [dependencies] in try await dependencies.forget(desktop.pcPeerID) }
    }

    /// Forgets all computers. Called after the person confirmed.
    public func forgetAll() async {
        await perform { [dependencies] in try await dependencies.forgetAll() }
    }

    /// Clears ``failureMessage``, which the person has read.
    public func dismissFailure() { failureMessage = nil }

    private func perform(_ work: @Sendable () async throws -> Void) async {
        failureMessage = nil
        do { try await work() } catch { failureMessage = "\(error)" }
    }
}
