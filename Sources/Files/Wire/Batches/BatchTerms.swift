package import Kernel

/// How many small files a computer takes or gives in one exchange. Source: `docs/protocol.md`, "Many small files".
package struct BatchTerms: Hashable, Sendable {
    /// The terms of our own programs, and the most that is believed of another's: a message within them stays below 700,000 bytes, whatever
    /// the files are called, and a key that is pressed meanwhile waits behind half as much as behind a frame.
    package static let most = BatchTerms(files: 256, bytes: 192 << 10)
    /// A larger file is better off as a transfer of its own, which goes on where it was interrupted.
    private static let smallSize: Int64 = 64 << 10

    /// 1 to 256.
    package private(set) var files: Int
    /// Bytes of all files together, 1 to 196,608.
    package private(set) var bytes: Int64

    private init(files: Int, bytes: Int64) {
        self.files = files
        self.bytes = bytes
    }

    /// Reads the `batch` of an answer. Nil where it does not say one, as older computers do, or says one that holds nothing.
    package init?(wire: JSONValue?) {
        guard let files = wire?["files"]?.integerValue, let bytes = wire?["bytes"]?.integerValue, files > 0, bytes > 0
        else { return nil }
        self.files = Int(min(files, Int64(Self.most.files)))
        self.bytes = min(bytes, Self.most.bytes)
    }

    package var wire: JSONValue { ["files": .integer(Int64(files)), "bytes": .integer(bytes)] }

    /// Puts small files together, in their order.
    ///
    /// - Parameter size: An item's size in bytes; nil: not known, and better off alone.
    package func groups<Item>(of items: [Item], size: (Item) -> Int64?) -> (batches: [[Item]], alone: [Item]) {
        var (batches, batch, alone): ([[Item]], [Item], [Item]) = ([], [], [])
        var sum: Int64 = 0
        for item in items {
            guard let size = size(item), (0...min(Self.smallSize, bytes)).contains(size) else {
                alone.append(item)
                continue
            }
            if batch.count == files || sum + size > bytes {
                batches.append(batch)
                (batch, sum) = ([], 0)
            }
            batch.append(item)
            sum += size
        }
        if !batch.isEmpty { batches.append(batch) }
        return (batches, alone)
    }
}
