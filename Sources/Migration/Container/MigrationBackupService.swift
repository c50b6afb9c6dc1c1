public import Kernel

/// Makes packages from a frozen source. Reading the source and making keys is done on threads that may block.
public final class MigrationBackupService: Sendable {
    private let crypto: MigrationCryptoService
    private let work: BlockingWork

    /// - Parameter work: Where the source is read.
    public init(crypto: MigrationCryptoService, work: BlockingWork) {
        self.crypto = crypto
        self.work = work
    }

    /// Reads the source once and makes a package of it, with a new salt.
    ///
    /// - Parameters:
    ///   - sessionKey: At least 32 bytes that both devices agreed on; nil for a package that is kept as a file, which then is as safe as its
    ///     password.
    ///   - progress: Told the bytes read so far, on the thread that reads; what it throws ends the call.
    /// - Throws: ``ContainerError``, `ArchiveError`, `CancellationError`, and what the source throws.
    public func makePackage(
        of source: any BackupSource,
        description: BackupDescription,
        password: MigrationPassword,
        sessionKey: [UInt8]?,
        cost: ScryptCost = .usual,
        progress: @escaping @Sendable (UInt64) throws -> Void = { _ in }
    ) async throws -> MigrationPackage {
        async let key = crypto.makeKey(of: password, cost: cost)
        let (planned, masterKey, length) = try await work.run {
            var planner = PackagePlanner(source: source, description: description, progress: progress)
            var plan = try planner.plan()
            let masterKey = try source.masterKey()
            // The archive's length, which the header holds, does not depend on what the sealed key's bytes are.
            plan.sealedMasterKey = [UInt8](repeating: 0, count: masterKey.count + MigrationCryptoService.sealOverhead)
            return (plan, masterKey, try plan.archiveLength())
        }
        let header = try crypto.makeHeader(
            length: length,
            backupID: description.backupIDBytes,
            key: try await key,
            sessionKey: sessionKey
        )
        var plan = planned
        plan.header = header.bytes
        plan.sealedMasterKey = try crypto.sealMasterKey(masterKey, header: header)
        return try MigrationPackage(plan: plan, header: header, source: source)
    }

    /// Makes a package again from its plan and the source, as frozen as it was: the same bytes, for a transfer that goes on.
    ///
    /// - Throws: ``ContainerError/wrongPassword`` for another password or session, and as
    ///   ``makePackage(of:description:password:sessionKey:cost:progress:)``.
    public func reopenPackage(
        _ plan: PackagePlan,
        of source: any BackupSource,
        password: MigrationPassword,
        sessionKey: [UInt8]?
    ) async throws -> MigrationPackage {
        let header = try await crypto.openHeader(plan.header, password: password, sessionKey: sessionKey)
        return try await work.run { try MigrationPackage(plan: plan, header: header, source: source) }
    }
}
