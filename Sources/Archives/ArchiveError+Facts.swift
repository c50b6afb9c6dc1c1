public import Kernel

extension ArchiveError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .unsafeName, .nameCollision, .unsupportedEntry, .suspiciousRatio, .directoryMismatch:
            .kind(.refused, reason: "hostileArchive")
        case .tooManyEntries, .tooLarge: .kind(.tooLarge, reason: "archiveTooLarge")
        case .sizeMismatch, .damaged, .trailingData: .kind(.badRequest, reason: "damagedArchive")
        case .notAnArchive: .kind(.badRequest, reason: "notAnArchive")
        case .truncated: .kind(.badRequest, reason: "truncatedArchive")
        case .encrypted: .kind(.badRequest, reason: "encryptedArchive")
        case .invalidArgument: .kind(.internal)
        }
    }

    public var description: String {
        switch self {
        case .unsafeName:
            "The archive holds a file name that is not safe to unpack. Nothing of it was taken; make the archive again."
        case .nameCollision:
            "The archive holds two files with one name. Nothing of it was taken; make the archive again."
        case .unsupportedEntry:
            "The archive holds a link or a device. Nothing of it was taken; make it again from plain files."
        case .tooManyEntries(let limit): "The archive holds more than \(limit) files. Split it and try again."
        case .tooLarge(let limit): "The archive unpacks to more than \(limit) bytes. Split it and try again."
        case .suspiciousRatio:
            "The archive unpacks to far more than it holds and looks like an attack. Nothing of it was taken."
        case .sizeMismatch: "The archive is damaged: a file in it has another size than it says. Copy it again."
        case .notAnArchive: "The file is not an archive of the expected kind. Choose the file that was exported."
        case .truncated: "The archive is not complete. Copy it again."
        case .trailingData: "The archive has bytes after its end. Copy it again."
        case .damaged: "The archive is damaged. Copy it again."
        case .directoryMismatch:
            "The archive's list of files is not what it holds. Nothing of it was taken; make the archive again."
        case .encrypted: "The archive has a password of its own. Make it again without one."
        case .invalidArgument(let name): "The archive cannot be made: \(name) is out of range."
        }
    }
}
