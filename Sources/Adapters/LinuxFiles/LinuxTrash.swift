import CLinux
import Glibc
import Transfers

/// The person's trash, by the freedesktop.org specification: the note about where a file was is made first, then the file moves.
struct LinuxTrash {
    private static let nameTries = 10_000

    /// Absolute and without links when the program started: another program may have set a later link as a trap.
    private let path: [UInt8]

    init(_ path: [UInt8]) { self.path = path }

    /// - Throws: ``FileError/noTrash(_:)`` for a file of another disk: it would have to be copied.
    func take(_ name: [UInt8], in folder: Descriptor, path original: [UInt8]) throws(FileError) {
        let text = FileNameText.text(original)
        let files = try part("files")
        let information = try part("info")
        for number in 0..<Self.nameTries {
            let candidate = Self.candidate(name, number)
            let note = candidate + Array(".trashinfo".utf8)
            let made = note.withCString {
                openat(information.number, $0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
            }
            guard made >= 0 else {
                if errno == EEXIST { continue }
                throw FileError(errno: errno, path: FileNameText.text(path))
            }
            let written = Self.write(Self.note(about: original), to: Descriptor(made))
            let result =
                written
                ? name.withCString { from in
                    candidate.withCString { tandem_rename(folder.number, from, files.number, $0, 0) }
                } : -EIO
            if result == 0 { return }
            // Whatever the reason, a note about a file that is not there would only confuse.
            _ = note.withCString { unlinkat(information.number, $0, 0) }
            switch -result {
            case EEXIST: continue
            case EXDEV: throw .noTrash(text)
            case let failure: throw FileError(errno: failure, path: text)
            }
        }
        throw .system(text, reason: "the trash holds too many files of that name. Empty it")
    }

    /// Opens a folder of the trash, made where it is missing. No link is followed on the way.
    private func part(_ name: String) throws(FileError) -> Descriptor {
        let text = FileNameText.text(path) + "/" + name
        guard var current = Descriptor(lookingAt: "/") else { throw .noTrash(text) }
        for component in path.split(separator: UInt8(ascii: "/")) + [ArraySlice(name.utf8)] {
            let component = Array(component)
            if component.withCString({ mkdirat(current.number, $0, 0o700) }) != 0, errno != EEXIST, errno != EROFS,
                errno != EACCES
            {
                throw FileError(errno: errno, path: text)
            }
            let number = component.withCString { tandem_look(current.number, $0, 1) }
            guard number >= 0 else {
                throw -number == ELOOP || -number == ENOTDIR ? .noTrash(text) : FileError(errno: -number, path: text)
            }
            current = Descriptor(number)
        }
        return current
    }

    /// `name`, then `name.2`, `name.3`: short enough that the note's name fits too.
    private static func candidate(_ name: [UInt8], _ number: Int) -> [UInt8] {
        Array(name.prefix(230)) + (number == 0 ? [] : Array(".\(number + 1)".utf8))
    }

    private static func note(about path: [UInt8]) -> [UInt8] {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
        var encoded = ""
        for byte in path {
            encoded +=
                plain.contains(byte)
                ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
        }
        var seconds = time(nil)
        var local = tm()
        localtime_r(&seconds, &local)
        let numbers = [
            local.tm_year + 1900, local.tm_mon + 1, local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec,
        ]
        let texts = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
        let date = texts[..<3].joined(separator: "-") + "T" + texts[3...].joined(separator: ":")
        return Array("[Trash Info]\nPath=\(encoded)\nDeletionDate=\(date)\n".utf8)
    }

    private static func write(_ bytes: [UInt8], to file: Descriptor) -> Bool {
        Glibc.write(file.number, bytes, bytes.count) == bytes.count
    }
}
