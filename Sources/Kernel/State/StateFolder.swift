public import Foundation

/// The one folder a role keeps everything in: a SQLite database, a folder of blobs, a folder of keys.
/// Nothing else on disk is needed to run it, move it or back it up.
public struct StateFolder: Hashable, Sendable {
    public let url: URL

    /// Makes the folder and its parts when they are missing, readable by their owner only.
    ///
    /// - Throws: ``StateFolderError`` saying which path could not be made.
    public init(_ url: URL) throws {
        self.url = url.standardizedFileURL
        for folder in [self.url, keysURL, blobsURL] {
            do {
                try FileManager.default.createDirectory(
                    at: folder,
                    withIntermediateDirectories: true,
                    attributes: [.posixPermissions: 0o700]
                )
            } catch {
                throw StateFolderError.cannotCreate(path: folder.path, reason: error.localizedDescription)
            }
        }
        // A folder that was there already, or a umask, must not leave keys readable.
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: keysURL.path)
    }

    /// The folder at `url` as it is, or is not: for those who only ask whoever runs there.
    public init(at url: URL) {
        self.url = url.standardizedFileURL
    }

    /// `$XDG_STATE_HOME/tandem/<role>`, or `~/.local/state/tandem/<role>`.
    public static func defaultURL(role: String, environment: [String: String]) -> URL {
        let base: URL
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            base = URL(fileURLWithPath: state, isDirectory: true)
        } else {
            let home = environment["HOME"] ?? FileManager.default.homeDirectoryForCurrentUser.path
            base = URL(fileURLWithPath: home, isDirectory: true).appending(path: ".local/state")
        }
        return base.appending(path: "tandem").appending(path: role)
    }

    public var databaseURL: URL { url.appending(path: "tandem.sqlite") }
    public var blobsURL: URL { url.appending(path: "blobs") }
    public var keysURL: URL { url.appending(path: "keys") }
    public var configurationURL: URL { url.appending(path: "config.json") }
    /// Where the process that owns this folder answers other commands.
    public var controlSocketURL: URL { url.appending(path: "control.sock") }

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

    /// This device's id: a UUID made once and kept with the keys, because systems change theirs on reinstall.
    public func deviceID() throws -> String {
        if let bytes = try readKey("device-id") {
            let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
            guard UUID(uuidString: text) != nil else {
                throw StateFolderError.damagedKey(path: keysURL.appending(path: "device-id").path)
            }
            return text
        }
        let id = UUID().uuidString.lowercased()
        try writeKey("device-id", Array(id.utf8))
        return id
    }
}

/// What is wrong with a state folder, and what to do.
public enum StateFolderError: Error, Hashable, Sendable, CustomStringConvertible {
    case cannotCreate(path: String, reason: String)
    case cannotRead(path: String, reason: String)
    case cannotWrite(path: String, reason: String)
    case damagedKey(path: String)
    case inUse(path: String)

    public var description: String {
        switch self {
        case .cannotCreate(let path, let reason):
            "The state folder \(path) could not be made: \(reason) Choose another with --state."
        case .cannotRead(let path, let reason):
            "\(path) could not be read: \(reason) Check who owns it."
        case .cannotWrite(let path, let reason):
            "\(path) could not be written: \(reason) Check the free space and who owns the folder."
        case .damagedKey(let path):
            "\(path) is damaged. Restore it from a backup, or remove it and pair again."
        case .inUse(let path):
            "Another process is running on \(path). Stop it, or choose another folder with --state."
        }
    }
}
