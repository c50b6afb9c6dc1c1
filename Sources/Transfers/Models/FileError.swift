import Kernel

/// Why a file could not be reached or changed. The description is shown to the person: what happened, then what to do.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingShared
    /// Tandem's own: keys, sessions and rights.
    case stateFolder(String)
    case outside(String)
    case badName(String)
    case notFound(String)
    case notAFolder(String)
    case isAFolder(String)
    /// Neither file nor folder: its content is not for reading.
    case notOrdinary(String, FileKind)
    case exists(String)
    case denied(String, on: FileSide = .computer)
    /// Programs start from there by themselves, or by their name: phones only read it.
    case startsPrograms(String)
    case folderNotEmpty(String)
    case linkLoop(String)
    /// - Parameter needed: Bytes; 0 where it is not known.
    case diskFull(needed: Int64, on: FileSide = .computer)
    case otherDisk(String)
    /// A folder moved to a place inside itself.
    case intoItself(String)
    case noTrash(String)
    case tooManyEntries(String, limit: Int)
    case unsupported(String)
    /// Anything else the system said, with its words.
    case system(String, reason: String)

    public var description: String {
        switch self {
        case .nothingShared: "No folder of this computer is shared. Name one in its configuration."
        case .stateFolder(let path):
            "\(path) is a state folder of Tandem, or in one, and is never shared: it holds this computer's keys. Share another."
        case .outside(let path):
            "\(path) is outside the shared folders of this computer. Choose a place inside, or share its folder there."
        case .badName(""):
            "That is a shared folder itself, which is not moved or removed from here. Name something in it."
        case .badName(let name):
            "\"\(name)\" cannot be the name of a file. Choose a name without / of at most 255 bytes."
        case .notFound(let path): "\(path) is not there. It may have been moved or removed; look at its folder again."
        case .notAFolder(let path): "\(path) is not a folder. Name the folder it is in."
        case .isAFolder(let path): "\(path) is a folder. Name a file in it, or say that folders are meant too."
        case .notOrdinary(let path, let kind): "\(path) is \(kind.words), and only files and folders can be used here."
        case .exists(let path):
            "\(path) is there already. Choose another name, or say that it may be replaced (--replace)."
        case .denied(let path, .computer):
            "The computer's user may not do that to \(path). Look at its permissions there, and whether its disk may be written to."
        case .denied(let path, .thisDevice):
            """
            \(path) on this device is not allowed for that. Look at its permissions, and whether its disk may be written to; or \
            choose another folder.
            """
        case .startsPrograms(let path):
            """
            \(path) is not for phones to change: this computer starts programs from there. Change it at the computer, or share \
            that very folder by name.
            """
        case .folderNotEmpty(let path):
            "\(path) is a folder with something in it. Say that its content may go too (-r)."
        case .linkLoop(let path): "The links on the way to \(path) lead in a circle, or are not followed here."
        case .diskFull(let needed, let side):
            """
            \(side == .computer ? "The computer's disk" : "The disk of this device") has no room for \
            \(needed > 0 ? ByteSize(needed).description : "more"). Free some space there, then try again.
            """
        case .otherDisk(let path): "\(path) is on another disk, and only a copy gets there. Send it as a transfer."
        case .intoItself(let path):
            "\(path) is inside the folder that is to be moved there. Choose a place outside of it."
        case .noTrash(let path):
            "\(path) is not on the disk of the trash. Say that it may be deleted for good (--force)."
        case .tooManyEntries(let path, let limit): "\(path) holds more than \(limit) entries. Choose a smaller folder."
        case .unsupported(let what): "\(what) is not possible here."
        case .system(let path, let reason): "\(path): \(reason)."
        }
    }
}

extension FileError {
    /// Whether it says that the file may not have its name, and nothing about what was sent of it.
    package var isOfTarget: Bool {
        switch self {
        case .exists, .outside, .startsPrograms, .denied, .notAFolder: true
        default: false
        }
    }
}
