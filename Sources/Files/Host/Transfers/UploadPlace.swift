import Files
import Transfers

/// Where the files of phones arrive: below the shared folders, written down in the journal.
struct UploadPlace: ArrivalPlace {
    let access: any FileAccess
    let journal: any UploadJournal

    /// Whether the file may have its name.
    func check(_ record: UploadRecord) throws {
        let target = try target(record)
        try access.checkTarget(target)
        if let base = record.basedOn { return try check(base, at: target) }
        if !record.replaces, try arrived(record) != nil { throw FileError.exists(access.roots.text(of: target)) }
    }

    func begin(_ record: UploadRecord) throws { try journal.save(record) }

    func save(_ record: UploadRecord) throws { try journal.save(record) }

    func remove(_ record: UploadRecord) throws { try journal.remove(record.id) }

    func makePart(of record: UploadRecord) throws -> any PartialFile {
        // What of a new file is there before anything came are its holes.
        try access.makePart(record.partName, in: try folder(record), size: record.size, holes: record.received)
    }

    func openPart(of record: UploadRecord) throws -> any PartialFile {
        try access.openPart(record.partName, in: try folder(record))
    }

    /// Whether a file still is what somebody's text was made from.
    ///
    /// - Throws: ``EditConflict``, `FileError`.
    private func check(_ base: FileBase, at target: FileLocation) throws {
        let text = access.roots.text(of: target)
        let status: FileStatus
        do {
            status = try access.status(of: target, followingLink: false)
        } catch FileError.notFound {
            throw EditConflict.gone(text)
        }
        // A link would be replaced by a file, and what it leads to would stay as it is.
        guard status.kind == .file else { throw FileError.notOrdinary(text, status.kind) }
        // A rename asks for no right over the file that it replaces.
        guard status.permissions & 0o222 != 0 else { throw FileError.denied(text) }
        guard status.size == base.size else { throw EditConflict.changed(text) }
        guard let checksum = base.checksum else {
            guard status.modifiedMilliseconds == base.modifiedMilliseconds else { throw EditConflict.changed(text) }
            return
        }
        let file = try access.openFile(target)
        var digest = FileDigest(.sha256, size: base.size)
        do {
            guard try digest.finish(file, named: text) == checksum else { throw EditConflict.changed(text) }
        } catch TransferError.sourceChanged {
            throw EditConflict.changed(text)
        }
    }

    func finish(_ part: any PartialFile, _ record: UploadRecord) throws {
        // Once more, right before it gets the name: while it was on its way another program may have written.
        if let base = record.basedOn { try check(base, at: target(record)) }
        try part.finish(
            as: Array(record.name),
            replacing: record.replaces,
            permissions: record.permissions,
            modifiedMilliseconds: record.modifiedMilliseconds
        )
    }

    func hasArrived(_ record: UploadRecord) throws -> Bool {
        guard let status = try arrived(record) else { return false }
        return status.inode == record.inode
    }

    func noteArrival(_ record: inout UploadRecord) throws {
        record.finishedVersion = try access.status(of: target(record), followingLink: false).version
    }

    func isUnchanged(_ record: UploadRecord) throws -> Bool {
        guard let version = try arrived(record)?.version else { return false }
        return version == record.finishedVersion
    }

    func name(of record: UploadRecord) -> String { record.targetText }

    func unknown(_ id: TransferID) -> any Error { TransferError.unknown(id: id.text(.upload)) }

    /// The status of what has the file's name, whatever it is; nil when nothing has it.
    private func arrived(_ record: UploadRecord) throws -> FileStatus? {
        do {
            return try access.status(of: target(record), followingLink: false)
        } catch FileError.notFound {
            return nil
        }
    }

    private func target(_ record: UploadRecord) throws -> FileLocation {
        try folder(record).appending(Array(record.name))
    }

    private func folder(_ record: UploadRecord) throws -> FileLocation {
        try access.roots.location(of: FileNameText.text(record.folder))
    }
}
