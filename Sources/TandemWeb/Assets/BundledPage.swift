import Crypto
import Foundation
import Kernel

/// The page for phones in few small files, which set-up makes of its many modules.
enum BundledPage {
    /// Beside the files of the bundle: the hash of the page that it was made of.
    private static let stamp = "made-of"
    private static let stampLimit = 4096

    /// The first of these folders that holds a bundle of just this page; nil where none does, as after a change of the page's files.
    static func find(in folders: [URL], madeOf page: URL) -> URL? {
        let stamped = folders.filter { FileManager.default.isReadableFile(atPath: $0.appending(path: stamp).path) }
        guard !stamped.isEmpty, let wanted = hash(of: page) else { return nil }
        return stamped.first { folder in
            let file = folder.appending(path: stamp)
            guard let size = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, size <= stampLimit,
                let data = try? Data(contentsOf: file)
            else { return false }
            return String(decoding: data, as: UTF8.self).split(separator: "\n").first.map(String.init) == wanted
        }
    }

    /// SHA-256 over a line for each file, in the order of their paths' bytes, of its hash, two spaces, its path and a line feed, as `sha256sum` writes them.
    private static func hash(of page: URL) -> String? {
        let base = page.resolvingSymlinksInPath()
        var hasher = SHA256()
        for path in AssetTable.paths(in: base).sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            guard let data = try? Data(contentsOf: base.appending(path: path)) else { return nil }
            hasher.update(data: Data("\(Hexadecimal.encode(SHA256.hash(data: data)))  \(path)\n".utf8))
        }
        return Hexadecimal.encode(hasher.finalize())
    }
}
