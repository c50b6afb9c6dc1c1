/// Why a file could not be reached or changed. The description is shown to the person: what happened, then what to do.
public enum FileError: Error, Hashable, Sendable, CustomStringConvertible {
    case nothingShared
    case outside(String)
    case badName(String)
    case notFound(String)
    case notAFolder(String)
    case isAFolder(String)
    /// Neither file nor folder: its content is not for reading.
    case notOrdinary(String, FileKind)
    case exists(String)
    case denied(String)
    case folderNotEmpty(String)
    case linkLoop(String)
    case diskFull(needed: Int64)
    case otherDisk(String)
    case noTrash(String)
    case tooManyEntries(String, limit: Int)
    case unsupported(String)
    /// Anything else the system said, with its words.
    case system(String, reason: String)

    public var description: String {
        switch self {
        case .nothingShared: "No folder of this computer is shared. Name one in its configuration."
        case .outside(let path):
            "\(path) is outside the shared folders of this computer. Choose a place inside, or share its folder there."
        case .badName(let name):
            "\"\(name)\" cannot be the name of a file. Choose a name without / of at most 255 bytes."
        case .notFound(let path): "\(path) is not there. It may have been moved or removed; look at its folder again."
        case .notAFolder(let path): "\(path) is not a folder. Name the folder it is in."
        case .isAFolder(let path): "\(path) is a folder. Name a file in it, or say that folders are meant too."
        case .notOrdinary(let path, let kind): "\(path) is \(kind.words), and only files and folders can be used here."
        case .exists(let path): "\(path) is there already. Choose another name, or say that it may be replaced."
        case .denied(let path): "The computer's user may not do that to \(path). Change its permissions there."
        case .folderNotEmpty(let path): "\(path) is a folder with something in it. Say that its content may go too."
        case .linkLoop(let path): "The links on the way to \(path) lead in a circle, or are not followed here."
        case .diskFull(let needed):
            "The disk has no room for \(needed) bytes. Free some space on the computer, then try again."
        case .otherDisk(let path): "\(path) is on another disk, and only a copy gets there. Send it as a transfer."
        case .noTrash(let path): "\(path) is not on the disk of the trash. Say force to delete it for good."
        case .tooManyEntries(let path, let limit): "\(path) holds more than \(limit) entries. Choose a smaller folder."
        case .unsupported(let what): "\(what) is not possible on this computer."
        case .system(let path, let reason): "\(path): \(reason)."
        }
    }
}
