public import Commands
import Rights

/// The methods of files below a computer's shared folders. Source: `docs/protocol.md`, "Files".
public enum FileMethods {
    package static let list = Method<ListFolder, FolderListing>(
        "file.listDirectory",
        otherNames: ["file.list"],
        needs: .fileRead,
        risk: .privileged,
        summary: "List what is in a folder."
    )
    package static let read = Method<ReadFile, FilePart>(
        "file.readFile",
        otherNames: ["file.read"],
        needs: .fileRead,
        risk: .privileged,
        summary: "Read a part of a file."
    )
    package static let search = Method<SearchFiles, SearchResults>(
        "file.search",
        needs: .fileRead,
        risk: .privileged,
        summary: "Find files and folders by name."
    )
    package static let thumbnails = Method<FileThumbnails, ThumbnailsMade>(
        "file.getThumbnails",
        needs: .fileRead,
        risk: .privileged,
        summary: "Make pictures small, to be recognized."
    )
    package static let requestDownload = Method<RequestDownload, DownloadBegun>(
        "file.requestDownload",
        needs: .fileRead,
        risk: .privileged,
        summary: "Begin to fetch a file."
    )
    package static let downloadChunk = Method<DownloadChunk, DownloadedChunk>(
        "file.downloadChunk",
        needs: .fileRead,
        risk: .privileged,
        continues: "transferId",
        summary: "Fetch a chunk of a file."
    )
    package static let completeDownload = Method<NamedTransfer, DownloadCompleted>(
        "file.completeDownload",
        needs: .fileRead,
        risk: .privileged,
        continues: "transferId",
        summary: "End a download and say the file's checksum."
    )

    /// Makes a folder. The call may wait in the phone's queue: `docs/protocol.md`, "Commands that wait".
    public static let createFolder = Method<CreateFolder, FolderCreated>(
        "file.createDirectory",
        needs: .fileWrite,
        risk: .privileged,
        mayWait: true,
        summary: "Make a folder."
    )
    /// Gives a file or folder another name or place. The call may wait in the phone's queue: `docs/protocol.md`, "Commands that wait".
    public static let rename = Method<MoveFile, FileMoved>(
        "file.rename",
        needs: .fileWrite,
        risk: .privileged,
        mayWait: true,
        summary: "Rename or move a file or folder."
    )
    /// ``rename`` under its other name, which does not wait for a computer that is away.
    package static let move = Method<MoveFile, FileMoved>(
        "file.move",
        needs: .fileWrite,
        risk: .privileged,
        summary: "Rename or move a file or folder."
    )
    /// Trashes a file or folder, or deletes it for good. The call may wait in the phone's queue: `docs/protocol.md`, "Commands that wait".
    public static let delete = Method<DeleteFile, FileDeleted>(
        "file.delete",
        needs: .fileWrite,
        risk: .privileged,
        mayWait: true,
        summary: "Put a file or folder into the trash, or delete it for good."
    )
    package static let requestUpload = Method<RequestUpload, UploadBegun>(
        "file.requestUpload",
        needs: .fileWrite,
        risk: .privileged,
        summary: "Begin to send a file."
    )
    package static let uploadChunk = Method<UploadChunk, ChunkTaken>(
        "file.uploadChunk",
        needs: .fileWrite,
        risk: .privileged,
        continues: "transferId",
        summary: "Send a chunk of a file."
    )
    package static let completeUpload = Method<CompleteUpload, UploadCompleted>(
        "file.completeUpload",
        needs: .fileWrite,
        risk: .privileged,
        continues: "transferId",
        summary: "Check a file that was sent and give it its name."
    )

    package static let downloadFiles = Method<DownloadFiles, FilesDownloaded>(
        "file.downloadFiles",
        needs: .fileRead,
        risk: .privileged,
        summary: "Fetch many small files of one folder."
    )
    package static let uploadFiles = Method<UploadFiles, FilesUploaded>(
        "file.uploadFiles",
        needs: .fileWrite,
        risk: .privileged,
        summary: "Send many small files to one folder."
    )

    package static let info = Method<NamedFile, FileInformation>(
        "file.getFileInfo",
        otherNames: ["file.getInfo"],
        needs: .anyFile,
        risk: .privileged,
        summary: "Say what is known of a file or folder."
    )
    package static let exists = Method<NamedFile, FileExistence>(
        "file.exists",
        needs: .anyFile,
        risk: .privileged,
        summary: "Say whether there is such a file or folder."
    )
    package static let cancelTransfer = Method<NamedTransfer, TransferCancelled>(
        "file.cancelTransfer",
        needs: .anyFile,
        risk: .privileged,
        summary: "End a transfer."
    )
    package static let listTransfers = Method<NoParameters, TransferList>(
        "file.listTransfers",
        needs: .anyFile,
        risk: .privileged,
        summary: "List the transfers that are under way."
    )

    /// Asked for by a frame and never called: the name under which it is allowed and written down.
    package static let openConnection = Method<NoParameters, Done>(
        "file.openConnection",
        needs: .anyFile,
        risk: .privileged,
        summary: "Open a direct connection for the parts of files."
    )

    package static let all: [MethodDeclaration] = [
        list.declaration, read.declaration, search.declaration, requestDownload.declaration, downloadChunk.declaration,
        completeDownload.declaration, createFolder.declaration, rename.declaration, move.declaration,
        delete.declaration, requestUpload.declaration, uploadChunk.declaration, completeUpload.declaration,
        downloadFiles.declaration, uploadFiles.declaration, info.declaration, exists.declaration,
        cancelTransfer.declaration, listTransfers.declaration, thumbnails.declaration,
    ]
}
