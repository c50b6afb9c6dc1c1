/// What a restore is at, for a progress line.
package enum RestoreStep: Hashable, Sendable {
    case records
    /// The bytes of media that came so far, of those that the manifest promises.
    case media(bytes: UInt64, of: UInt64)
    case database
    case key
    case disk
}
