import Crypto
import Foundation
import Kernel
import Synchronization
import Transport

/// The files that a page is made of, by the paths that they are served at: a table made once, so that no path is ever made of a request.
struct AssetTable: Sendable {
    private static let fileLimit = 1000
    private static let byteLimit = 16 << 20
    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "json": "application/json",
        "webmanifest": "application/manifest+json", "png": "image/png", "webp": "image/webp", "ico": "image/x-icon",
        "woff2": "font/woff2", "txt": "text/plain; charset=utf-8",
    ]

    /// One file, read again when it has changed.
    private final class Asset: Sendable {
        private struct Content {
            let modified: Date
            let size: Int
            let bytes: [UInt8]
            let tag: String
        }

        let url: URL
        let type: String
        private let content = Mutex<Content?>(nil)

        /// Whether it is one of the page's own files as it was written, which is served without comments; others are served as they are.
        let isOurs: Bool

        init(url: URL, type: String, isOurs: Bool = false) {
            self.url = url
            self.type = type
            self.isOurs = isOurs
        }

        /// A script or style without indentation and without the lines that are comments: one that begins with `//`, or with `/*` until the
        /// line that ends with `*/`.
        private static func stripped(_ data: Data) -> [UInt8] {
            var (kept, isInside) = ([UInt8](), false)
            kept.reserveCapacity(data.count)
            for line in String(decoding: data, as: UTF8.self).split(separator: "\n") {
                let line = line.trimmingCharacters(in: .whitespaces)
                if isInside || line.hasPrefix("/*") {
                    isInside = !line.hasSuffix("*/")
                } else if !line.isEmpty, !line.hasPrefix("//") {
                    kept += line.utf8
                    kept.append(UInt8(ascii: "\n"))
                }
            }
            return kept
        }

        func read() -> (bytes: [UInt8], tag: String)? {
            guard let facts = try? FileManager.default.attributesOfItem(atPath: url.path),
                let modified = facts[.modificationDate] as? Date, let size = (facts[.size] as? NSNumber)?.intValue,
                size <= AssetTable.byteLimit
            else { return nil }
            return content.withLock { content in
                if let content, content.modified == modified, content.size == size {
                    return (content.bytes, content.tag)
                }
                guard let data = try? Data(contentsOf: url) else { return nil }
                let tag = "\"\(Hexadecimal.encode(SHA256.hash(data: data).prefix(12)))\""
                let bytes = isOurs && ["js", "css"].contains(url.pathExtension) ? Self.stripped(data) : Array(data)
                content = Content(modified: modified, size: size, bytes: bytes, tag: tag)
                return (bytes, tag)
            }
        }
    }

    private let assets: [String: Asset]
    let hasTerminal: Bool

    /// - Parameters:
    ///   - folder: The page's own files; nil serves a sentence in their place.
    ///   - hasComments: Whether they are as they were written; a bundle has been made small already, and the lines of its texts stay as they are.
    init(folder: URL?, terminal: TerminalFiles?, hasComments: Bool = true) {
        var assets: [String: Asset] = [:]
        for path in folder.map(Self.paths) ?? [] {
            guard let folder, let type = Self.types[String(path.split(separator: ".").last ?? "")] else { continue }
            assets["/" + path] = Asset(url: folder.appending(path: path), type: type, isOurs: hasComments)
        }
        if let index = assets["/index.html"] { assets["/"] = index }
        if let terminal {
            assets["/assets/xterm.js"] = Asset(url: terminal.script, type: Self.types["js"] ?? "")
            assets["/assets/xterm.css"] = Asset(url: terminal.style, type: Self.types["css"] ?? "")
        }
        hasTerminal = terminal != nil
        self.assets = assets
    }

    /// One file as it is served.
    struct Content {
        /// With `/` before it.
        let path: String
        let type: String
        let bytes: [UInt8]
    }

    /// All files as they are now. Those that cannot be read are left out.
    func contents() -> [Content] {
        assets.compactMap { path, asset in
            asset.read().map { Content(path: path, type: asset.type, bytes: $0.bytes) }
        }
    }

    /// - Parameter path: As in the request line, without the query.
    func answer(_ path: String, knownTag: String?) -> HTTPRouteResponse? {
        guard let asset = assets[path], let (bytes, tag) = asset.read() else {
            return path == "/" ? Self.missing : nil
        }
        // Asked for each time, and not sent again while it is the same.
        let fields = [("Cache-Control", "no-cache"), ("ETag", tag)]
        guard knownTag != tag else { return HTTPRouteResponse(status: 304, fields: fields) }
        return HTTPRouteResponse(fields: fields + [("Content-Type", asset.type)], body: .bytes(bytes))
    }

    private static let missing = HTTPRouteResponse.text(
        "The page's files are not installed here. Install them with bin/install, or name their folder: TANDEM_PAGE_FILES=DIR\n",
        status: 503
    )

    /// Ordinary files in ordinary folders, whose names need no escapes.
    static func paths(in folder: URL) -> [String] {
        let base = folder.resolvingSymlinksInPath()
        let entries = FileManager.default.enumerator(atPath: base.path)
        var paths: [String] = []
        while let path = entries?.nextObject() as? String, paths.count < fileLimit {
            let isPlain = path.hasOnlyLettersAndDigits(or: "-_./")
            let facts = try? FileManager.default.attributesOfItem(atPath: base.appending(path: path).path)
            if isPlain, !path.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
                facts?[.type] as? FileAttributeType == .typeRegular
            {
                paths.append(path)
            }
        }
        return paths
    }
}
