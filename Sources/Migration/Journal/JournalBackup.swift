import Foundation
package import Journal
import Kernel
package import MigrationContainer

/// A journal as a package takes it: what one snapshot holds, as long as the package is sent.
package struct JournalBackup: BackupSource {
    private let snapshot: JournalSnapshot

    package init(_ snapshot: JournalSnapshot) { self.snapshot = snapshot }

    package func readRecords(
        of entity: MigrationEntity,
        after key: String?,
        _ take: (BackupRecord) throws -> Bool
    ) throws {
        try snapshot.read(entity.recordKind, after: key) { key, record in
            try take(BackupRecord(key: key, value: record))
        }
    }

    /// Also media whose file is not there: the package names them.
    package func readMedia(_ take: (BackupMedium) throws -> Void) throws {
        for file in try snapshot.namedFiles() {
            try take(
                BackupMedium(
                    path: file.path.text,
                    mediaID: file.mediaId,
                    size: file.size > 0 ? UInt64(file.size) : nil,
                    digest: Self.digest(of: file)
                )
            )
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
