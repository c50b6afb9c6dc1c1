/// On which of the two devices of a transfer something is.
public enum FileSide: Hashable, Sendable {
    case computer
    /// The phone, or what takes its place.
    case thisDevice
}
