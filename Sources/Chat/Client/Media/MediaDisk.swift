import Accounts
import Chat
import Foundation
import Kernel
import WebClient

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Where an account's media lie in the feature's folder, and how they are written. All of it blocks: call it from ``BlockingWork``.
///
/// ```
/// accounts/HUB-NUMBER/outbox/CONVERSATION/…   files of messages that were not sent yet
/// accounts/HUB-NUMBER/media/media_NUMBER/…    the documented cache
/// attachments/…                               files that a page handed in, for an hour
/// once/…                                      view-once pictures that a command opened, for a minute
/// ```
struct MediaDisk: Sendable {
    let root: URL

    /// - Parameter feature: The feature's own folder, which no other user can read.
    init(_ feature: URL) { root = feature }

    var attachments: URL { root.appending(path: "attachments", directoryHint: .isDirectory) }
    var once: URL { root.appending(path: "once", directoryHint: .isDirectory) }

    private func folder(of account: ChatAccount) -> URL {
        // A host's name has neither slashes nor underscores; the brackets and colons of an IPv6 address are no letters of ours.
        let hub = String(account.hub.authority.map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" })
        return root.appending(path: "accounts/\(hub)_\(account.user.number)", directoryHint: .isDirectory)
    }

    /// Removes everything of an account: it was deleted at its hub.
    func remove(_ account: ChatAccount) { Self.remove(folder(of: account)) }

    func outbox(of account: ChatAccount) -> URL {
        folder(of: account).appending(path: "outbox", directoryHint: .isDirectory)
    }

    func caches(of account: ChatAccount) -> URL {
        folder(of: account).appending(path: "media", directoryHint: .isDirectory)
    }

    /// Makes a folder of its owner's alone, where it is missing.
    static func make(_ folder: URL) throws {
        try FileManager.default.createDirectory(
            at: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    /// Makes a folder, and removes what is in it: leftovers of a program that ended early.
    static func makeEmpty(_ folder: URL) throws {
        try make(folder)
        for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
            try FileManager.default.removeItem(at: file)
        }
    }

    /// Writes a file of its owner's alone, whole or not at all; it is on disk when this returns.
    static func write(_ bytes: [UInt8], to file: URL) throws {
        let partial = file.deletingLastPathComponent().appending(component: ".partial-\(UUID.randomText())")
        guard
            FileManager.default.createFile(atPath: partial.path, contents: nil, attributes: [.posixPermissions: 0o600])
        else { throw CocoaError(.fileWriteUnknown) }
        do {
            let handle = try FileHandle(forWritingTo: partial)
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
            guard rename(partial.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            // The name survives a power cut, too.
            let folder = try FileHandle(forReadingFrom: file.deletingLastPathComponent())
            try? folder.synchronize()  // some file systems have none for folders
            try folder.close()
        } catch {
            try? FileManager.default.removeItem(at: partial)  // swept with the folder
            throw error
        }
    }

    static func remove(_ file: URL) { try? FileManager.default.removeItem(at: file) }  // gone already: as well
}
