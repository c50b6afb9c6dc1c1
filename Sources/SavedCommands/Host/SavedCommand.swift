import Foundation
import Kernel
import SavedCommands

/// A command as its owner saved it.
struct SavedCommand: Hashable, Sendable {
    /// The program to start.
    enum Program: Hashable, Sendable {
        /// A program with its arguments, without a shell: nothing in them is read as anything but text.
        case arguments([String])
        /// A line for `/bin/sh -c`, which the owner wrote. Phones add nothing to it.
        case shell(String)

        /// The words that are started.
        var words: [String] {
            switch self {
            case .arguments(let arguments): arguments
            case .shell(let line): ["/bin/sh", "-c", line]
            }
        }
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
        if case .arguments = program, first.contains("/"), !first.hasPrefix("/") { throw .relativeProgram(first) }
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

/// The form in which it is kept.
extension SavedCommand: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, name, arguments, shell, folder, confirm, timeout, devices
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        let line = try members.decodeIfPresent(String.self, forKey: .shell)
        try self.init(
            id: members.decode(String.self, forKey: .id),
            name: members.decode(String.self, forKey: .name),
            program: line.map(Program.shell) ?? .arguments(members.decode([String].self, forKey: .arguments)),
            folder: members.decodeIfPresent(String.self, forKey: .folder),
            needsConfirmation: members.decode(Bool.self, forKey: .confirm),
            timeoutSeconds: members.decodeIfPresent(Int.self, forKey: .timeout),
            allowedDevices: Set(members.decode([String].self, forKey: .devices))
        )
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(id, forKey: .id)
        try members.encode(name, forKey: .name)
        switch program {
        case .arguments(let arguments): try members.encode(arguments, forKey: .arguments)
        case .shell(let line): try members.encode(line, forKey: .shell)
        }
        try members.encodeIfPresent(folder, forKey: .folder)
        try members.encode(needsConfirmation, forKey: .confirm)
        try members.encodeIfPresent(timeoutSeconds, forKey: .timeout)
        try members.encode(allowedDevices.sorted(), forKey: .devices)
    }
}
