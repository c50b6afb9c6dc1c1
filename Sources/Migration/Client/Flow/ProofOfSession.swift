import Kernel
import MigrationTransfer

/// The keys of the proof between both phones, for whoever waits for them.
final class ProofOfSession: Sendable {
    private let latest: LatestValue<MigrationKeys?>
    /// Those that an earlier run of the program kept.
    let earlier: MigrationKeys?

    init(_ earlier: MigrationKeys?) {
        self.earlier = earlier
        latest = LatestValue(earlier)
    }

    func set(_ keys: MigrationKeys) { latest.set(keys) }

    /// Whether both phones were proved to each other anew since an earlier run.
    var isRenewed: Bool { earlier != nil && latest.value != earlier }

    /// Returns once the keys are others.
    ///
    /// - Throws: `CancellationError`.
    func replaced(_ keys: MigrationKeys) async throws {
        for await latest in latest.values() where latest != keys { return }
        throw CancellationError()
    }

    /// The keys now, or once there are any.
    ///
    /// - Throws: `CancellationError`.
    func keys() async throws -> MigrationKeys {
        for await keys in latest.values() { if let keys { return keys } }
        throw CancellationError()
    }
}
