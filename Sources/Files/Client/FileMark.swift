package import Transfers

/// A file's size and time of change: files that agree in both are taken for the same, as `rsync` does without `--checksum`.
/// A transfer gives its copy the time of the original, to the millisecond.
package struct FileMark: Hashable, Sendable {
    var size: Int64
    var modifiedMilliseconds: Int64

    package init(size: Int64, modifiedMilliseconds: Int64) {
        self.size = size
        self.modifiedMilliseconds = modifiedMilliseconds
    }

    package init(_ status: FileStatus) {
        self.init(size: status.size, modifiedMilliseconds: status.modifiedMilliseconds)
    }

    /// Nil when the desktop says too little.
    init?(_ entry: FileEntry) {
        guard let size = entry.size, let modified = entry.modifiedMilliseconds else { return nil }
        self.init(size: size, modifiedMilliseconds: modified)
    }
}
