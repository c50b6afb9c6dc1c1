import Journal
import Kernel
import MigrationContainer
import MigrationRestore
import Sections
import TandemPhone

extension MigrationSite {
    /// What this phone has and a restore replaces; nil where it cannot be counted, which keeps nobody from going on.
    func own() async -> MigrationFlowState.Own? {
        guard let phone = try? self.phone.phone, let counts = try? await self.phone.journal.counts() else { return nil }
        let tables = RecordKind.allCases.map { ($0.rawValue, counts[$0]) }
        return MigrationFlowState.Own(
            counts: Dictionary(tables, uniquingKeysWith: { first, _ in first }),
            computers: phone.pairedComputerCount
        )
    }

    /// Restores a package into a new generation beside the phone's data.
    ///
    /// - Parameters:
    ///   - outerManifest: What came before the package, with the transfer's id; nil for a package from a file.
    ///   - space: Of a package whose parts are given back as they are restored.
    ///   - state: Is told how far it is.
    func restore(
        _ file: PackageFile,
        lock: PackageLock,
        outerManifest: [UInt8]? = nil,
        announced: PackageDigests? = nil,
        transferID: String = "",
        space: SpoolSpace? = nil,
        showing state: LatestValue<MigrationFlowState>,
        step: @escaping @Sendable (RestoreStep) -> Void = { _ in }
    ) async throws -> RestoreReport {
        let phone = try self.phone.phone
        let restoring = PackageRestoring(
            file: file,
            lock: lock,
            crypto: crypto,
            outerManifest: outerManifest,
            announced: announced,
            transferID: transferID,
            generations: try self.phone.journal.generations,
            catalogue: try phone.sections,
            live: phone.sectionSource.database,
            space: space
        )
        return try await restoring.run(with: try self.restoring(), on: work) { done in
            step(done)
            guard transferID.isEmpty else { return }
            state.update { $0.take(done) }
        }
    }
}

extension MigrationFlowState {
    /// How far the reading of a file is: media are nearly all of it.
    mutating func take(_ done: RestoreStep) {
        switch done {
        case .records: fraction = max(fraction, 0.02)
        case .media(let bytes, let total):
            (doneBytes, totalBytes) = (Int64(clamping: bytes), Int64(clamping: total))
            fraction = max(fraction, total == 0 ? 0.9 : 0.9 * Double(bytes) / Double(total))
        case .database: fraction = max(fraction, 0.92)
        case .key: fraction = max(fraction, 0.96)
        case .disk: fraction = max(fraction, 0.98)
        }
    }
}
