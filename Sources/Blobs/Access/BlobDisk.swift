package import Transfers

/// The files of a store. Calls block: they are made off the cooperative threads.
package protocol BlobDisk: Sendable {
    /// A new file for what arrives, with room for `size` bytes.
    func makePart(_ id: String, size: Int64) throws(FileError) -> any PartialFile
    /// Opens a part that an earlier process made. Its `finish` takes a key as the name.
    func openPart(_ id: String) throws(FileError) -> any PartialFile
    /// Removes a part; does nothing where there is none.
    func removePart(_ id: String) throws(FileError)
    /// The parts that there are, each with the time of its last change.
    func parts() throws(FileError) -> [BlobDiskEntry]
    func open(_ key: BlobKey) throws(FileError) -> any ReadableFile
    /// In bytes; nil where there is no such file.
    func size(of key: BlobKey) throws(FileError) -> Int64?
    /// Removes a blob's file; does nothing where there is none.
    func remove(_ key: BlobKey) throws(FileError)
    /// The days below a kind's folder that have files, for example `chat/image/2026/03/20`.
    func days(in folder: String) throws(FileError) -> [String]
    /// The files of a day, named by their keys, each with the time of its last change.
    func objects(of day: String) throws(FileError) -> [BlobDiskEntry]
}

/// A file of a store's folder, whatever the store knows of it.
package struct BlobDiskEntry: Hashable, Sendable {
    /// A part's id, or a key.
    package let name: String
    /// Since 1970-01-01T00:00:00Z.
    package let modifiedMilliseconds: Int64

    package init(name: String, modifiedMilliseconds: Int64) {
        self.name = name
        self.modifiedMilliseconds = modifiedMilliseconds
    }
}
