import Foundation
import Kernel

/// The files of a migration in the phone's state folder. None of them moves with the phone's data.
///
/// ```
/// features/migrate/outgoing/transfer.json     what is sent, so that it goes on after a start of the program
/// features/migrate/outgoing/sections/         rows of the phone's sections, as they are sent
/// features/migrate/incoming/                  packages that come, and the transfer that they belong to
/// features/migrate/intent.json                what the next start of the program puts into place
/// features/migrate/outcome.json               what it did
/// features/migrate/doubt.json                 the last package failed, so that the next one reads each file for its sum
/// keys/migration-outgoing, migration-incoming the keys of the proof between both phones
/// ```
struct MigrationPlaces: Sendable {
    static let featureName = "migrate"
    static let folders = ["outgoing", "incoming", "intent.json", "outcome.json", "doubt.json"]
    static let keyPrefix = "migration-"
    /// Bytes of one of these files that are read.
    private static let byteLimit = 256 << 20

    let state: StateFolder
    let root: URL

    init(_ state: StateFolder) throws {
        self.state = state
        root = try state.featureFolder(Self.featureName)
    }

    var outgoing: URL { root.appending(path: "outgoing", directoryHint: .isDirectory) }
    var sections: URL { outgoing.appending(path: "sections", directoryHint: .isDirectory) }
    var outgoingTransfer: URL { outgoing.appending(path: "transfer.json") }
    var incoming: URL { root.appending(path: "incoming", directoryHint: .isDirectory) }
    var incomingTransfer: URL { incoming.appending(path: "transfer.json") }
    var intent: URL { root.appending(path: "intent.json") }
    var outcome: URL { root.appending(path: "outcome.json") }
    var doubt: URL { root.appending(path: "doubt.json") }

    static let outgoingKeys = keyPrefix + "outgoing"
    static let incomingKeys = keyPrefix + "incoming"

    /// Blocks.
    ///
    /// - Returns: Nil where there is no such file, or what it says cannot be understood: whoever wrote it begins anew.
    static func read<Value: Decodable>(_ type: Value.Type, from url: URL) -> Value? {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: url.path),
            (attributes[.size] as? NSNumber)?.intValue ?? .max <= byteLimit,
            let data = try? Data(contentsOf: url)
        else { return nil }
        return try? JSONDecoder().decode(type, from: data)
    }

    /// Writes a file of its owner's alone, which is on the disk when this returns, whole or not at all. Blocks.
    ///
    /// - Throws: What the disk says.
    static func write(_ value: some Encodable, to url: URL) throws {
        try StateFolder.makeClosedFolder(url.deletingLastPathComponent())
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let data = try encoder.encode(value)
        let partial = url.appendingPathExtension("partial")
        let handle = try makeFile(partial)
        try handle.write(contentsOf: data)
        try handle.synchronize()
        try handle.close()
        guard rename(partial.path, url.path) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        try synchronizeFolder(url.deletingLastPathComponent())
    }

    /// A new file of its owner's alone, in place of one that an earlier run left.
    static func makeFile(_ url: URL) throws -> FileHandle {
        let descriptor = open(url.path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    static func synchronizeFolder(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        defer { _ = close(descriptor) }  // it only read
        // Some file systems have no sync of folders, and then no way to lose a name alone.
        guard fsync(descriptor) == 0 || errno == EINVAL else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    /// Does nothing where there is none.
    static func remove(_ url: URL) throws {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        try FileManager.default.removeItem(at: url)
    }
}
