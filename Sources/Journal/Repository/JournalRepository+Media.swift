import Foundation
import Kernel
import Pictures

/// A file that becomes a medium.
struct NewMedium: Sendable {
    var id: String
    var kind: MediumKind
    /// Small letters and digits, without a dot.
    var fileExtension: String
    /// On this machine, readable by the phone.
    var source: URL
    /// Pixels and seconds as another program told them; 0 where it did not.
    var width: Int64 = 0
    var height: Int64 = 0
    var duration: Double = 0
    /// Milliseconds since 1970.
    var createdAt: Int64
    var storyId: String?

    /// The ending of a file's name, for a name of our own: at most eight letters and digits.
    static func ending(of name: String) -> String {
        let parts = name.split(separator: ".")
        let text = parts.count > 1 ? (parts.last ?? "").lowercased() : ""
        let isPlain =
            (1...8).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
        return isPlain ? text : "bin"
    }
}

extension JournalRepository {
    /// Encrypts a file into the journal and puts it into a story.
    ///
    /// - Parameters:
    ///   - path: On this machine.
    ///   - story: Its id, or a beginning that no other has.
    /// - Throws: ``JournalError/unreadable(path:)``, ``JournalError/notWritten(path:)``, ``JournalError/unknownStory``.
    func attach(_ path: String, to story: String) async throws -> Medium {
        let source = URL(filePath: path)
        let medium = NewMedium(
            id: UUID.randomText(),
            kind: MediumKind(ofFile: source.lastPathComponent),
            fileExtension: NewMedium.ending(of: source.lastPathComponent),
            source: source,
            createdAt: now,
            storyId: try await detail(story).story.id
        )
        return try await keep(medium)
    }

    /// The file is on the disk before the record is; where the record cannot be written, the file goes again.
    ///
    /// - Parameter record: A record of the medium in another journal, whose names and unknown members stay.
    func keep(_ new: NewMedium, like record: Medium? = nil) async throws -> Medium {
        let medium = try await encrypt(new, like: record)
        try await put([medium])
        return medium
    }

    /// Writes a medium's files, which no record names yet, and which may not be on the disk yet: ``put(_:)`` comes next.
    func encrypt(_ new: NewMedium, like record: Medium? = nil) async throws -> Medium {
        let (vault, source, keyId) = (try vault, new.source, record?.keyId ?? new.id)
        let path =
            try record?.path ?? MediaVault.path(new.kind, "\(new.id).\(new.fileExtension)", date: new.createdAt)
        guard try await work.run({ Self.isFile(source) }) else { throw JournalError.unreadable(path: source.path) }
        // A file that an earlier attempt left behind is in nobody's record.
        let stored = try await work.run {
            if vault.size(of: path) != nil { vault.remove(path) }
            return try vault.save(source, to: path, keyId: keyId)
        }
        var medium = Medium(
            id: new.id,
            kind: new.kind,
            fileName: path.fileName,
            keyId: keyId,
            fileSize: stored.size,
            width: new.width,
            height: new.height,
            duration: new.duration,
            createdAt: new.createdAt,
            storyId: new.storyId,
            path: path,
            sha256: stored.sha256,
            crc32: stored.crc32,
            extra: record?.extra ?? [:]
        )
        do {
            if new.kind == .image, record == nil || record?.thumbnailFileName != nil {
                try await addThumbnail(to: &medium, of: source, in: vault)
            }
            return medium
        } catch {
            try await remove([medium], from: vault)
            throw error
        }
    }

    /// Waits until the files of media are on the disk, and writes their records, all in one transaction. Where that fails the files go again.
    func put(_ media: [Medium]) async throws {
        guard !media.isEmpty else { return }
        let vault = try vault
        do {
            try await work.run { try vault.settle(media.flatMap { [$0.path, $0.thumbnailPath].compactMap(\.self) }) }
            try await change { writing in for medium in media { try writing.put(medium) } }
        } catch {
            try await remove(media, from: vault)
            throw error
        }
    }

    /// Takes back files that no record names.
    func remove(_ media: [Medium], from vault: MediaVault) async throws {
        let paths = media.flatMap { [$0.path, $0.thumbnailPath].compactMap(\.self) }
        try await work.finish { for path in paths { vault.remove(path) } }
    }

    /// A picture that cannot be read stays without a thumbnail: it is the person's file all the same.
    private func addThumbnail(to medium: inout Medium, of source: URL, in vault: MediaVault) async throws {
        let bytes: [UInt8] = try await work.run {
            let size = (try? FileManager.default.attributesOfItem(atPath: source.path)[.size] as? NSNumber)?.int64Value
            guard let size, size <= JournalLimits.picture else { return [] }
            return Array((try? Data(contentsOf: source)) ?? Data())
        }
        guard !bytes.isEmpty else { return }
        let small: PictureThumbnail
        do {
            let size = try await pictures.dimensions(of: bytes)
            (medium.width, medium.height) = (Int64(size.width), Int64(size.height))
            small = try await pictures.thumbnail(
                of: bytes,
                longEdge: JournalLimits.thumbnailEdge,
                pixelLimit: JournalLimits.pixels
            )
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return
        }
        let path = try MediaVault.path(.image, "\(medium.id)_thumb.jpg", date: medium.createdAt)
        let keyId = medium.keyId
        let stored = try await work.run {
            if vault.size(of: path) != nil { vault.remove(path) }
            return try vault.save(small.picture.bytes, to: path, keyId: keyId)
        }
        medium.thumbnailFileName = path.fileName
        medium.thumbnailPath = path
        medium.thumbnailSize = stored.size
        medium.thumbnailSHA256 = stored.sha256
        medium.thumbnailCRC32 = stored.crc32
    }

    private static func isFile(_ url: URL) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
    }

    /// Writes a medium as it was into a new file of the person's.
    ///
    /// - Throws: ``JournalError/unknownMedium``, ``JournalError/mediumMissing``, ``JournalError/notWritten(path:)`` also where a file is there.
    func save(_ id: String, thumbnail: Bool, to target: String) async throws -> Medium {
        let (medium, path) = try await file(of: id, thumbnail: thumbnail)
        let vault = try vault
        try await work.run { try vault.copy(path, keyId: medium.keyId, to: URL(filePath: target)) }
        return medium
    }

    /// A medium and the place of its file.
    ///
    /// - Throws: ``JournalError/unknownMedium``, ``JournalError/mediumMissing``.
    func file(of id: String, thumbnail: Bool) async throws -> (medium: Medium, path: MediaPath) {
        guard let medium = try await store.read({ try $0.medium(id) }) else { throw JournalError.unknownMedium }
        guard let path = thumbnail ? medium.thumbnailPath : medium.path else { throw JournalError.mediumMissing }
        return (medium, path)
    }
}
