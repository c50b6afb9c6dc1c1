import Synchronization

/// A part of a file as it came, for a reader that has no place for it on a disk.
final class TakenPart: Sendable {
    private let content = Mutex<ArraySlice<UInt8>>([])

    /// Empty until ``take(_:)``.
    var bytes: ArraySlice<UInt8> { content.withLock { $0 } }

    func take(_ bytes: ArraySlice<UInt8>) { content.withLock { $0 = bytes } }
}
