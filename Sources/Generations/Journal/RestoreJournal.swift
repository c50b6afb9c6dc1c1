import Kernel
import Synchronization

/// `restore.journal`, open for more records: each is on the disk before the call returns. A torn tail is cut off when it is opened.
final class RestoreJournal: Sendable {
    /// Bytes of the frame around a body.
    private static let frameBytes = 9
    private static let windowBytes = 256 << 10

    private let file: any StoreFile
    /// Where the next record goes.
    private let end: Mutex<UInt64>

    private init(_ file: any StoreFile, end: UInt64) {
        self.file = file
        self.end = Mutex(end)
    }

    deinit { file.close() }

    /// A new journal with its first record. Its name is not on the disk yet.
    static func create(
        _ path: StorePath,
        _ first: RestoreRecord.Preparing,
        in files: any FileSystemPort
    ) throws(GenerationsError) -> RestoreJournal {
        try files.removeFileIfThere(path)
        let journal = RestoreJournal(try files.open(path, .create), end: 0)
        try journal.append(.preparing(first))
        return journal
    }

    /// Opens a journal and hands its whole records to `visit`, in order. What follows a record that is cut short or whose checksum is wrong was
    /// never confirmed to anybody, and is overwritten.
    static func open(
        _ path: StorePath,
        in files: any FileSystemPort,
        _ visit: (RestoreRecord) throws(GenerationsError) -> Void
    ) throws(GenerationsError) -> RestoreJournal {
        let file = try files.open(path, .write)
        let end = try read(file, visit)
        try file.truncate(to: end)
        return RestoreJournal(file, end: end)
    }

    func read(_ visit: (RestoreRecord) throws(GenerationsError) -> Void) throws(GenerationsError) {
        _ = try Self.read(file, visit)
    }

    func append(_ record: RestoreRecord) throws(GenerationsError) {
        let bytes = try record.encoded()
        try end.withLock { end throws(GenerationsError) in
            try file.write(bytes, at: end)
            try file.synchronize()
            end += UInt64(bytes.count)
        }
    }

    /// - Returns: Where the whole records end.
    private static func read(
        _ file: any StoreFile,
        _ visit: (RestoreRecord) throws(GenerationsError) -> Void
    ) throws(GenerationsError) -> UInt64 {
        var end: UInt64 = 0
        var window: ArraySlice<UInt8> = []
        while true {
            if window.count < frameBytes + RestoreRecord.bodyLimit {
                window = try file.read(windowBytes, at: end)[...]
            }
            guard let (record, length) = record(at: window) else { return end }
            if let record { try visit(record) }
            window = window.dropFirst(length)
            end += UInt64(length)
        }
    }

    private static func record(at window: ArraySlice<UInt8>) -> (RestoreRecord?, length: Int)? {
        guard window.count >= frameBytes else { return nil }
        let body = Int(bigEndian(window.prefix(4)))
        guard body <= RestoreRecord.bodyLimit, window.count >= frameBytes + body else { return nil }
        let sum = window.startIndex + 5 + body
        guard CRC32C.checksum(window[..<sum]) == bigEndian(window[sum..<(sum + 4)]) else { return nil }
        let kind = window[window.startIndex + 4]
        return (RestoreRecord(kind: kind, body: window[(window.startIndex + 5)..<sum]), frameBytes + body)
    }

    private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt32 { bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}
