import Foundation
import Generations

/// What `restore.journal` says of the entries that came. It counts from one record with a place to the next: entries behind the last place are
/// sent again.
struct StagingProgress: Sendable {
    /// An entry that is whole.
    struct Entry: Hashable, Codable, Sendable {
        var name: String
        var size: UInt64
        /// Base64; nil for what has no hash in the manifest.
        var sha256: Data?
    }

    /// The entry whose bytes were coming in.
    struct OpenEntry: Hashable, Codable, Sendable {
        var name: String
        var size: UInt64
        var written: UInt64
    }

    private struct Record: Codable {
        var entries: [Entry]
        var place: Data?
        var open: OpenEntry?
    }

    private(set) var entries: [String: Entry] = [:]
    private(set) var open: OpenEntry?
    /// Where the reader of the package goes on; nil where nothing was written down.
    private(set) var place: [UInt8]?

    private static let entriesInRecord = 100
    static let placeLimit = 4096

    static func read(from store: GenerationStore) throws(GenerationsError) -> StagingProgress {
        var progress = StagingProgress()
        var tentative: [Entry] = []
        try store.progress { bytes in
            guard let record = try? JSONDecoder().decode(Record.self, from: Data(bytes)) else { return }
            tentative += record.entries
            guard let place = record.place else { return }
            for entry in tentative { progress.entries[entry.name] = entry }
            tentative = []
            progress.place = Array(place)
            progress.open = record.open
        }
        return progress
    }

    /// Writes down entries that are on the disk, and then the place behind them.
    static func note(
        _ entries: [Entry],
        open: OpenEntry?,
        place: [UInt8],
        in store: GenerationStore
    ) throws(GenerationsError) {
        var rest = entries[...]
        while rest.count > entriesInRecord {
            try store.note(progress: encode(Record(entries: Array(rest.prefix(entriesInRecord)))))
            rest = rest.dropFirst(entriesInRecord)
        }
        try store.note(progress: encode(Record(entries: Array(rest), place: Data(place), open: open)))
    }

    private static func encode(_ record: Record) -> [UInt8] {
        do {
            return Array(try JSONEncoder().encode(record))
        } catch {
            preconditionFailure("a value of texts, bytes and whole numbers has a JSON")
        }
    }
}
