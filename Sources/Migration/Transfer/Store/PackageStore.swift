/// Where the new phone keeps what it receives, so that a transfer survives the program's end.
public protocol PackageStore: Sendable {
    /// The transfer that was begun last and has not ended; nil when there is none.
    func unfinished() async throws -> ReceivedPackage?

    /// The place for a package: with what is there of it already, or empty. Other packages that were begun stay for a while.
    func open(_ meta: BackupMeta) async throws -> ReceivedPackage

    /// Bytes that can be written, before a package is opened.
    func availableBytes() async throws -> Int64

    /// Whether the disk takes parts of a package back that are needed no longer (``PackageSink/release(_:)``).
    func givesSpaceBack() async throws -> Bool

    /// Removes what is kept of the package.
    func remove(_ meta: BackupMeta) async throws
}

/// A store that keeps everything.
extension PackageStore {
    public func givesSpaceBack() async throws -> Bool { false }
}
