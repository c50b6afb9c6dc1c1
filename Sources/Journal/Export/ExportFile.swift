import Foundation

/// A long file that is written in pieces, with a quarter of a megabyte in memory.
struct ExportFile {
    private static let limit = 1 << 18

    private let path: String
    private let handle: FileHandle
    private var bytes: [UInt8] = []

    /// - Throws: ``JournalError/notWritten(path:)``, also where something is there.
    init(_ url: URL) throws(JournalError) {
        path = url.path
        handle = try NewFile.open(url)
        bytes.reserveCapacity(Self.limit + (64 << 10))
    }

    mutating func write(_ text: String) throws(JournalError) {
        bytes += text.utf8
        try flush(over: Self.limit)
    }

    /// The canonical text of a record.
    mutating func write(_ record: any JournalRecord) throws(JournalError) {
        record.appendText(to: &bytes)
        try flush(over: Self.limit)
    }

    /// Writes the rest and closes the file.
    mutating func finish() throws(JournalError) {
        try flush(over: 0)
        do { try handle.close() } catch { throw .notWritten(path: path) }
    }

    private mutating func flush(over limit: Int) throws(JournalError) {
        guard bytes.count > limit else { return }
        do { try handle.write(contentsOf: bytes) } catch { throw .notWritten(path: path) }
        bytes.removeAll(keepingCapacity: true)
    }
}
