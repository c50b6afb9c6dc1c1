import Kernel
import MigrationTransfer

/// Packages on a ``SimulatedDisk``: one at a time.
struct SimulatedStore: PackageStore {
    static let packageName = "package"
    static let journalName = "journal"

    let disk: SimulatedDisk
    let work: BlockingWork

    func unfinished() async throws -> ReceivedPackage? {
        guard !disk.contents(of: Self.journalName).isEmpty else { return nil }
        do {
            return try await ReceivedPackage.open(sink: sink, journal: disk.file(Self.journalName), on: work)
        } catch MigrationTransferError.damagedJournal {
            return nil
        }
    }

    func open(_ meta: BackupMeta) async throws -> ReceivedPackage {
        if let begun = try await unfinished(), begun.meta.isSamePackage(as: meta) { return begun }
        return try await ReceivedPackage.begin(meta, sink: sink, journal: disk.file(Self.journalName), on: work)
    }

    func availableBytes() async throws -> Int64 { disk.freeBytes }

    func givesSpaceBack() async throws -> Bool { disk.givesSpaceBack }

    func remove(_ meta: BackupMeta) async throws {
        try await work.run { [disk] in
            for name in [Self.packageName, Self.journalName] { try disk.file(name).truncate(to: 0) }
        }
    }

    private var sink: SpooledPackage {
        SpooledPackage(disk.file(Self.packageName), on: work) { [disk] in disk.freeBytes }
    }
}
