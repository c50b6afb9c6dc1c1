import Foundation
import Kernel

/// Sections that a package had and this version does not know: kept as they came, and handed on with the next package.
///
/// ```
/// kept-sections/NAME/header.json
/// kept-sections/NAME/rows.jsonl
/// kept-sections/NAME/folders/…, keys/…, files/…
/// ```
struct KeptSections {
    static let folderName = "kept-sections"
    /// Bytes of a header's file that is read.
    private static let headerLimit = 1 << 20

    private let root: URL

    /// - Parameter state: A state folder, or one that is staged.
    init(_ state: URL) { root = state.appending(path: Self.folderName) }

    func folder(of name: String) -> URL { root.appending(path: name) }
    func headerURL(of name: String) -> URL { folder(of: name).appending(path: "header.json") }
    func rowsURL(of name: String) -> URL { folder(of: name).appending(path: "rows.jsonl") }

    /// - Throws: ``SectionError`` for one that was damaged since.
    func snapshots() throws -> [SectionSnapshot] {
        guard FileManager.default.fileExists(atPath: root.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: root.path).sorted().map { name in
            let attributes = try FileManager.default.attributesOfItem(atPath: headerURL(of: name).path)
            guard (attributes[.size] as? NSNumber)?.intValue ?? .max <= Self.headerLimit else {
                throw SectionError.damaged(section: name, reason: "its header is too long")
            }
            let header = try JSONDecoder().decode(SectionHeader.self, from: Data(contentsOf: headerURL(of: name)))
            try header.check()
            let files = try ["files", "folders", "keys"].flatMap {
                try SectionExport.files(below: folder(of: name).appending(path: $0), as: $0)
            }
            return SectionSnapshot(header, files: files, reader: nil, keptRows: rowsURL(of: name))
        }
    }
}
