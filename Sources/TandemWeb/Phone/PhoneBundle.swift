import Crypto
import Foundation
import Kernel

/// The files of the page for phones as they are served, with their hashes: made once, so that all of a run are of one version.
struct PhoneBundle: Sendable {
    struct File: Sendable {
        let type: String
        let bytes: [UInt8]
        /// The same bytes for browsers that take gzip; nil where that saves nothing.
        let compressed: [UInt8]?
        /// SHA-256 of `bytes`, in hexadecimal digits.
        let hash: String

        init(type: String, bytes: [UInt8]) {
            self.type = type
            self.bytes = bytes
            compressed = Gzip.compress(bytes).flatMap { $0.count < bytes.count * 9 / 10 ? $0 : nil }
            hash = Hexadecimal.encode(SHA256.hash(data: bytes))
        }
    }

    static let manifestPath = "bundle.json"
    private static let documentPath = "phone.html"
    /// What only the page on its role's own machine begins with.
    private static let others: Set = ["", "index.html", "sw.js", "manifest.webmanifest"]

    /// By their paths below the page's address; the page itself has none.
    let files: [String: File]
    /// The hash of all files: SHA-256 over a line for each, in the order of their paths' bytes, of its hash, two spaces, its path and a line feed.
    let hash: String

    /// - Parameter contents: The files of the page, by the paths that they have on a role's own page.
    init(_ contents: [AssetTable.Content], version: String) {
        var files: [String: File] = [:]
        for content in contents {
            let path = String(content.path.dropFirst())
            guard !Self.others.contains(path) else { continue }
            files[path == Self.documentPath ? "" : path] = File(type: content.type, bytes: content.bytes)
        }
        let ordered = files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        var hasher = SHA256()
        for (path, file) in ordered { hasher.update(data: Data("\(file.hash)  \(path)\n".utf8)) }
        hash = Hexadecimal.encode(hasher.finalize())
        let manifest: JSONValue = [
            "version": .string(version), "sha256": .string(hash),
            "files": .array(
                ordered.map { path, file -> JSONValue in
                    ["path": .string(path), "sha256": .string(file.hash), "bytes": .integer(Int64(file.bytes.count))]
                }
            ),
        ]
        files[Self.manifestPath] = File(type: "application/json", bytes: manifest.canonicalBytes)
        self.files = files
    }

    /// What a server serves of the page that is installed: a bundle of it where one was made, else its modules.
    ///
    /// - Parameters:
    ///   - folder: The page's own files; nil where they are not installed.
    ///   - bundles: Folders in which a bundle of these files may be.
    init(files folder: URL?, bundles: [URL], terminal: TerminalFiles?, version: String) {
        let bundled = folder.flatMap { BundledPage.find(in: bundles, madeOf: $0) }
        let table = AssetTable(folder: bundled ?? folder, terminal: terminal, hasComments: bundled == nil)
        self.init(table.contents(), version: version)
    }

    /// Whether the page is there: without its files a server has nothing to serve.
    var isComplete: Bool { files[""] != nil }
}
