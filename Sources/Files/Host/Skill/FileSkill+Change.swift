import Commands
import Kernel
import Transfers

extension FileSkill {
    func createFolder(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try requiredLocation(params, ["path", "dirPath"])
        let withParents = try params.flag("recursive", default: true)
        let made = try await work.run { [access] in try access.makeFolder(location, withParents: withParents) }
        return ["success": true, "path": .string(access.roots.text(of: location)), "created": .bool(made)]
    }

    func move(_ params: RemoteParameters) async throws -> JSONValue {
        let source = try requiredLocation(params, ["path", "oldPath", "source", "from"])
        let target: FileLocation
        if params.has("newName") {
            let name = FileNameText.bytes(try params.text("newName", limit: 1024))
            try FileNameText.check(name)
            target = try source.split().folder.appending(name)
        } else {
            target = try requiredLocation(params, ["newPath", "destination", "to"])
        }
        let replaces = try params.flag("overwrite")
        try await work.run { [access] in try access.move(source, to: target, replacing: replaces) }
        return [
            "success": true, "oldPath": .string(access.roots.text(of: source)),
            "newPath": .string(access.roots.text(of: target)), "path": .string(access.roots.text(of: target)),
        ]
    }

    /// To the trash; with `force` for good. A folder with something in it only with `recursive`.
    func delete(_ params: RemoteParameters) async throws -> JSONValue {
        let location = try requiredLocation(params, ["path", "filePath"])
        let recursively = try params.flag("recursive")
        let forGood = try params.flag("force")
        try await work.run { [access] in
            // The shared folder itself has no name here, and is refused before anything in it is looked at.
            _ = try location.split()
            guard !forGood else { return try access.remove(location, recursively: recursively) }
            if !recursively, try access.status(of: location, followingLink: false).kind == .folder,
                try !access.openFolder(location).names(limit: FolderPage.entryLimit).isEmpty
            {
                throw FileError.folderNotEmpty(access.roots.text(of: location))
            }
            try access.trash(location)
        }
        return ["success": true, "path": .string(access.roots.text(of: location)), "trashed": .bool(!forGood)]
    }
}
