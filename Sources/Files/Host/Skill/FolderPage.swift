import Files
import Transfers

/// A part of a folder's entries: folders first, then by name.
struct FolderPage: Sendable {
    static let entryLimit = 200_000

    var offset: Int
    var limit: Int
    var showsHidden: Bool
    var isCompact: Bool

    /// Looks closely only at the entries of the page, so that a large folder costs little.
    func listing(of folder: any OpenFolder, _ path: String) throws -> FolderListing {
        var sorted: [(name: FolderName, key: [UInt8])] = []
        for var name in try folder.names(limit: Self.entryLimit) {
            guard showsHidden || name.bytes.first != UInt8(ascii: ".") else { continue }
            if name.kind == nil { name.kind = try folder.status(of: name.bytes)?.kind }
            sorted.append((name, Self.key(name)))
        }
        sorted.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let base = path.hasSuffix("/") ? path : path + "/"
        var entries: [FileEntry] = []
        var compact = CompactEntries()
        var cost = 0
        var index = min(offset, sorted.count)
        while index < sorted.count, index - offset < limit {
            let name = sorted[index].name.bytes
            // An entry that went away meanwhile is not listed.
            if let status = try folder.status(of: name) {
                let before = compact.count
                if isCompact {
                    compact.append(name: name, status: status)
                    cost += AnswerCost.of(compact.suffix(from: before))
                } else {
                    let isFolder =
                        status.kind == .link ? folder.target(of: name)?.kind == .folder : status.kind == .folder
                    let text = base + FileNameText.text(name)
                    cost += AnswerCost.entry(path: text)
                    if cost <= AnswerCost.budget {
                        entries.append(FileEntry(name: name, path: text, status: status, isFolder: isFolder))
                    }
                }
                if cost > AnswerCost.budget {
                    compact.removeSuffix(from: before)
                    break
                }
            }
            index += 1
        }
        var listing =
            isCompact ? FolderListing(path: path, compact: compact) : FolderListing(path: path, entries: entries)
        listing.total = Int64(sorted.count)
        listing.offset = Int64(offset)
        listing.nextOffset = index < sorted.count ? Int64(index) : nil
        return listing
    }

    /// Folders before the rest, capitals like small letters, and then byte by byte, so that the order never depends on anything else.
    private static func key(_ name: FolderName) -> [UInt8] {
        var key: [UInt8] = [name.kind == .folder ? 0 : 1]
        key.reserveCapacity(name.bytes.count * 2 + 2)
        for byte in name.bytes { key.append((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) }
        key.append(0)
        return key + name.bytes
    }
}
