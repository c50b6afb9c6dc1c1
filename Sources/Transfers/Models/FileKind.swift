/// The kind of thing that a name stands for. Raw values are the wire's `kind`.
public enum FileKind: String, Hashable, Sendable, Codable {
    case file
    case folder = "directory"
    case link = "symlink"
    case fifo
    case socket
    case characterDevice = "character-device"
    case blockDevice = "block-device"
    /// Made up by the kernel, as in /proc and /sys.
    case kernel

    /// The four bits of a POSIX mode that say it.
    public init?(mode: UInt32) {
        switch mode & 0o170000 {
        case 0o100000: self = .file
        case 0o040000: self = .folder
        case 0o120000: self = .link
        case 0o010000: self = .fifo
        case 0o140000: self = .socket
        case 0o020000: self = .characterDevice
        case 0o060000: self = .blockDevice
        default: return nil
        }
    }

    package var words: String {
        switch self {
        case .file: "a file"
        case .folder: "a folder"
        case .link: "a link"
        case .fifo: "a FIFO"
        case .socket: "a socket"
        case .characterDevice, .blockDevice: "a device"
        case .kernel: "a file of the kernel"
        }
    }
}
