/// Something that the owner of a computer can allow a paired phone to do there. The catalogue is closed: a right that is not in it
/// enforces nothing, so no list of rights can hold it. In the order of how much they give.
public enum Right: String, CaseIterable, Codable, Hashable, Sendable, Comparable {
    case systemInformation = "system.info"
    case notification
    case clipboard
    case display
    case fileRead = "file.read"
    case fileWrite = "file.write"
    case systemLogs = "system.logs"
    case terminal

    /// What every phone may do from its pairing on. The rest is offered when it is accepted, and given by the owner.
    public static let initial: Set<Right> = [.systemInformation, .notification]

    /// What the right amounts to, in a person's words: "Ada's phone can …".
    public var meaning: String {
        switch self {
        case .systemInformation: "see what this computer is and how busy it is"
        case .notification: "be told what happens at this computer, and show you messages"
        case .clipboard: "read and replace what you copy, passwords among it"
        case .display: "take pictures of everything on your screen"
        case .fileRead: "read all documents you share"
        case .fileWrite: "add, replace, rename and delete all documents you share"
        case .systemLogs: "read this computer's logs, which can hold private things"
        case .terminal: "run any program as you, and so do everything you can do here"
        }
    }

    public static func < (left: Right, right: Right) -> Bool { left.place < right.place }

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

extension Right {
    /// Names for several rights, or of before: what records, arguments and the wire's registry may hold beside the raw values.
    private static let groups: [String: Set<Right>] = [
        "file": [.fileRead, .fileWrite],
        "system": [.systemLogs],
    ]

    /// What a name stands for: one right, or those of a group such as `file`. Nil for a name that nothing has.
    public static func named(_ name: String) -> Set<Right>? {
        Right(rawValue: name).map { [$0] } ?? groups[name]
    }

    /// Reads names as a person gives them: each argument is a name or several, with commas between.
    ///
    /// - Throws: ``RightsError``, naming the first unknown one.
    public static func list(_ texts: some Sequence<String>) throws(RightsError) -> Set<Right> {
        var rights: Set<Right> = []
        for text in texts {
            for name in text.split(whereSeparator: { $0 == "," || $0 == " " }) {
                guard let named = named(String(name)) else { throw .unknown(String(name.prefix(64))) }
                rights.formUnion(named)
            }
        }
        guard !rights.isEmpty else { throw .none }
        return rights
    }

    /// Reads a stored list, which another version may have written: a value that is no right any more gives nothing.
    public static func stored(_ names: some Sequence<String>) -> Set<Right> {
        names.reduce(into: []) { $0.formUnion(named($1) ?? []) }
    }

    /// One line for each right, for help and for errors: its name and its meaning.
    public static func catalogue(of rights: some Sequence<Right> = allCases, indent: String = "  ") -> String {
        let width = allCases.map(\.rawValue.count).max() ?? 0
        return rights.sorted().map { right in
            let space = String(repeating: " ", count: width - right.rawValue.count + 2)
            return indent + right.rawValue + space + right.meaning
        }.joined(separator: "\n")
    }
}

/// Why a list of rights could not be read. The description is shown to the person: what happened, then what to do.
public enum RightsError: Error, Hashable, Sendable, CustomStringConvertible {
    case unknown(String)
    case none

    public var description: String {
        switch self {
        case .unknown(let name): "There is no right called \(name). \(Self.advice)"
        case .none: "No right is named. \(Self.advice)"
        }
    }

    private static let advice =
        "Use one or more of: " + Right.allCases.map(\.rawValue).joined(separator: ", ")
        + ", or file for both that begin with it."
}
