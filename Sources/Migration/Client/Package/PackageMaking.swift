import Foundation
import Journal
import Kernel
import MigrationContainer
import Sections
import TandemPhone

/// Makes the package of this phone's data.
struct PackageMaking: Sendable {
    let site: MigrationSite
    let password: MigrationPassword
    /// Of the proof between both phones; nil for a package that is kept as a file.
    let sessionKey: [UInt8]?
    /// Whether media are believed to be as they were saved. Not behind a package that failed: a file that a disk damaged is read for its sum then,
    /// and moves as it is.
    let trustsSums: Bool

    /// What the package was made of, as long as it is read.
    struct Made: Sendable {
        let package: MigrationPackage
        let source: PhoneBackupSource
        let sections: SectionFiles?
    }

    /// Reads the data once.
    ///
    /// - Parameters:
    ///   - takesAll: Whether the phone's other data comes along; it rests by then.
    ///   - progress: Told the bytes that were read, on a thread that may block.
    func make(takesAll: Bool, progress: @escaping @Sendable (UInt64) throws -> Void) async throws -> Made {
        let phone = try site.phone.phone
        let (source, sections) = try await source(of: phone, try freezing(takesAll, phone))
        let description = BackupDescription(
            backupID: UUID(),
            appVersion: site.version,
            createdAt: site.time.date.millisecondsSince1970 / 1000
        )
        let package = try await MigrationBackupService(crypto: site.crypto, work: site.work).makePackage(
            of: source,
            description: description,
            password: password,
            sessionKey: sessionKey,
            cost: site.cost,
            progress: progress
        )
        return Made(package: package, source: source, sections: sections)
    }

    /// Makes a package again that an earlier run of the program began.
    ///
    /// - Throws: `ContainerError.wrongPassword` for another password than the first time.
    func reopen(_ plan: PackagePlan, _ sections: SectionFiles?) async throws -> Made {
        let (source, _) = try await source(of: try site.phone.phone) { sections }
        let package = try await MigrationBackupService(crypto: site.crypto, work: site.work)
            .reopenPackage(plan, of: source, password: password, sessionKey: sessionKey)
        return Made(package: package, source: source, sections: sections)
    }

    private func freezing(_ takesAll: Bool, _ phone: Phone) throws -> @Sendable () throws -> SectionFiles? {
        guard takesAll else { return { nil } }
        let (catalogue, source, folder) = (try phone.sections, phone.sectionSource, site.places.sections)
        return { try SectionFiles(SectionExport(catalogue).freeze(source), in: folder) }
    }

    private func source(
        of phone: Phone,
        _ sections: @escaping @Sendable () throws -> SectionFiles?
    ) async throws -> (PhoneBackupSource, SectionFiles?) {
        let generations = try site.phone.journal.generations
        return try await site.work.run { [trustsSums] in
            let files = try sections()
            return (try PhoneBackupSource(generations, sections: files, trustsSums: trustsSums), files)
        }
    }
}
