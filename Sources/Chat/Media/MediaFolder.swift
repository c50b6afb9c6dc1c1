import Accounts
import Foundation
import Kernel

#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The files of one account's cache. All of it blocks: call it from ``BlockingWork``.
struct MediaFolder: Sendable {
    private static let partial = ".partial-"

    let root: URL

    /// - Parameter caches: The system's folder for what can be had again.
    init(in caches: URL, of person: UserID) {
        root = caches.appending(component: "media_\(person.number)", directoryHint: .isDirectory)
    }

    /// Makes the folder where it is missing, takes away what a crash left half written, and finds every file: in the folder itself and in its
    /// conversations' folders. Source: rule M4.
    ///
    /// - Returns: The files by name. A name in several places is taken from the root.
    func open() throws -> [String: URL] {
        let files = FileManager.default
        try files.createDirectory(at: root, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var found: [String: URL] = [:]
        for (name, url, isFolder) in try contents(root) {
            if isFolder {
                guard ConversationID(name) != nil else { continue }
                for (name, url, isFolder) in try contents(url) where !isFolder && found[name] == nil {
                    found[name] = url
                }
            } else {
                found[name] = url
            }
        }
        return found
    }

    private func contents(_ folder: URL) throws -> [(name: String, url: URL, isFolder: Bool)] {
        let keys: Set<URLResourceKey> = [.isDirectoryKey, .isSymbolicLinkKey]
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: Array(keys))
            .compactMap { url in
                let name = url.lastPathComponent
                if name.hasPrefix(Self.partial) {
                    // Left by a crash; one that stays takes room and nothing else.
                    try? FileManager.default.removeItem(at: url)
                    return nil
                }
                let values = try url.resourceValues(forKeys: keys)
                // A link may lead out of the folder; none of ours is one.
                guard values.isSymbolicLink != true, !name.hasPrefix(".") else { return nil }
                return (name, url, values.isDirectory == true)
            }
    }

    /// Writes a file whole or not at all. Source: rule M5.
    func write(_ data: Data, _ name: MediaName, in conversation: ConversationID?) throws -> URL {
        let folder =
            conversation.map { root.appending(component: $0.text, directoryHint: .isDirectory) } ?? root
        // The system may have taken the whole folder away meanwhile. Source: rule M8.
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        let file = folder.appending(component: name.text, directoryHint: .notDirectory)
        let partial = folder.appending(component: Self.partial + UUID.randomText(), directoryHint: .notDirectory)
        do {
            try data.write(to: partial)
            let handle = try FileHandle(forWritingTo: partial)
            // Before the name is there the bytes are: a power cut leaves no empty picture.
            try handle.synchronize()
            try handle.close()
            guard rename(partial.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: partial)
            throw error
        }
        return file
    }

    static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }
}
