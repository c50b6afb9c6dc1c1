import Files
import Kernel
import Transfers

/// All downloads. They are not written down: a phone that comes back asks for the same version of the same file again.
actor ActiveDownloads {
    private let access: any FileAccess
    private let work: BlockingWork
    private let time: any TimeSource
    private let table = TransferTable<Download>()
    private var downloads: [TransferID: Download] {
        get { table.open }
        set { table.open = newValue }
    }
    private var beginning: [String: Int] = [:]

    init(access: any FileAccess, time: any TimeSource, work: BlockingWork) {
        self.work = work
        self.access = access
        self.time = time
    }

    func count(of caller: String) -> Int {
        expire()
        return downloads.values.count { $0.caller == caller } + (beginning[caller] ?? 0)
    }

    func list(of caller: String) -> [Download] {
        expire()
        return downloads.values.filter { $0.caller == caller }
    }

    /// - Parameters:
    ///   - version: The version that the asker has parts of; another one is refused.
    ///   - others: The caller's transfers that are no downloads.
    func begin(
        _ location: FileLocation,
        name: String?,
        version: String?,
        chunkSize: Int,
        checksumMethod: ChecksumMethod,
        of caller: String,
        others: Int
    ) async throws -> Download {
        let path = access.roots.text(of: location)
        endEarlier(of: caller, for: path)
        if count(of: caller) + others >= TransferLimits.perCaller { endIdle(of: caller) }
        guard count(of: caller) + others < TransferLimits.perCaller else {
            throw TransferError.tooMany(limit: TransferLimits.perCaller)
        }
        beginning[caller, default: 0] += 1
        defer { beginning[caller, default: 1] -= 1 }
        let (file, status, holes) = try await work.run { [access] in
            let file = try access.openFile(location)
            return (file, try file.status(), file.holes())
        }
        if let version, version != status.version { throw TransferError.sourceChanged(path) }
        // A phone that lost its right meanwhile has its calls cancelled, and then the downloads ended that are in the list.
        try Task.checkCancellation()
        let download = Download(
            caller: caller,
            path: path,
            name: name ?? FileNameText.text(location.path.split(separator: UInt8(ascii: "/")).last ?? []),
            file: file,
            status: status,
            holes: FileHoles.believed(holes, in: status.size) ?? ByteRanges(),
            chunkSize: chunkSize,
            checksumMethod: checksumMethod,
            now: time.now,
            date: time.date,
            work: work
        )
        downloads[download.id] = download
        return download
    }

    /// Gives out the contents of small files as one download.
    ///
    /// - Parameters:
    ///   - path: Of the folder, for the person.
    ///   - others: The caller's transfers that are no downloads.
    func begin(_ bundle: BundledFile, path: String, of caller: String, others: Int) throws -> Download {
        if count(of: caller) + others >= TransferLimits.perCaller { endIdle(of: caller) }
        guard count(of: caller) + others < TransferLimits.perCaller else {
            throw TransferError.tooMany(limit: TransferLimits.perCaller)
        }
        try Task.checkCancellation()
        let download = Download(
            caller: caller,
            path: path,
            name: "",
            file: bundle,
            status: bundle.status(),
            chunkSize: FileLimits.documentedChunk,
            checksumMethod: .sha256,
            now: time.now,
            date: time.date,
            work: work
        )
        downloads[download.id] = download
        return download
    }

    /// - Throws: ``TransferError/unknown(id:)`` also for another caller's: who asks learns nothing of it; ``TransferError/ended``.
    nonisolated func download(_ id: TransferID, of caller: String) throws(TransferError) -> Download {
        let now = time.now
        guard let download = try table.transfer(id), download.caller == caller,
            now - download.touchedAt <= TransferLimits.downloadLifetime
        else { throw .unknown(id: id.text(.download)) }
        download.touch(now)
        return download
    }

    func remove(_ id: TransferID, of caller: String) throws {
        _ = try download(id, of: caller)
        downloads[id] = nil
    }

    func all() -> [Download] {
        expire()
        return Array(downloads.values)
    }

    /// Ends a download of any caller, which is told so.
    ///
    /// - Returns: Whether it was there.
    func end(_ id: TransferID) -> Bool {
        guard downloads.removeValue(forKey: id) != nil else { return false }
        table.noteEnd(of: id)
        return true
    }

    func endAll(of caller: String) { downloads = downloads.filter { $0.value.caller != caller } }

    /// Ends those of the same file that nothing was asked of lately: its phone begins anew, and would soon have no room left.
    private func endEarlier(of caller: String, for path: String) {
        let now = time.now
        downloads = downloads.filter { _, download in
            download.caller != caller || download.path != path
                || now - download.touchedAt < TransferLimits.repeatIdleness
        }
    }

    /// Ends the one that was not asked for the longest, if that is long.
    private func endIdle(of caller: String) {
        let oldest = downloads.filter { $0.value.caller == caller }.min { $0.value.touchedAt < $1.value.touchedAt }
        guard let oldest, time.now - oldest.value.touchedAt >= TransferLimits.downloadIdleness else { return }
        downloads[oldest.key] = nil
    }

    private func expire() {
        let oldest = time.now - TransferLimits.downloadLifetime
        downloads = downloads.filter { $0.value.touchedAt >= oldest }
    }
}
