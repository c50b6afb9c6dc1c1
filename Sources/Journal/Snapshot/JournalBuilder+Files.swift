package import Foundation
import Kernel

extension JournalBuilder {
    /// Bytes of a file of records that are in memory at a time.
    private static let piece = 1 << 18

    /// Builds a journal from the files of a package, one array of records each.
    ///
    /// - Parameters:
    ///   - generation: A folder without a database.
    ///   - records: The file of each kind; nil for a kind that the package has none of.
    ///   - media: The generation's folder `Media`, and the keys that follow from the master key.
    /// - Throws: ``JournalError``, also where a file has no end; what the database says.
    package static func build(
        generation: URL,
        records: (RecordKind) -> URL?,
        media: MediaVault,
        options: Options = Options()
    ) throws -> BuildReport {
        let builder = try JournalBuilder(generation: generation, options: options)
        for kind in RecordKind.allCases {
            guard let url = records(kind) else { continue }
            guard let handle = FileHandle(forReadingAtPath: url.path) else {
                throw JournalError.unreadable(path: url.path)
            }
            var reader = RecordArrayReader(kind)
            while true {
                let bytes: Data?
                do { bytes = try handle.read(upToCount: piece) } catch { throw JournalError.unreadable(path: url.path) }
                guard let bytes, !bytes.isEmpty else { break }
                try reader.take(bytes) { try builder.add(kind, $0) }
            }
            try reader.finish()
        }
        return try builder.finish(media: media)
    }
}
