import Files
import Kernel
import Transfers

extension FileSkill {
    func createFolder(_ params: CreateFolder) async throws -> FolderCreated {
        let location = try location(params.path)
        let isNew = try await work.run { [access] in
            try access.makeFolder(location, withParents: params.withParents, permissions: params.permissions)
        }
        var created = FolderCreated(path: text(location), isNew: isNew)
        created.batch = batchTerms
        return created
    }

    func move(_ params: MoveFile) async throws -> FileMoved {
        let source = try location(params.path)
        let target =
            switch params.target {
            case .name(let name): try source.split().folder.appending(FileNameText.bytes(name))
            case .path(let path): try location(path)
            }
        try await work.run { [access] in try access.move(source, to: target, replacing: params.replaces) }
        return FileMoved(oldPath: text(source), path: text(target))
    }

    /// Trashes or deletes a file or folder; a folder with something in it only where `isRecursive` is set.
    func delete(_ params: DeleteFile) async throws -> FileDeleted {
        let location = try location(params.path)
        try await (params.isRecursive ? walks : work).run { [self] in
            // The shared folder itself has no name here, and is refused before anything in it is looked at.
            _ = try location.split()
            guard !params.isForGood else { return try access.remove(location, recursively: params.isRecursive) }
            if !params.isRecursive, try access.status(of: location, followingLink: false).kind == .folder,
                try !access.openFolder(location).names(limit: FolderPage.entryLimit).isEmpty
            {
                throw FileError.folderNotEmpty(text(location))
            }
            try access.trash(location)
        }
        return FileDeleted(path: text(location), isInTrash: !params.isForGood)
    }
}
