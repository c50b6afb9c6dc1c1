import Generations

/// Where an entry of a package goes while its generation is staged.
struct EntryPlace {
    /// Nil for an entry that this version does not know.
    let path: StorePath?
    /// The path below `media/`; nil for what is no medium.
    let media: String?
    /// In bytes.
    let limit: UInt64

    static let manifest = "manifest.json"
    static let key = "security/master_key.bin"
    private static let manifestLimit: UInt64 = 64 << 20
    private static let keyLimit: UInt64 = 4096
    /// All files of records together.
    static let recordsLimit: UInt64 = 512 << 20
    /// Folders in folders: `media/Images/2026/03/…` has four.
    private static let depthLimit = 16

    /// - Throws: ``RestoreError/badName(_:)``.
    init(_ name: String, in generation: Generation, archiveBytes: UInt64) throws(RestoreError) {
        guard let path = try? StorePath(name),
            path.text.utf8.count(where: { $0 == UInt8(ascii: "/") }) < Self.depthLimit
        else { throw .badName(String(name.prefix(200))) }
        let first = name.prefix { $0 != "/" }
        let rest = first.endIndex < name.endIndex ? String(name[name.index(after: first.endIndex)...]) : ""
        switch first {
        case "media" where !rest.isEmpty:
            guard let below = try? StorePath(rest) else { throw .badName(String(name.prefix(200))) }
            (self.path, media, limit) = (generation.media.appending(below), rest, archiveBytes)
        case "sections" where !rest.isEmpty:
            (self.path, media, limit) = (generation.incoming.appending(path), nil, archiveBytes)
        case _ where name == Self.manifest || name == "files.jsonl":
            (self.path, media, limit) = (generation.incoming.appending(path), nil, Self.manifestLimit)
        case _ where name == Self.key:
            (self.path, media, limit) = (generation.incoming.appending(path), nil, Self.keyLimit)
        case _ where RecordKind.allCases.contains { $0.entryName == name }:
            (self.path, media, limit) = (generation.incoming.appending(path), nil, Self.recordsLimit)
        default:
            (self.path, media, limit) = (nil, nil, archiveBytes)
        }
    }
}
