import Foundation
import Kernel
import SavedCommands

/// A command as its owner saved it.
struct SavedCommand: Hashable, Codable, Sendable {
    /// The program to start.
    enum Program: Hashable, Codable, Sendable {
        /// A program with its arguments, without a shell: nothing in them is read as anything but text.
        case arguments([String])
        /// A line for `/bin/sh -c`, which the owner wrote. Phones add nothing to it.
        case shell(String)
    }

    /// Made by the computer when the command is added; a name may change.
    let id: String
    var name: String
    var program: Program
    /// An absolute path. Nil: the owner's home.
    var folder: String?
    /// Whether the phone asks before each run.
    var needsConfirmation: Bool
    /// In seconds, within ``timeouts``. Nil: it runs until it ends.
    var timeoutSeconds: Int?
    /// The ids of the phones that may run it. None may at first.
    var allowedDevices: Set<String>

    /// One second to a day.
    static let timeouts = 1...86_400
    /// Bytes of a program and its arguments together, or of a shell's line.
    static let textLimit = 16 << 10
    static let argumentLimit = 256

    /// - Parameter name: Letters, digits, hyphens, underscores and dots; it stands in the command line.
    /// - Throws: ``SavedCommandError``, naming what does not fit.
    init(
        id: String = UUID().uuidString.lowercased(),
        name: String,
        program: Program,
        folder: String? = nil,
        needsConfirmation: Bool = false,
        timeoutSeconds: Int? = nil,
        allowedDevices: Set<String> = []
    ) throws(SavedCommandError) {
        self.id = id
        self.name = name
        self.program = program
        self.folder = folder
        self.needsConfirmation = needsConfirmation
        self.timeoutSeconds = timeoutSeconds
        self.allowedDevices = allowedDevices
        try check()
    }

    /// - Throws: ``SavedCommandError``, naming what does not fit. Also of a command that was read from the disk.
    func check() throws(SavedCommandError) {
        guard (1...SavedCommandLimits.name).contains(name.utf8.count), name.hasOnlyLettersAndDigits(or: "-_."),
            !name.hasPrefix("-")
        else { throw .malformedName(String(name.prefix(SavedCommandLimits.name))) }
        let texts =
            switch program {
            case .arguments(let arguments): arguments
            case .shell(let line): [line]
            }
        guard let first = texts.first, !first.isEmpty else { throw .noProgram }
        guard texts.count <= Self.argumentLimit, texts.reduce(0, { $0 + $1.utf8.count }) <= Self.textLimit else {
            throw .tooLong(limit: Self.textLimit)
        }
        // A zero byte ends a text for the system, which would run something else than what was saved.
        guard !(texts + [folder ?? ""]).contains(where: { $0.utf8.contains(0) }) else { throw .zeroByte }
        if let folder, !folder.hasPrefix("/") { throw .relativeFolder(folder) }
        if let timeoutSeconds, !Self.timeouts.contains(timeoutSeconds) { throw .malformedTimeout(timeoutSeconds) }
    }

    /// What a phone is told of it.
    var entry: SavedCommandEntry {
        SavedCommandEntry(
            id: id,
            name: name,
            needsConfirmation: needsConfirmation,
            timeoutSeconds: timeoutSeconds
        )
    }
}
