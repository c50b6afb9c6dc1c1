import Foundation
package import Journal
import Kernel
package import MigrationContainer

/// A journal as a package takes it: what one snapshot holds, as long as the package is sent.
package struct JournalBackup: BackupSource {
    private let snapshot: JournalSnapshot
    private let trustsSums: Bool

    /// - Parameter trustsSums: Whether files have the sums of the day on which they were saved. Where a disk has damaged one since, a package with
    ///   that sum can never be whole, and each file has to be read.
    package init(_ snapshot: JournalSnapshot, trustsSums: Bool = true) {
        self.snapshot = snapshot
        self.trustsSums = trustsSums
    }

    package func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        try snapshot.readText(entity.recordKind, after: key) { key, text in
            try take(BackupRecord(key: key, text: text))
        }
    }

    /// Also media whose file is not there: the package names them. Behind them the files that no record names, since nobody knows that they are of
    /// no use (#17); those of stories that were purged are not among them.
    package func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        var named: Set<MediaPath> = []
        for file in try snapshot.namedFiles() {
            named.insert(file.path)
            try take(
                BackupMedium(
                    path: file.path.text,
                    mediaID: file.mediaId,
                    size: file.size > 0 ? UInt64(file.size) : nil,
                    digest: trustsSums ? Self.digest(of: file) : nil
                )
            )
        }
        for path in try snapshot.unnamedFiles(named) {
            try take(BackupMedium(path: path.text, mediaID: nil, size: nil, digest: nil))
        }
        // A record whose place is not known has no file here; under its name it is told as one that was not found.
        for medium in try snapshot.mediaWithoutPlace() {
            try take(BackupMedium(path: "Lost/\(medium.name)", mediaID: medium.id, size: nil, digest: nil))
        }
    }

    /// Both sums, or the package computes them.
    private static func digest(of file: JournalSnapshot.File) -> MediumDigest? {
        guard let text = file.sha256, let sum = Hexadecimal.decode(text), let checksum = file.crc32 else { return nil }
        return MediumDigest(sha256: Array(sum), crc32: checksum)
    }

    package func open(_ medium: BackupMedium) throws -> any BackupFile {
        guard let path = MediaPath(medium.path) else { throw BackupFileError.notFound }
        return try SystemBackupFile(path: snapshot.url(of: path).path)
    }

    package func masterKey() throws -> [UInt8] { snapshot.masterKey }
}
