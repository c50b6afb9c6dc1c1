import Transfers

/// A folder that is sent or fetched, at both ends.
struct FolderPair: Sendable {
    var local: LocalFolder
    /// The path on the computer.
    var remote: String
}

/// An entry of a folder that is sent or fetched.
protocol FolderItem: Hashable, Sendable {
    var name: [UInt8] { get }
    /// Nil when it went meanwhile, or is of a kind that has no name.
    var knownKind: FileKind? { get }
    var size: Int64? { get }
    /// The path of the folder where it comes from.
    static func path(of folder: FolderPair) -> String
    /// Its path where it comes from, for sentences.
    func path(in folder: FolderPair) -> String
}

/// An entry of a folder on this device.
struct LocalEntry: FolderItem {
    var name: [UInt8]
    var status: FileStatus?

    var knownKind: FileKind? { status?.kind }
    var size: Int64? { status?.size }

    static func path(of folder: FolderPair) -> String { folder.local.path }
    func path(in folder: FolderPair) -> String { folder.local.text(of: name) }
}

extension FileEntry: FolderItem {
    var knownKind: FileKind? { kind }

    static func path(of folder: FolderPair) -> String { folder.remote }
    func path(in folder: FolderPair) -> String { path(in: folder.remote) }
}

/// A folder that was listed where it comes from, and made at the other end.
struct OpenedFolder<Item: FolderItem>: Sendable {
    var pair: FolderPair
    var entries: [Item]
    /// How many small files the computer takes or gives together; nil: one after the other.
    var terms: BatchTerms?
}

/// A step in sending or fetching a folder.
enum FolderStep<Item: FolderItem>: Sendable {
    /// A folder to be listed, and made at the other end.
    case folder(Item, in: FolderPair, depth: Int)
    /// Small files, together.
    case batch([Item], in: FolderPair)
    case file(Item, in: FolderPair)
}

/// The result of one step of a folder's transfer, and the steps that follow from it.
struct FolderProgress<Item: FolderItem>: Sendable {
    var report = TransferReport()
    /// The steps that follow, in the order they are to be done.
    var steps: [FolderStep<Item>] = []
    /// Entries of the folder that was listed, where the step listed one.
    var entryCount = 0
    /// That folder's path.
    var path = ""
}

extension FolderProgress {
    /// The steps for a folder's entries: its files first, the small ones together.
    init(_ folder: OpenedFolder<Item>, depth: Int) {
        entryCount = folder.entries.count
        path = Item.path(of: folder.pair)
        var files: [Item] = []
        var folders: [FolderStep<Item>] = []
        for entry in folder.entries {
            do throws(FileError) {
                // The desktop's word for a name, which must be one: never a way to somewhere else.
                try FileNameText.check(entry.name)
                switch entry.knownKind {
                case .file?: files.append(entry)
                case .folder?: folders.append(.folder(entry, in: folder.pair, depth: depth))
                case let kind:
                    let path = entry.path(in: folder.pair)
                    report.skipped.append("\(path) is \(kind?.words ?? "gone") and was left out.")
                }
            } catch {
                report.skipped.append("\(error)")
            }
        }
        let groups = folder.terms?.groups(of: files, size: \.size) ?? (batches: [], alone: files)
        steps += groups.batches.map { .batch($0, in: folder.pair) }
        steps += groups.alone.map { .file($0, in: folder.pair) }
        steps += folders
    }
}

/// The transfer of a folder in one of the directions.
struct FolderTransfer<Item: FolderItem>: Sendable {
    var open: @Sendable (Item, FolderPair) async throws -> OpenedFolder<Item>
    var batch: @Sendable ([Item], FolderPair) async throws -> FileTransferClient.Batch<Item>
    var file: @Sendable (Item, FolderPair) async throws -> TransferReport
    /// Whether a file is the same at both ends, as far as size and time tell. Asked only when one is there.
    var isSame: @Sendable (Item, FolderPair) async throws -> Bool
    var troubles: FolderTroubles

    func run(_ step: FolderStep<Item>) async throws -> FolderProgress<Item> {
        switch step {
        case .folder(let item, let folder, let depth):
            let path = item.path(in: folder)
            var progress = FolderProgress<Item>()
            let opened = try await FileTransferClient.item(path, troubles) {
                guard depth < FileTransferClient.depthLimit else {
                    throw FileError.system(path, reason: "its folders are too deep")
                }
                progress = FolderProgress(try await open(item, folder), depth: depth + 1)
                return TransferReport()
            }
            progress.report.add(opened)
            return progress
        case .batch(let items, let folder):
            let batch = try await batch(items, folder)
            return FolderProgress(report: batch.report, steps: batch.left.map { .file($0, in: folder) })
        case .file(let item, let folder):
            let report = try await FileTransferClient.item(item.path(in: folder), troubles) {
                try await file(item, folder)
            } isSame: {
                try await isSame(item, folder)
            }
            return FolderProgress(report: report)
        }
    }
}
