import Foundation
import Generations
import Journal
import Kernel
import MigrationContainer
import MigrationRestore

/// The journal's database of a generation while its records come in.
final class JournalDatabase: DatabaseBuild {
    private let builder: JournalBuilder
    private let media: URL

    init(_ generation: Generation, files: any FileSystemPort) throws {
        builder = try JournalBuilder(generation: files.url(of: generation.folder))
        media = files.url(of: generation.media)
    }

    func add(_ record: JSONValue, of entity: MigrationEntity) throws { try builder.add(entity.recordKind, record) }

    func add(text: [UInt8], of entity: MigrationEntity) throws {
        do {
            try builder.add(entity.recordKind, text: text)
        } catch JournalError.badRecord(_, member: RecordReader.textMember) {
            throw ContainerError.malformedRecords(entity.path)
        }
    }

    func finish(key: MasterKey) throws -> DatabaseOutcome {
        let report = try builder.finish(media: MediaVault(media, keys: try MediaKeys(master: key.bytes)))
        var counts: [MigrationEntity: Int] = [:]
        for entity in MigrationEntity.allCases { counts[entity] = report.counts[entity.recordKind] }
        return DatabaseOutcome(
            counts: counts,
            leftOut: [.relations: report.droppedRelations, .settings: report.skippedSettings],
            lost: report.broken.map { medium in
                LostMedium(
                    mediaID: medium.mediaId,
                    fileName: medium.fileName,
                    reason: medium.reason.rawValue,
                    storyID: medium.storyId
                )
            },
            lostCount: report.brokenCount,
            orphans: report.orphans.map(\.text),
            orphanCount: report.orphanCount
        )
    }
}
