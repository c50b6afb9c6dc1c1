/// Small files that come into one folder together: each is written under a hidden name, all are brought to the disk at once, and only
/// then they get their names. So a batch waits for the disk as often as one file does, and no name ever stands for half a file.
package struct FileBatch<Record: JournalRecord>: Sendable {
    private let files: [WholeFile]
    private let parts: [[UInt8]]
    private let folder: any ArrivalFolder
    private let replaces: Bool
    private let records: [Record]
    private let begin: @Sendable ([Record]) throws -> Void
    private let end: @Sendable ([String]) throws -> Void
    private let earlyEnd: EarlyEnd

    /// - Parameters:
    ///   - records: Where the parts are written down, one for each file, so that a crash leaves none behind for ever.
    ///   - replaces: Whether files that are there may be replaced.
    ///   - begin: Called before the parts of these records are made. What it returned for survives a power cut.
    ///   - end: Called once none of these records' parts is there any more.
    package init(
        _ files: [WholeFile],
        _ records: [Record],
        in folder: any ArrivalFolder,
        replacing replaces: Bool,
        earlyEnd: EarlyEnd,
        begin: @escaping @Sendable ([Record]) throws -> Void,
        end: @escaping @Sendable ([String]) throws -> Void
    ) {
        self.files = files
        parts = zip(files, records).map { PartName.make($0.name, id: $1.id) }
        self.folder = folder
        self.replaces = replaces
        self.records = records
        self.begin = begin
        self.end = end
        self.earlyEnd = earlyEnd
    }

    /// - Returns: For each file, why it did not arrive; nil for one that is there now, and stays there across a power cut.
    /// - Throws: An error about all files. Those that have their names by then keep them, and nothing else is left.
    package func run() throws -> [FileError?] {
        var failures = try refusals()
        let wanted = failures.indices.filter { failures[$0] == nil }
        guard !wanted.isEmpty else { return failures }
        try earlyEnd.check()
        // Written down first: a partial file that is in no journal would stay for ever.
        try begin(wanted.map { records[$0] })
        do {
            try bring(wanted, &failures)
        } catch {
            // Where this fails too, the journal keeps them for later.
            for index in wanted { try folder.remove(parts[index]) }
            try end(wanted.map { records[$0].id })
            throw error
        }
        try end(wanted.map { records[$0].id })
        return failures
    }

    private func refusals() throws -> [FileError?] {
        var failures: [FileError?] = files.map { file -> FileError? in
            do throws(FileError) {
                try FileNameText.check(file.name)
                return nil
            } catch {
                return error
            }
        }
        let named = failures.indices.filter { failures[$0] == nil }
        for (index, refusal) in zip(named, try folder.refusals(of: named.map { files[$0].name })) {
            failures[index] = refusal ?? taken(files[index].name)
        }
        return failures
    }

    /// Why a name cannot be had, before anything is written; nil where it may be free.
    private func taken(_ name: [UInt8]) -> FileError? {
        guard !replaces else { return nil }
        do throws(FileError) {
            return try folder.status(of: name) == nil ? nil : .exists(folder.text(of: name))
        } catch {
            return error
        }
    }

    private func bring(_ wanted: [Int], _ failures: inout [FileError?]) throws {
        for index in wanted {
            try earlyEnd.check()
            do throws(FileError) {
                try folder.write(files[index], as: parts[index])
            } catch {
                failures[index] = error
                try folder.remove(parts[index])
            }
        }
        let written = wanted.filter { failures[$0] == nil }
        guard !written.isEmpty else { return }
        try folder.synchronizeFiles()
        // A name that was allowed before may not be any more.
        for (index, refusal) in zip(written, try folder.refusals(of: written.map { files[$0].name })) {
            try earlyEnd.check()
            do throws(FileError) {
                if let refusal { throw refusal }
                try folder.name(parts[index], as: files[index].name, replacing: replaces)
            } catch {
                failures[index] = error
                try folder.remove(parts[index])
            }
        }
        try folder.synchronizeNames()
    }
}
