package import Kernel

/// How many small files a computer takes or gives in one exchange. Source: `docs/protocol.md`, "Many small files".
package struct BatchTerms: Hashable, Sendable {
    /// The terms of our own programs, and the most that is believed of another's: a message within them stays below 700,000 bytes, whatever
    /// the files are called, and a key that is pressed meanwhile waits behind half as much as behind a frame.
    package static let most = BatchTerms(files: 256, bytes: 192 << 10)
    /// Bytes of files whose contents travel apart from the exchange, as one body in parts: the most that our own programs take, and the most that is
    /// believed of another's. 256 files of 16 KiB fill it, and a computer holds eight of them for one device at most.
    package static let bundleLimit: Int64 = 4 << 20
    /// A larger file is better off as a transfer of its own, which goes on where it was interrupted.
    package static let smallSize: Int64 = 64 << 10

    /// 1 to 256.
    package private(set) var files: Int
    /// Bytes of all files together, 1 to 196,608.
    package private(set) var bytes: Int64
    /// Bytes of all files whose contents travel apart, up to ``bundleLimit``; nil: none do.
    package private(set) var bundle: Int64?

    private init(files: Int, bytes: Int64) {
        self.files = files
        self.bytes = bytes
    }

    /// The same terms with contents that travel apart: for peers that reach each other through a session.
    package var withBundles: BatchTerms {
        var terms = self
        terms.bundle = Self.bundleLimit
        return terms
    }

    /// The same terms for who has no way for such contents.
    package var withoutBundles: BatchTerms {
        var terms = self
        terms.bundle = nil
        return terms
    }

    /// Reads the `batch` of an answer. Nil where it does not say one, as older computers do, or says one that holds nothing.
    package init?(wire: JSONValue?) {
        guard let files = wire?["files"]?.integerValue, let bytes = wire?["bytes"]?.integerValue, files > 0, bytes > 0
        else { return nil }
        self.files = Int(min(files, Int64(Self.most.files)))
        self.bytes = min(bytes, Self.most.bytes)
        // Less than goes within the exchange is of no use.
        bundle = wire?["bundle"]?.integerValue.flatMap { $0 > self.bytes ? min($0, Self.bundleLimit) : nil }
    }

    package var wire: JSONValue {
        .members(["files": .integer(Int64(files)), "bytes": .integer(bytes), "bundle": .whole(bundle)])
    }

    /// Puts small files together, in their order.
    ///
    /// - Parameter size: An item's size in bytes; nil: not known, and better off alone.
    package func groups<Item>(of items: [Item], size: (Item) -> Int64?) -> (batches: [[Item]], alone: [Item]) {
        var (batches, batch, alone): ([[Item]], [Item], [Item]) = ([], [], [])
        var sum: Int64 = 0
        let most = bundle ?? bytes
        for item in items {
            guard let size = size(item), (0...min(Self.smallSize, most)).contains(size) else {
                alone.append(item)
                continue
            }
            if batch.count == files || sum + size > most {
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
