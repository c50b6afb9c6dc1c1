import Crypto
import Foundation
import Generations
import Synchronization

/// Puts the entries of a package into a staged generation, in the order in which they come: media into their places, everything else beside
/// them until the database is built. A later run goes on at the last ``checkpoint(_:)``. Calls block, and come from one thread at a time.
///
/// After a call that threw, this one is of no use any more: another is made for the same package, and the reader goes back to its ``place``.
package final class PackageStaging: Sendable {
    struct State: Sendable {
        var entries: [String: StagingProgress.Entry]
        /// Whole, and not written down yet.
        var fresh: [StagingProgress.Entry] = []
        var open: OpenEntry?
        var unknown: [String] = []
        var mediaFiles = 0
        var mediaBytes: UInt64 = 0
        var recordBytes: UInt64 = 0
        var sinceLook: UInt64 = 0
        var isBroken = false
    }

    package let plan: RestorePlan
    /// Where the reader goes on: its own words of the last checkpoint; nil at the beginning.
    package let place: [UInt8]?
    /// The name of the entry that the reader is in the middle of there, and how many of its bytes are here.
    package let openEntry: (name: String, bytes: UInt64)?
    let store: GenerationStore
    let generation: Generation
    let state: Mutex<State>

    /// Begins with a package, or goes on with it where an earlier run began.
    ///
    /// - Throws: ``RestoreError/diskFull(needed:free:)``, ``RestoreError/impossibleSize``, ``RestoreError/otherPackage``; `GenerationsError`.
    init(_ plan: RestorePlan, store: GenerationStore) throws {
        self.plan = plan
        self.store = store
        let room = try store.files.room()
        let staged = try Self.stage(plan, in: store, room)
        let generation = staged.generation
        self.generation = generation
        let progress = try StagingProgress.read(from: store)
        place = progress.place
        openEntry = progress.open.map { ($0.name, $0.written) }
        var state = State(entries: progress.entries)
        for entry in progress.entries.values { try Self.count(entry, &state, generation, plan) }
        let here = progress.entries.values.reduce(progress.open?.written ?? 0) { $0 + $1.size }
        try RestoreSpace.check(plan, staged: here, room: room)
        if staged.phase == .preparing {
            try Self.removeStrays(progress, store: store, generation: generation, plan: plan)
            state.open = try progress.open.map { try Self.reopen($0, store.files, generation, plan) }
        }
        self.state = Mutex(state)
    }

    private static func stage(_ plan: RestorePlan, in store: GenerationStore, _ room: DiskRoom) throws
        -> StagedGeneration
    {
        if let staged = store.staged {
            guard staged.binding == plan.binding else { throw RestoreError.otherPackage }
            return staged
        }
        try RestoreSpace.check(plan, staged: 0, room: room)
        return try store.stage(binding: plan.binding)
    }

    /// Whether all of the package came, in this run or an earlier one.
    package var isComplete: Bool { (store.staged?.phase ?? .preparing) >= .staged }

    // MARK: Entries

    /// Begins an entry.
    ///
    /// - Parameter size: In bytes, as the archive says; more never come.
    /// - Throws: ``RestoreError``; `GenerationsError`, of which a full disk lets the package go on later.
    package func openEntry(_ name: String, size: UInt64) throws {
        try change { state in
            guard state.open == nil else { throw RestoreError.notReady }
            guard state.entries[name] == nil else { throw RestoreError.duplicateEntry(name) }
            let place = try EntryPlace(name, in: generation, archiveBytes: plan.archiveBytes)
            guard size <= place.limit else { throw RestoreError.tooLarge(name, limit: place.limit) }
            try Self.check(place, size: size, name: name, plan)
            if place.media == nil, place.path != nil, name.hasPrefix("coredata/") {
                state.recordBytes += size
                guard state.recordBytes <= EntryPlace.recordsLimit else {
                    throw RestoreError.tooLarge(name, limit: EntryPlace.recordsLimit)
                }
            }
            var file: (any StoreFile)?
            if let path = place.path {
                try store.files.makeFolders(path.parent, durably: false)
                do {
                    file = try store.files.open(path, .create)
                } catch GenerationsError.exists { throw RestoreError.duplicateEntry(name) }
            }
            let hash = place.media == nil ? nil : SHA256()
            state.open = OpenEntry(name: name, place: place, size: size, file: file, hash: hash)
        }
    }

    /// The next bytes of the entry.
    package func write(_ bytes: ArraySlice<UInt8>) throws {
        try change { state in
            guard state.open != nil else { throw RestoreError.notReady }
            state.sinceLook += UInt64(bytes.count)
            if state.sinceLook >= RestoreSpace.interval {
                state.sinceLook = 0
                let room = try store.files.room()
                guard room.free >= RestoreSpace.interval else {
                    throw RestoreError.diskFull(needed: RestoreSpace.interval, free: room.free)
                }
            }
            try state.open!.write(bytes)
        }
    }

    /// Ends the entry: all its bytes came, and a medium's are those that the manifest promises.
    package func closeEntry() throws {
        try change { state in
            guard let open = state.open else { throw RestoreError.notReady }
            guard open.written == open.size else { throw RestoreError.wrongSize(open.name) }
            open.file?.close()
            var entry = StagingProgress.Entry(name: open.name, size: open.size)
            if let hash = open.hash { entry.sha256 = Data(hash.finalize()) }
            if let media = open.place.media, let promised = plan.files?[media], let sha256 = entry.sha256 {
                guard promised.sha256.elementsEqual(sha256) else { throw RestoreError.damagedFile(media) }
            }
            if open.place.path == nil { state.unknown.append(open.name) }
            state.open = nil
            state.entries[entry.name] = entry
            state.fresh.append(entry)
            if let media = open.place.media { Self.count(media, size: open.size, &state) }
        }
    }

    /// Puts all that came on the disk, so that a later run goes on from here.
    ///
    /// - Parameter place: The reader's own words for where it is, 1 byte to 4 KiB.
    package func checkpoint(_ place: [UInt8]) throws {
        try change { state in
            guard place.count <= StagingProgress.placeLimit else { throw RestoreError.tooLarge("place", limit: 4096) }
            try store.files.synchronizeTree(generation.folder)
            let open = state.open.map {
                StagingProgress.OpenEntry(name: $0.name, size: $0.size, written: $0.written)
            }
            try StagingProgress.note(state.fresh, open: open, place: place, in: store)
            state.fresh = []
        }
    }

    private func change(_ body: (inout sending State) throws -> Void) throws {
        try state.withLock { state in
            guard !state.isBroken, !isComplete else { throw RestoreError.notReady }
            state.isBroken = true
            try body(&state)
            state.isBroken = false
        }
    }

    // MARK: Checks

    private static func check(_ place: EntryPlace, size: UInt64, name: String, _ plan: RestorePlan) throws(RestoreError)
    {
        guard let media = place.media, let files = plan.files else { return }
        guard let promised = files[media] else { throw .unlistedFile(media) }
        guard promised.size == size else { throw .wrongSize(name) }
    }

    private static func count(
        _ entry: StagingProgress.Entry,
        _ state: inout State,
        _ generation: Generation,
        _ plan: RestorePlan
    ) throws(RestoreError) {
        let place = try EntryPlace(entry.name, in: generation, archiveBytes: plan.archiveBytes)
        if let media = place.media { count(media, size: entry.size, &state) }
        if place.path == nil { state.unknown.append(entry.name) }
        if entry.name.hasPrefix("coredata/") { state.recordBytes += entry.size }
    }

    private static func count(_ media: String, size: UInt64, _ state: inout State) {
        state.mediaFiles += 1
        state.mediaBytes += size
    }

    // MARK: Going on

    /// Opens the entry in whose middle the last checkpoint was. Of its bytes the hash is made again; of no other entry.
    private static func reopen(
        _ entry: StagingProgress.OpenEntry,
        _ files: any FileSystemPort,
        _ generation: Generation,
        _ plan: RestorePlan
    ) throws -> OpenEntry {
        let place = try EntryPlace(entry.name, in: generation, archiveBytes: plan.archiveBytes)
        guard let path = place.path else {
            return OpenEntry(name: entry.name, place: place, size: entry.size, file: nil, written: entry.written)
        }
        let file = try files.open(path, .write)
        try file.truncate(to: entry.written)
        var hash = place.media == nil ? nil : SHA256()
        var offset: UInt64 = 0
        while hash != nil, offset < entry.written {
            let bytes = try file.read(1 << 20, at: offset)
            guard !bytes.isEmpty else { throw RestoreError.wrongSize(entry.name) }
            hash?.update(data: bytes)
            offset += UInt64(bytes.count)
        }
        return OpenEntry(
            name: entry.name,
            place: place,
            size: entry.size,
            file: file,
            written: entry.written,
            hash: hash
        )
    }

    /// Removes files that came after the last checkpoint: they come again.
    private static func removeStrays(
        _ progress: StagingProgress,
        store: GenerationStore,
        generation: Generation,
        plan: RestorePlan
    ) throws {
        var known: Set<StorePath> = []
        for name in Array(progress.entries.keys) + [progress.open?.name].compactMap({ $0 }) {
            if let path = try EntryPlace(name, in: generation, archiveBytes: plan.archiveBytes).path {
                known.insert(path)
            }
        }
        func sweep(_ folder: StorePath) throws {
            guard try store.files.status(of: folder) != nil else { return }
            for name in try store.files.names(in: folder, limit: .max) {
                let path = folder.appending(try StorePath(name))
                if try store.files.status(of: path)?.kind == .folder {
                    try sweep(path)
                } else if !known.contains(path) {
                    try store.files.removeFile(path)
                }
            }
        }
        for folder in [generation.media, generation.incoming] { try sweep(folder) }
    }
}
