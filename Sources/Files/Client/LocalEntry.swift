import Transfers

/// An entry of a folder on this device.
struct LocalEntry: Sendable {
    var name: [UInt8]
    /// Nil when it went meanwhile, or is of a kind that has no name.
    var status: FileStatus?

    var kind: FileKind? { status?.kind }
}
