import Files
import Foundation
import Kernel
import Transfers

extension FileSkill {
    /// The place a parameter names. Empty is the home folder.
    func location(_ path: String) throws(FileError) -> FileLocation { try access.roots.location(of: path) }

    func text(_ location: FileLocation) -> String { access.roots.text(of: location) }

    func list(_ params: ListFolder) async throws -> FolderListing {
        let location = try location(params.path)
        if params.isRecursive, params.maxDepth > 1 {
            let search = FolderSearch(
                pattern: nil,
                showsHidden: params.showsHidden,
                depth: params.maxDepth,
                limit: params.limit ?? .max
            )
            let found = try await run(search, in: location)
            var listing = FolderListing(path: text(location), entries: found.entries)
            listing.batch = batchTerms
            listing.total = Int64(found.entries.count)
            listing.isTruncated = !found.isWhole
            return listing
        }
        let page = FolderPage(
            offset: params.offset,
            limit: params.limit ?? .max,
            showsHidden: params.showsHidden,
            isCompact: params.isCompact
        )
        return try await work.run { [self] in
            var listing = try page.listing(of: try access.openFolder(location), text(location))
            listing.batch = batchTerms
            return listing
        }
    }

    func search(_ params: SearchFiles) async throws -> SearchResults {
        let location = try location(params.path)
        let search = FolderSearch(
            pattern: NamePattern(params.pattern),
            showsHidden: params.showsHidden,
            depth: params.maxDepth ?? FolderSearch.depthLimit,
            limit: params.maxResults ?? FolderSearch.resultLimit
        )
        let found = try await run(search, in: location)
        return SearchResults(path: text(location), entries: found.entries, isTruncated: !found.isWhole)
    }

    private func run(_ search: FolderSearch, in location: FileLocation) async throws -> (
        entries: [FileEntry], isWhole: Bool
    ) {
        try await withTaskCancellationHandler {
            try await walks.run { [self] in try search.run(in: try access.openFolder(location), path: text(location)) }
        } onCancel: {
            search.cancel()
        }
    }

    func read(_ params: ReadFile) async throws -> FilePart {
        let location = try location(params.path)
        return try await work.run { [self] in
            let file = try access.openFile(location)
            let status = try file.status()
            let size = status.size
            let content = FilePart.Content(
                fitting: try file.read(at: params.offset, count: Int(params.length)),
                isText: params.isText,
                mayEndInside: params.offset + params.length < size
            )
            var part = FilePart(path: text(location), content: content, size: size, offset: params.offset)
            part.modifiedMilliseconds = status.modifiedMilliseconds
            return part
        }
    }

    func information(_ params: NamedFile) async throws -> FileInformation {
        let location = try location(params.path)
        guard let found = try await status(location) else { return FileInformation(file: nil) }
        let path = access.roots.path(of: location)
        let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
        return FileInformation(
            file: FileEntry(
                name: name,
                path: FileNameText.text(path),
                status: found.status,
                isFolder: found.isFolder
            )
        )
    }

    func exists(_ params: NamedFile) async throws -> FileExistence {
        guard let found = try await status(location(params.path)) else {
            return FileExistence(kind: nil, isFolder: false)
        }
        let kind = FileExistence.Kind(rawValue: found.status.kind.documentedType) ?? .file
        return FileExistence(kind: kind, isFolder: found.isFolder)
    }

    /// Nil when nothing is there. What the kernel makes up is refused: even its existence tells about processes.
    private func status(_ location: FileLocation) async throws -> (status: FileStatus, isFolder: Bool)? {
        try await work.run { [self] in
            do {
                let status = try access.status(of: location, followingLink: false)
                guard status.kind != .kernel else { throw FileError.notOrdinary(text(location), .kernel) }
                guard status.kind == .link else { return (status, status.kind == .folder) }
                // A link that leads nowhere, or out, is still a link.
                let target = try? access.status(of: location, followingLink: true)
                return (status, target?.kind == .folder)
            } catch FileError.notFound {
                return nil
            }
        }
    }
}
