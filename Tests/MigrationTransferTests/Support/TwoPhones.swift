import Kernel
import KernelTesting
import MigrationTransfer
import Synchronization
import Testing

/// An old and a new phone with their real sessions, over a network in memory and a simulated disk.
final class TwoPhones: Sendable {
    /// Whatever a run of these tests waits for comes much sooner.
    static let limit = Duration.seconds(60)

    let network: MemoryNetwork
    let disk = SimulatedDisk()
    let work = BlockingWork("test.disk", width: 2)
    let package: PatternPackage
    let sender: PackageSender
    let sourceCredentials: MigrationCredentials
    let targetCredentials: MigrationCredentials
    let timing: MigrationTiming
    private let sourceDials: Bool
    /// Other links than those of ``network``.
    private let links: (source: any MigrationLinks, target: any MigrationLinks)?
    /// Counts how often the old phone's person was asked.
    let asks: Counter
    /// Where the new phone keeps the keys.
    let vault: Vault

    /// Times so short that nothing is waited for long, and so long that a busy machine is not taken for a dead peer.
    static var quick: MigrationTiming {
        var timing = MigrationTiming()
        timing.backoff = [.milliseconds(1)]
        timing.acknowledgement = .milliseconds(1)
        timing.sync = .milliseconds(2)
        timing.linger = .seconds(1)
        return timing
    }

    /// - Parameter entry: What the person types or scans, given what the new phone shows; by default the PIN that it shows.
    init(
        network: MemoryNetwork = MemoryNetwork(),
        size: Int64 = 200_000,
        chunkSize: Int = 4096,
        sourceDials: Bool = true,
        timing: MigrationTiming = quick,
        links: (source: any MigrationLinks, target: any MigrationLinks)? = nil,
        entry: (@Sendable (MigrationCredentials, Int) async throws -> MigrationCredentials.Entry)? = nil,
        settle: @escaping @Sendable (TransferEnd) async -> Void = { _ in }
    ) {
        self.network = network
        self.timing = timing
        self.sourceDials = sourceDials
        self.links = links
        package = PatternPackage(size: size, chunkSize: chunkSize)
        sender = PackageSender(
            transferID: package.meta.transferID,
            estimatedBytes: size,
            time: .system,
            timing: timing,
            settle: settle
        )
        let counter = Counter()
        let vault = Vault()
        let target = MigrationCredentials(time: .system) { vault.keys = $0 }
        targetCredentials = target
        sourceCredentials = MigrationCredentials(time: .system, keep: { _ in }) {
            let count = counter.next()
            if let entry { return try await entry(target, count) }
            // A proof that a fault cut off has cost a try; the person asks for a new PIN.
            if await (target.shown?.attemptsLeft ?? 0) == 0 { _ = await target.show(addresses: []) }
            guard let shown = await target.shown else { throw MigrationTransferError.peerNotProven }
            return .pin(shown.pin)
        }
        asks = counter
        self.vault = vault
    }

    func receiver(
        decide: @escaping @Sendable (BackupMeta) async -> PackageReceiver.Decision = { _ in .accept }
    ) -> PackageReceiver {
        PackageReceiver(
            store: SimulatedStore(disk: disk, work: work),
            time: .system,
            timing: timing,
            decide: decide
        )
    }

    static func profile(_ role: MigrationRole, schema: Int = 1) -> MigrationProfile {
        MigrationProfile(
            role: role,
            schemaVersion: schema,
            minSchemaVersion: 1,
            appVersion: "1.2.0",
            deviceName: role == .source ? "Old phone" : "New phone"
        )
    }

    func source(timing: MigrationTiming? = nil) -> MigrationSessionManager {
        MigrationSessionManager(
            sending: sender,
            as: Self.profile(.source),
            credentials: sourceCredentials,
            over: links?.source ?? (sourceDials ? network.dialer : network.acceptor),
            time: .system,
            timing: timing ?? self.timing
        )
    }

    func target(
        _ receiver: PackageReceiver,
        credentials: MigrationCredentials? = nil,
        timing: MigrationTiming? = nil
    ) -> MigrationSessionManager {
        MigrationSessionManager(
            receiving: receiver,
            as: Self.profile(.target),
            credentials: credentials ?? targetCredentials,
            over: links?.target ?? (sourceDials ? network.acceptor : network.dialer),
            time: .system,
            timing: timing ?? self.timing
        )
    }

    /// The new phone's person shows a PIN, the old phone offers its package, and the new phone restores what it receives at once.
    func transfer() async throws -> (source: TransferEnd, target: TransferEnd) {
        _ = await targetCredentials.show(addresses: [])
        try await sender.offer(package.meta, from: package)
        let receiver = receiver()
        return try await ends(receiver)
    }

    /// Runs both sessions to their ends.
    func ends(
        _ receiver: PackageReceiver,
        timing: MigrationTiming? = nil
    ) async throws -> (source: TransferEnd, target: TransferEnd) {
        let (source, target) = (source(timing: timing), target(receiver, timing: timing))
        return try await withTimeout(Self.limit, on: .system, throwing: TimedOut()) {
            async let restored: Void = Self.restoring(receiver)
            async let first = source.run()
            async let second = target.run()
            let both = try await (first, second)
            try await restored
            await receiver.close()
            return both
        }
    }

    /// Restores the package as soon as it is there, or returns when there is nothing to restore.
    static func restoring(_ receiver: PackageReceiver) async throws {
        for await state in receiver.state.values() {
            switch state.step {
            case .ended: return
            case .restoring:
                await receiver.report(.verified)
                await receiver.report(.restored)
                return
            default: continue
            }
        }
    }

    /// Waits until the package is whole, and asks for what was given back of it.
    static func refill(_ receiver: PackageReceiver) async throws {
        for await state in receiver.state.values() where state.step == .restoring { break }
        try await receiver.askAgain(for: await receiver.released)
    }

    /// Whether the whole package lies on the new phone's disk.
    var hasArrived: Bool { disk.contents(of: SimulatedStore.packageName) == package.whole }
}

/// A wait that a defect would make endless.
struct TimedOut: Error {}

/// Counts calls.
final class Counter: Sendable {
    private let value = Mutex(0)
    var count: Int { value.withLock { $0 } }
    func next() -> Int {
        value.withLock { value in
            value += 1
            return value
        }
    }
}

/// Where a phone keeps a migration's keys.
final class Vault: Sendable {
    private let stored = Mutex<MigrationKeys?>(nil)
    var keys: MigrationKeys? {
        get { stored.withLock { $0 } }
        set { stored.withLock { $0 = newValue } }
    }
}
