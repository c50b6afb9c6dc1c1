import Foundation
import GRDB
import Generations
import Kernel
import MigrationContainer
import MigrationRestore
import Sections

/// Restores a package of this machine into a new generation beside the one that lives, with the phone's other data in its folder `State`. Nothing of
/// the phone changes: what was restored is put into place at a start of the program (``MigrationStart``).
struct PackageRestoring: Sendable {
    let file: PackageFile
    let lock: PackageLock
    let crypto: MigrationCryptoService
    /// The copy of the list of contents that came before the package; nil for a package from a file.
    let outerManifest: [UInt8]?
    /// What the old phone said of the whole package; nil from a file.
    let announced: PackageDigests?
    /// The transfer's id; empty for a package from a file.
    let transferID: String
    let generations: GenerationStore
    let catalogue: SectionCatalogue
    /// The role's database, of which the signed-in browsers are taken over.
    let live: any DatabaseReader
    /// Of a package that came from an old phone, where the disk takes its parts back; nil for one that stays as it is.
    var space: SpoolSpace?

    /// - Throws: `ContainerError`, `ArchiveError`, `RestoreError`, `SectionError`, `GenerationsError`. What came is kept for going on.
    func run(
        with service: MigrationRestoreService,
        on work: BlockingWork,
        step: @escaping @Sendable (RestoreStep) -> Void
    ) async throws -> RestoreReport {
        let manifest = try await work.run { try self.manifest() }
        try Self.checkSections(of: manifest, knowing: catalogue)
        let (identity, length) = try await work.run { try self.measure() }
        let plan = RestorePlan(
            manifest: manifest,
            binding: identity + Array(transferID.utf8),
            archiveBytes: length,
            isGivenBack: space != nil
        )
        // Another package that came in part before, and was not put into place, makes room for the one that the person asked for.
        if let staged = generations.staged, staged.binding != plan.binding { try await service.cancel() }
        return try await service.restore(plan, step: step, release: space?.release) { sink in
            try read(into: sink, manifest)
        }
    }

    private func manifest() throws -> Manifest {
        if let outerManifest { return try Manifest(try ManifestCopies.read(outerManifest)) }
        let first = FirstEntry()
        return try first.manifest {
            switch lock {
            case .header(let header):
                try file.read(with: PackageReader(header: header, crypto: crypto, isDigested: false, sink: first))
            case .legacy(let key): try LegacyPackage.read(file.legacyBytes(), key: key, to: first)
            }
        }
    }

    /// By what the package is known again, and the bytes of its archive.
    private func measure() throws -> (identity: [UInt8], length: UInt64) {
        switch lock {
        case .header(let header):
            // A writer that did not know the archive's length left it out; the package is a little longer.
            let length = if let known = header.prefix.length { known } else { try file.size() }
            return (SHA256Sum.of(header.bytes), length)
        case .legacy: return (SHA256Sum.of(try file.legacyBytes()), try file.size())
        }
    }

    /// A section that only a newer version knows is refused before anything of the package is read. One of an unknown name is kept as it came.
    static func checkSections(of manifest: Manifest, knowing catalogue: SectionCatalogue) throws(SectionError) {
        for section in manifest.sections ?? [] {
            guard let ours = catalogue.entry(named: section.name)?.declaration.version else { continue }
            guard section.version <= ours else {
                throw .newer(section: section.name, theirs: section.version, ours: ours)
            }
        }
    }

    private func read(into sink: any RestoreSink, _ manifest: Manifest) throws -> PackageContents {
        guard let staged = generations.staged else { throw RestoreError.notReady }
        try space?.check(known: sink.known)
        let hasSections = manifest.sections?.isEmpty == false
        let state =
            hasSections
            ? try StagedState(Self.state(of: staged.generation, in: generations), catalogue: catalogue) : nil
        let whole: any RestoreSink = state.map { PhoneRestoreSink(journal: sink, state: $0) } ?? sink
        let contents =
            switch lock {
            case .header(let header):
                try file.read(
                    with: PackageReader(
                        header: header,
                        crypto: crypto,
                        outerManifest: outerManifest,
                        schemaVersion: manifest.schemaVersion,
                        isDigested: announced.map { !$0.zipSHA256.isEmpty || !$0.encSHA256.isEmpty } ?? false,
                        sink: whole
                    ),
                    passingKnown: space != nil
                )
            case .legacy(let key): try LegacyPackage.read(file.legacyBytes(), key: key, to: whole)
            }
        if let announced { try contents.digests.check(announced: announced) }
        // Before the generation is verified, which says that everything in its folder is on the disk.
        _ = try state?.seal(keeping: live)
        return contents
    }

    /// Where a generation has the phone's other data: until its commit the data that comes, and afterwards the data that it replaced.
    static func state(of generation: Generation, in store: GenerationStore) -> URL {
        store.url(of: generation.folder.appending(stateFolder))
    }

    static let stateFolder: StorePath = "State"
}
