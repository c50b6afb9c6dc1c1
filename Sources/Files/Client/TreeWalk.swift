import Transfers

/// A step of a folder's transfer is done: what came of it, and which steps it leads to.
struct TreeProgress<Step: Sendable>: Sendable {
    var report = TransferReport()
    /// In the order they are to be done.
    var steps: [Step] = []
    /// Of a folder that was looked into: how much is in it.
    var entryCount = 0
    /// That folder's path.
    var path = ""
}

/// What there is to do for a folder that is sent.
enum UploadStep: Sendable {
    /// To be made at the computer, and looked into.
    case folder([UInt8], in: LocalFolder, to: String, depth: Int)
    /// Small files, together.
    case batch([[UInt8]], in: LocalFolder, to: String)
    case file([UInt8], in: LocalFolder, to: String)
}

/// What there is to do for a folder that is fetched.
enum DownloadStep: Sendable {
    /// To be made here, and looked into.
    case folder(FileEntry, of: String, to: LocalFolder, depth: Int)
    /// Small files, together.
    case batch([FileEntry], of: String, to: LocalFolder)
    case file(FileEntry, of: String, to: LocalFolder)
}
