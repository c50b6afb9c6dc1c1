public import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The one folder a role keeps everything in: a SQLite database, a folder of keys.
/// Nothing else on disk is needed to run it, move it or back it up.
public struct StateFolder: Hashable, Sendable {
    /// The folder itself, as an absolute file URL without `.` and `..`.
    public let url: URL

    /// Makes the folder and its parts when they are missing. All of it is its owner's only: what others could read of a
    /// folder that was there already, they cannot any more.
    ///
    /// - Throws: ``StateFolderError`` saying which path could not be made, or is not for a state folder.
    public init(_ url: URL) throws {
        self.url = url.standardizedFileURL
        try refuseForeignFolder()
        for folder in [self.url, keysURL] { try Self.makeClosedFolder(folder) }
        for folder in [self.url, keysURL] { try Self.closeFilesToOthers(in: folder) }
    }

    /// The folder at `url`, which need not exist: for a command that only asks the process that runs there.
    public init(at url: URL) {
        self.url = url.standardizedFileURL
    }

    /// `$XDG_STATE_HOME/tandem/<role>`, or `~/.local/state/tandem/<role>`. A `HOME` that is no path counts as none.
    public static func defaultURL(role: String, environment: [String: String]) -> URL {
        let base: URL
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            base = URL(fileURLWithPath: state, isDirectory: true)
        } else {
            let home =
                HomeFolder.path(environment: environment) ?? FileManager.default.homeDirectoryForCurrentUser.path
            base = URL(fileURLWithPath: home, isDirectory: true).appending(path: ".local/state")
        }
        return base.appending(path: "tandem").appending(path: role)
    }

    /// The role's SQLite database, beside which `-wal` and `-shm` may lie.
    public var databaseURL: URL { url.appending(path: "tandem.sqlite") }
    /// The folder of secret keys, one a file.
    public var keysURL: URL { url.appending(path: "keys") }
    /// The role's settings, JSON.
    public var configurationURL: URL { url.appending(path: "config.json") }
    /// Where the process that owns this folder answers other commands.
    public var controlSocketURL: URL { url.appending(path: "control.sock") }

    /// The folder of a feature of the role, `features/NAME`: made when it is first asked for.
    ///
    /// - Throws: ``StateFolderError`` naming the folder.
    package func featureFolder(_ name: String) throws(StateFolderError) -> URL {
        let features = url.appending(path: "features")
        let folder = features.appending(path: name)
        for url in [features, folder] { try Self.makeClosedFolder(url) }
        return folder
    }

    /// Makes a folder that is its owner's only; one that is there becomes so.
    package static func makeClosedFolder(_ url: URL) throws(StateFolderError) {
        do {
            try FileManager.default.createDirectory(
                at: url,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw StateFolderError.cannotCreate(path: url.path, reason: error.localizedDescription)
        }
        try closeToOthers(url)
    }

    // MARK: Who may read it

    /// The names at the top of a state folder; a folder that holds any of them is one.
    private static let marks: Set = ["tandem.sqlite", "keys", "blobs", "config.json", "control.sock", "lock"]

    /// A slip in `--state` must not close a folder that other users need, such as `/tmp` or a home.
    private func refuseForeignFolder() throws(StateFolderError) {
        guard let mode = Self.mode(url.path), mode & 0o077 != 0 else { return }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
        guard names.isEmpty || !Self.marks.isDisjoint(with: names) else { throw .notOurs(path: url.path) }
    }

    /// Files that were made before everything was, or copied here from a backup. Links are left alone: their targets are
    /// their owner's to arrange.
    private static func closeFilesToOthers(in folder: URL) throws(StateFolderError) {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        for name in names {
            let file = folder.appending(path: name)
            var status = stat()
            guard lstat(file.path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            try closeToOthers(file)
        }
    }

    private static func closeToOthers(_ url: URL) throws(StateFolderError) {
        guard let mode = mode(url.path), mode & 0o077 != 0 else { return }
        guard chmod(url.path, mode & 0o700) == 0 else {
            throw .readableByOthers(path: url.path, reason: String(cString: strerror(errno)))
        }
        guard let now = Self.mode(url.path), now & 0o077 == 0 else {
            throw .readableByOthers(path: url.path, reason: "its disk knows no permissions")
        }
    }

    /// The permissions of what is there; nil for nothing.
    private static func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    // MARK: Keys

    /// The bytes of a key file, or nil when there is none.
    public func readKey(_ name: String) throws -> [UInt8]? {
        let file = keysURL.appending(path: name)
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        do {
            return try Array(Data(contentsOf: file))
        } catch {
            throw StateFolderError.cannotRead(path: file.path, reason: error.localizedDescription)
        }
    }

    /// Writes a key file whole or not at all, readable by its owner only.
    public func writeKey(_ name: String, _ bytes: [UInt8]) throws {
        let file = keysURL.appending(path: name)
        let partial = keysURL.appending(path: ".\(name).\(UUID().uuidString)")
        do {
            // Created with its final mode: there is no moment in which others could read it.
            let made = FileManager.default.createFile(
                atPath: partial.path,
                contents: nil,
                attributes: [.posixPermissions: 0o600]
            )
            guard made else { throw CocoaError(.fileWriteUnknown) }
            let handle = try FileHandle(forWritingTo: partial)
            try handle.write(contentsOf: Data(bytes))
            try handle.synchronize()
            try handle.close()
            if rename(partial.path, file.path) != 0 { throw CocoaError(.fileWriteUnknown) }
        } catch {
            try? FileManager.default.removeItem(at: partial)  // the error below is the one to report
            throw StateFolderError.cannotWrite(path: file.path, reason: error.localizedDescription)
        }
    }

    /// This device's id, made once and kept with the keys, because systems change theirs on reinstall.
    ///
    /// - Parameter make: The id of a device that has none yet: a UUID, or 32 hexadecimal digits.
    public func deviceID(make: () -> String = { UUID().uuidString.lowercased() }) throws -> String {
        if let bytes = try readKey("device-id") {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard UUID(uuidString: text) != nil || Hexadecimal.decode(text)?.count == 16 else {
                throw StateFolderError.damagedKey(path: keysURL.appending(path: "device-id").path)
            }
            return text
        }
        let id = make()
        try writeKey("device-id", Array(id.utf8))
        return id
    }
}
