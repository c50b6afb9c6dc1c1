package import Transfers

/// A computer's files below its shared folders. Calls block: they are made off the cooperative threads.
///
/// An implementation resolves every path by opening, from the shared folder on and never out of it: no path is checked as a text and
/// opened later.
package protocol FileAccess: Sendable {
    var roots: FileRoots { get }
    /// - Parameter followingLink: Whether a link at the end is followed, as long as it stays inside.
    func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus
    func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder
    /// A regular file; anything else is refused before it is opened.
    func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile
    /// False when the folder was there already.
    ///
    /// - Parameter permissions: Those of the folder that it is made for, of which the person's umask is taken; nil where they are not known.
    func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError) -> Bool
    func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError)
    func trash(_ location: FileLocation) throws(FileError)
    func remove(_ location: FileLocation, recursively: Bool) throws(FileError)
    /// Whether a file of this name may come there from any device: checked before anything is sent.
    func checkTarget(_ location: FileLocation) throws(FileError)
    /// A new file of `size` bytes beside the one it will become, with room for all of it but its holes.
    func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
        -> any PartialFile
    /// Opens a part that an earlier process made.
    func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile
    /// A folder that small files come into, many at a time. It is checked like one that a part is made in.
    func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder
}
