import Transfers

/// The result of one step of a folder's transfer, and the steps that follow from it.
struct TreeProgress<Step: Sendable>: Sendable {
    var report = TransferReport()
    /// The steps that follow, in the order they are to be done.
    var steps: [Step] = []
    /// Entries of the folder that was listed, where the step listed one.
    var entryCount = 0
    /// That folder's path.
    var path = ""
}

/// A step in sending a folder.
enum UploadStep: Sendable {
    /// A folder to be made at the computer, and listed.
    case folder([UInt8], in: LocalFolder, to: String, depth: Int)
    /// Small files, together.
    case batch([[UInt8]], in: LocalFolder, to: String)
    case file([UInt8], in: LocalFolder, to: String)
}

/// A step in fetching a folder.
enum DownloadStep: Sendable {
    /// A folder to be made here, and listed.
    case folder(FileEntry, of: String, to: LocalFolder, depth: Int)
    /// Small files, together.
    case batch([FileEntry], of: String, to: LocalFolder)
    case file(FileEntry, of: String, to: LocalFolder)
}
