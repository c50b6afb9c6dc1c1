import Commands
import Files
import Foundation
import Kernel
import Transfers

extension FileSkill {
    /// The place a parameter names. Absent or empty is the home folder.
    func location(_ params: RemoteParameters, _ name: String = "path") throws -> FileLocation {
        try access.roots.location(of: params.optionalText(name, limit: FileRoots.pathLimit) ?? "")
    }

    /// The same where nothing named is nothing meant.
    func requiredLocation(_ params: RemoteParameters, _ names: [String]) throws -> FileLocation {
        guard let name = names.first(where: { params.has($0) }) else {
            throw RemoteFailure.badParameter(names[0], "a path of 1 to \(FileRoots.pathLimit) bytes")
        }
        return try access.roots.location(of: params.text(name, limit: FileRoots.pathLimit))
    }

    func list(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try location(params)
        let page = FolderPage(
            offset: Int(try params.optionalInteger("offset", in: 0...Int64(Int32.max)) ?? 0),
            limit: Int(try params.optionalInteger("limit", in: 1...Int64(Int32.max)) ?? Int64(Int32.max)),
            showsHidden: try params.flag("showHidden"),
            isCompact: try params.flag("compact")
        )
        let depth = try params.optionalInteger("maxDepth", in: 0...1000) ?? 1
        let path = access.roots.text(of: location)
        if try params.flag("recursive"), depth > 1 {
            let search = FolderSearch(pattern: nil, showsHidden: page.showsHidden, depth: Int(depth), limit: page.limit)
            let found = try await run(search, in: location)
            return [
                "success": true, "path": .string(path), "entries": .array(found.entries),
                "total": .integer(Int64(found.entries.count)), "truncated": .bool(!found.isWhole),
            ]
        }
        return try await work.run { [access] in try page.answer(try access.openFolder(location), path: path) }
    }

    func search(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try location(params)
        let pattern = try params.text(params.has("pattern") ? "pattern" : "query", limit: 255)
        let search = FolderSearch(
            pattern: NamePattern(pattern),
            showsHidden: try params.flag("showHidden"),
            depth: Int(try params.optionalInteger("maxDepth", in: 1...1000) ?? Int64(FolderSearch.depthLimit)),
            limit: Int(try params.optionalInteger("maxResults", in: 1...1000) ?? 200)
        )
        let found = try await run(search, in: location)
        return [
            "success": true, "path": .string(access.roots.text(of: location)), "results": .array(found.entries),
            "total": .integer(Int64(found.entries.count)), "truncated": .bool(!found.isWhole),
        ]
    }

    private func run(_ search: FolderSearch, in location: FileLocation) async throws -> (
        entries: [JSONValue], isWhole: Bool
    ) {
        try await withTaskCancellationHandler {
            try await work.run { [access] in
                try search.run(in: try access.openFolder(location), path: access.roots.text(of: location))
            }
        } onCancel: {
            search.cancel()
        }
    }

    func read(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try requiredLocation(params, ["path", "filePath"])
        let wanted = try params.optionalText("encoding", limit: 16) ?? "utf-8"
        guard ["utf-8", "utf8", "base64"].contains(wanted.lowercased()) else {
            throw RemoteFailure.badParameter("encoding", "utf-8 or base64")
        }
        let offset = try params.optionalInteger("offset", in: 0...TransferLimits.fileSize) ?? 0
        let length = try params.optionalInteger("length", in: 1...(1 << 20)) ?? (1 << 20)
        let path = access.roots.text(of: location)
        return try await work.run { [access] in
            let file = try access.openFile(location)
            let size = try file.status().size
            let content = FileContent(
                try file.read(at: offset, count: Int(length)),
                isText: wanted.lowercased() != "base64",
                mayEndInside: offset + length < size
            )
            let next = offset + Int64(content.count)
            var members: [String: JSONValue] = [
                "success": true, "path": .string(path), "content": .string(content.text),
                "encoding": .string(content.encoding), "size": .integer(size), "offset": .integer(offset),
                "length": .integer(Int64(content.count)), "isLast": .bool(next >= size),
            ]
            if next < size { members["nextOffset"] = .integer(next) }
            return .object(members)
        }
    }

    func information(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try requiredLocation(params, ["path", "filePath"])
        guard let found = try await status(location) else { return ["success": true, "exists": false, "file": .null] }
        let path = access.roots.path(of: location)
        let name = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
        return [
            "success": true, "exists": true,
            "file": FileAnswer.entry(
                name: name,
                path: FileNameText.text(path),
                status: found.status,
                isFolder: found.isFolder
            ),
        ]
    }

    func exists(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try requiredLocation(params, ["path", "filePath"])
        guard let found = try await status(location) else { return ["success": true, "exists": false] }
        return [
            "success": true, "exists": true, "type": .string(found.status.kind.documentedType),
            "isDirectory": .bool(found.isFolder),
        ]
    }

    /// Nil when nothing is there. What the kernel makes up is refused: even its existence tells about processes.
    private func status(_ location: FileLocation) async throws -> (status: FileStatus, isFolder: Bool)? {
        try await work.run { [access] in
            do {
                let status = try access.status(of: location, followingLink: false)
                guard status.kind != .kernel else {
                    throw FileError.notOrdinary(access.roots.text(of: location), .kernel)
                }
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
