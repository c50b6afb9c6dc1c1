import Transfers

/// Where the files of phones arrive: below the shared folders, written down in the journal.
struct UploadPlace: ArrivalPlace {
    let access: any FileAccess
    let journal: any UploadJournal

    /// Whether the file may have its name.
    func check(_ record: UploadRecord) throws {
        let target = try target(record)
        try access.checkTarget(target)
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

    func finish(_ part: any PartialFile, _ record: UploadRecord) throws {
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
