import Crypto
public import Foundation
public import Kernel

#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Packages in a folder of the new phone's, each in a folder of its own: `package.enc.tmp`, `transfer.journal`.
///
/// The folder's name is made of the transfer's id and the container's header, never of text that a peer chose. A package that nothing was added to for seven
/// days is removed when another one is opened.
public struct SpoolFolder: PackageStore {
    /// The file with the package's bytes.
    public static let packageName = "package.enc.tmp"
    static let journalName = "transfer.journal"
    /// An empty file, by which the disk is asked what it can do.
    private static let trialName = "trial.tmp"
    static let retention: TimeInterval = 7 * 24 * 3600

    private let root: URL
    private let work: BlockingWork
    private let time: any TimeSource

    /// - Parameters:
    ///   - root: Made when it is not there, readable for this user only.
    ///   - work: The threads on which files are read and written.
    public init(_ root: URL, on work: BlockingWork, time: any TimeSource) {
        self.root = root
        self.work = work
        self.time = time
    }

    /// The package's file, for who opens and restores it.
    public func packageFile(of meta: BackupMeta) -> URL {
        folder(of: meta).appending(path: Self.packageName, directoryHint: .notDirectory)
    }

    public func unfinished() async throws -> ReceivedPackage? {
        let folders = try await work.run { [self] in try begun().sorted { $0.date > $1.date } }
        for (folder, _) in folders {
            do {
                return try await reopen(folder)
            } catch MigrationTransferError.damagedJournal {
                continue
            }
        }
        return nil
    }

    public func open(_ meta: BackupMeta) async throws -> ReceivedPackage {
        let folder = folder(of: meta)
        try await work.run { [self] in
            for old in try begun() where old.date < time.date.addingTimeInterval(-Self.retention) && old.url != folder {
                try FileManager.default.removeItem(at: old.url)
            }
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
        do {
            let begun = try await reopen(folder)
            if begun.meta.isSamePackage(as: meta) { return begun }
        } catch MigrationTransferError.damagedJournal {
            // Without a journal nothing of the file can be believed: the package begins anew.
        }
        let (sink, journal) = try await files(in: folder)
        try await sink.clear()
        let made = try await ReceivedPackage.begin(meta, sink: sink, journal: journal, on: work)
        // The names have to survive a loss of power as well as the bytes.
        try await work.run { [root] in
            for place in [folder, root] { try FileSpoolFile.synchronizeFolder(place.path(percentEncoded: false)) }
        }
        return made
    }

    public func availableBytes() async throws -> Int64 {
        try await work.run { [root] in
            var place = root
            // The folder may not have been made yet; its nearest parent lies on the same disk.
            while !FileManager.default.fileExists(atPath: place.path(percentEncoded: false)), place.path() != "/" {
                place = place.deletingLastPathComponent()
            }
            return try FileSpoolFile.availableBytes(at: place.path(percentEncoded: false))
        }
    }

    public func givesSpaceBack() async throws -> Bool {
        try await work.run { [root] in
            try FileManager.default.createDirectory(
                at: root,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let place = root.appending(path: Self.trialName, directoryHint: .notDirectory)
            let file = try FileSpoolFile(place.path(percentEncoded: false))
            defer { try? FileManager.default.removeItem(at: place) }  // an empty file harms nobody
            return file.givesSpaceBack
        }
    }

    public func remove(_ meta: BackupMeta) async throws {
        let folder = folder(of: meta)
        try await work.run {
            guard FileManager.default.fileExists(atPath: folder.path(percentEncoded: false)) else { return }
            try FileManager.default.removeItem(at: folder)
        }
    }

    private func folder(of meta: BackupMeta) -> URL {
        let name = SHA256.hash(data: Data(meta.transferID.utf8) + meta.headerSHA256)
        return root.appending(path: Hexadecimal.encode(name.prefix(16)), directoryHint: .isDirectory)
    }

    /// The folders with a journal, and when it was last written. Blocks.
    private func begun() throws -> [(url: URL, date: Date)] {
        let manager = FileManager.default
        guard manager.fileExists(atPath: root.path(percentEncoded: false)) else { return [] }
        return try manager.contentsOfDirectory(at: root, includingPropertiesForKeys: nil).compactMap { folder in
            let journal = folder.appending(path: Self.journalName).path(percentEncoded: false)
            guard let date = try? manager.attributesOfItem(atPath: journal)[.modificationDate] as? Date else {
                return nil
            }
            return (folder, date)
        }
    }

    private func reopen(_ folder: URL) async throws -> ReceivedPackage {
        let (sink, journal) = try await files(in: folder)
        return try await ReceivedPackage.open(sink: sink, journal: journal, on: work)
    }

    private func files(in folder: URL) async throws -> (sink: SpooledPackage, journal: FileSpoolFile) {
        let path = folder.path(percentEncoded: false)
        let (package, journal) = try await work.run {
            (
                try FileSpoolFile(path + "/" + Self.packageName),
                try FileSpoolFile(path + "/" + Self.journalName)
            )
        }
        return (
            SpooledPackage(package, on: work) { try FileSpoolFile.availableBytes(at: path) },
            journal
        )
    }
}
