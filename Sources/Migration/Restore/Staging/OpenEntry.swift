import Crypto
import Generations

/// An entry whose bytes come in.
struct OpenEntry: Sendable {
    let name: String
    let place: EntryPlace
    /// In bytes, as the archive says.
    let size: UInt64
    /// Nil for an entry that is left out.
    let file: (any StoreFile)?
    var written: UInt64 = 0
    var hash: SHA256?

    mutating func write(_ bytes: ArraySlice<UInt8>) throws {
        guard UInt64(bytes.count) <= size - written else { throw RestoreError.wrongSize(name) }
        try file?.write(bytes, at: written)
        hash?.update(data: bytes)
        written += UInt64(bytes.count)
    }
}
