import Foundation

/// The mark on a row: the command that carries it, and how far it reaches. A deletion that the computer did keeps only its reach.
///
/// A mark of all names a number, and one of old ones a time. A row that said something else before the mark came may be beyond that: then the
/// computer did not mark it, and it shows here again once the computer tells of it.
struct RowMark: Hashable {
    enum Reach: Hashable {
        /// Named rows, until one wants to be noticed again.
        case named
        /// Up to a change.
        case upTo(sequence: Int64)
        /// Older than that, in milliseconds since 1970.
        case before(createdAt: Int64)
    }

    /// Characters of a command's name.
    static let nameLength = 36

    /// Nil once the computer did it.
    var command: UUID?
    var reach: Reach

    init(_ command: UUID, _ mark: NotificationMark) {
        self.command = command
        switch mark {
        case .read, .deleted: reach = .named
        case .allRead(let number), .cleared(let number): reach = number.map { .upTo(sequence: $0) } ?? .named
        case .forgotten(let old): reach = old.before.map { .before(createdAt: $0) } ?? .named
        }
    }

    /// Nil for a text that this type did not write.
    init?(_ text: String) {
        command = UUID(uuidString: String(text.prefix(Self.nameLength)))
        var rest = command == nil ? text[...] : text.dropFirst(Self.nameLength)
        guard !rest.isEmpty else {
            reach = .named
            return
        }
        guard rest.removeFirst() == ":", let kind = rest.popFirst(), let number = Int64(rest) else { return nil }
        switch kind {
        case "n": reach = .upTo(sequence: number)
        case "t": reach = .before(createdAt: number)
        default: return nil
        }
    }

    var text: String {
        let name = command.map(Self.name) ?? ""
        return switch reach {
        case .named: name
        case .upTo(let number): "\(name):n\(number)"
        case .before(let time): "\(name):t\(time)"
        }
    }

    /// The prefix of a command's texts, ``nameLength`` characters long.
    static func name(of command: UUID) -> String { command.uuidString.lowercased() }

    /// Every text of a command, however far it reaches.
    static func texts(of command: UUID) -> Range<String> {
        let name = name(of: command)
        // The character behind the colon.
        return name..<"\(name);"
    }

    /// Whether it is about a row as the computer tells it now.
    func reaches(_ notification: RemoteNotification) -> Bool {
        switch reach {
        case .named: true
        case .upTo(let number): notification.isSaid(by: number)
        case .before(let time): notification.createdAt < time
        }
    }
}
