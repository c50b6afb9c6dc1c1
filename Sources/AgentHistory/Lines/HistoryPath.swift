/// The two names that one history can have: `X.jsonl`, and `X.jsonl.zst` once it was compressed.
enum HistoryPath {
    private static let compressedSuffix = ".jsonl.zst"
    private static let plainSuffix = ".jsonl"

    static func isCompressed(_ path: String) -> Bool { path.hasSuffix(compressedSuffix) }

    /// Nil for a file that is never compressed.
    static func sibling(of path: String) -> String? {
        if isCompressed(path) { return String(path.dropLast(4)) }
        return path.hasSuffix(plainSuffix) ? path + ".zst" : nil
    }

    /// The name without its folder and without `.jsonl`, `.jsonl.zst` or `.json`.
    static func stem(of path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        for suffix in [compressedSuffix, plainSuffix, ".json"] where name.hasSuffix(suffix) {
            return String(name.dropLast(suffix.utf8.count))
        }
        return name
    }

    /// The path without its last name.
    static func folder(of path: String) -> Substring {
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
    }

    static func joined(_ folder: String, _ name: String) -> String {
        folder.hasSuffix("/") ? folder + name : folder + "/" + name
    }
}
