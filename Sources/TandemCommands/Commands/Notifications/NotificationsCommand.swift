import ArgumentParser
import Commands
import Control
import Foundation
import Kernel
import Notifications

struct NotificationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notifications",
        abstract: "What computers say: their programs, agents and commands, and what other devices sent.",
        discussion: """
            For example: tandem notifications, tandem notifications follow, or tandem notifications settings --quiet 22:00-08:00
            """,
        subcommands: [
            List.self, Follow.self, Send.self, Read.self, Delete.self, Clear.self, SettingsCommand.self, Sources.self,
            Act.self,
        ],
        defaultSubcommand: List.self
    )

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List them, the newest first. On a phone: those of all its computers.",
            discussion: """
                With --search or --app a computer looks through its whole history, so on a phone it has to be there.
                """
        )

        @OptionGroup var options: NotificationOptions
        @Flag(help: "Only unread ones.") var unread = false
        @Option(help: ArgumentHelp("Only those with all of these words, or beginnings of words.", valueName: "words"))
        var search: String?
        @Option(help: ArgumentHelp("Only those of this program.", valueName: "name")) var app: String?
        @Option(help: ArgumentHelp("At most so many, 1 to 500.", valueName: "count")) var limit: Int = 20
        @Option(help: ArgumentHelp("Only older ones than this place; a shorter list ends with it.", valueName: "place"))
        var before: String?
        @Flag(help: "On a phone: ask the computers first for what is missing here.") var refresh = false
        @Flag(help: "Whole ids; commands take their beginnings, too.") var ids = false

        func validate() throws {
            guard (1...500).contains(limit) else { throw ValidationError("--limit is 1 to 500, not \(limit).") }
            if let search, search.allSatisfy(\.isWhitespace) || search.utf8.count > NotificationLimits.title {
                throw ValidationError("--search is 1 to \(NotificationLimits.title) bytes.")
            }
            if let app, app.isEmpty || app.utf8.count > NotificationLimits.name {
                throw ValidationError("--app is 1 to \(NotificationLimits.name) bytes.")
            }
        }

        func run() async throws {
            let peer = try await options.peer()
            if refresh {
                guard peer.role == .phone else { throw ValidationError("--refresh is for --role phone.") }
                _ = try await peer.control.call(
                    NotificationsControl.refresh,
                    NotificationsControl.Choice(device: peer.computer)
                )
            }
            let isFound = search != nil || app != nil
            let answer = isFound ? try await found(peer) : try await listed(peer)
            guard !options.global.json else { return try Output.json(answer) }
            guard let rows = answer["notifications"]?.arrayValue else { throw CommandError.unreadableAnswer }
            guard !rows.isEmpty else {
                complain(of: answer)
                return try Output.result(
                    isFound ? "Nothing is found." : unread ? "Nothing is unread." : "There is no notification."
                )
            }
            try Output.result(NotificationText.list(rows, ids: ids))
            complain(of: answer)
            if let older = answer["before"]?.stringValue.map(TerminalText.name) {
                let same = isFound ? "the same with" : "tandem notifications list"
                Output.complain("Older ones: \(same) --before \(older)")
            }
        }

        private func listed(_ peer: ControlPeer) async throws -> JSONValue {
            try await peer.control.call(
                NotificationsControl.list,
                NotificationsControl.List(
                    device: peer.computer,
                    unread: unread ? true : nil,
                    limit: limit,
                    before: before
                )
            )
        }

        /// Searches the history: only a computer has an index of it.
        private func found(_ peer: ControlPeer) async throws -> JSONValue {
            let query = NotificationHistoryQuery(
                limit: limit,
                isUnreadOnly: unread,
                text: search,
                program: app,
                before: before
            )
            let history = try await NotificationCommands(peer).getHistory(query)
            var answer: [String: JSONValue] = [
                "notifications": .array(history.notifications.map(\.wire)),
                "total": .integer(Int64(history.total)), "unreadCount": .integer(Int64(history.unreadCount)),
            ]
            answer["upTo"] = history.upTo.map(JSONValue.integer)
            if history.hasMore ?? (history.notifications.count == limit) {
                answer["before"] = history.notifications.last.map { .string($0.id) }
            }
            return .object(answer)
        }

        /// Why nothing new comes from a computer.
        private func complain(of answer: JSONValue) {
            for advice in answer["advice"]?.arrayValue ?? [] {
                if let sentence = advice.stringValue { Output.complain(TerminalText.line(sentence)) }
            }
        }
    }

    struct Follow: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print them as they come, each once, until Ctrl-C.",
            discussion: """
                With --json each line is one of {"new": …, "banner": …}, {"changed": …}, {"removed": …} and {"unread": …}; {"missed": …} says that \
                the list has to be read anew, and {"computers": …} which ones are followed.
                """
        )

        @OptionGroup var options: NotificationOptions

        func run() async throws {
            let peer = try await options.peer()
            let isJSON = options.global.json
            if !isJSON { Output.complain("Following. It ends with Ctrl-C.") }
            let computers = FollowedComputers()
            _ = try await peer.control.call(
                NotificationsControl.follow,
                NotificationsControl.Choice(device: peer.computer)
            ) { item in
                if let list = item["computers"] {
                    for sentence in try computers.take(list) where !isJSON { Output.complain(sentence) }
                }
                guard !isJSON else { return try Output.json(item) }
                if let line = NotificationText.event(item) { try Output.result(line) }
            }
        }
    }

    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Mark them read, on every device.")

        @OptionGroup var options: NotificationOptions
        @Argument(help: ArgumentHelp("Their ids, or the beginnings of them.", valueName: "id")) var ids: [String] = []
        @Flag(help: "All that are here now.") var all = false
        @Option(help: ArgumentHelp("With --all: only what a list of this upTo had (list --json).", valueName: "number"))
        var upTo: Int64?

        func validate() throws {
            guard all != !ids.isEmpty else { throw ValidationError("Name notifications, or give --all.") }
            guard upTo == nil || all else { throw ValidationError("--up-to goes with --all.") }
            try NotificationsCommand.check(upTo)
        }

        func run() async throws {
            let peer = try await options.peer()
            let mark = NotificationsControl.Mark(
                device: peer.computer,
                ids: all ? nil : try await NotificationsCommand.whole(ids, peer),
                all: all ? true : nil,
                upTo: upTo
            )
            try await NotificationsCommand.show(options, peer, NotificationsControl.mark, mark, "marked", named: !all)
        }
    }

    struct Delete: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Delete them, on every device.")

        @OptionGroup var options: NotificationOptions
        @Argument(help: ArgumentHelp("Their ids, or the beginnings of them.", valueName: "id")) var ids: [String]

        func run() async throws {
            let peer = try await options.peer()
            let delete = NotificationsControl.Delete(
                device: peer.computer,
                ids: try await NotificationsCommand.whole(ids, peer)
            )
            try await NotificationsCommand.show(options, peer, NotificationsControl.delete, delete, "deleted")
        }
    }

    struct Clear: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete all that are here now, on every device, or only old ones."
        )

        @OptionGroup var options: NotificationOptions
        @Option(help: ArgumentHelp("Only those that are older than so many days.", valueName: "days"))
        var olderThan: Int?
        @Option(help: ArgumentHelp("Only those from there: pc or mobile.", valueName: "place"))
        var source: String?
        @Option(help: ArgumentHelp("Only what a list of this upTo had (list --json).", valueName: "number"))
        var upTo: Int64?

        func validate() throws {
            guard upTo == nil || (olderThan == nil && source == nil) else {
                throw ValidationError("--up-to goes without --older-than and --source.")
            }
            try NotificationsCommand.check(upTo)
            if let olderThan, !(0...3650).contains(olderThan) {
                throw ValidationError("--older-than is in days, 0 to 3650, not \(olderThan).")
            }
            if let source, NotificationOrigin(rawValue: source) == nil {
                throw ValidationError("--source is pc or mobile, not \(source).")
            }
        }

        func run() async throws {
            let peer = try await options.peer()
            let day: Int64 = 24 * 3600 * 1000
            let clear = NotificationsControl.Clear(
                device: peer.computer,
                upTo: upTo,
                before: olderThan.map { Date().millisecondsSince1970 - Int64($0) * day },
                source: source
            )
            let method = NotificationsControl.clear
            try await NotificationsCommand.show(options, peer, method, clear, "deleted", named: false)
        }
    }

    /// Ids as a person copies them from a table that a narrow window cuts: the beginning of one that is in the list, with or without the ellipsis.
    static func whole(_ ids: [String], _ peer: ControlPeer) async throws -> [String] {
        let typed = ids.map { $0.hasSuffix("…") ? String($0.dropLast()) : $0 }
        guard typed.contains(where: isBeginning) else { return ids }
        let answer = try await peer.control.call(
            NotificationsControl.list,
            NotificationsControl.List(device: peer.computer, limit: 500)
        )
        let known = answer["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        return try typed.map { id in
            guard isBeginning(id), !known.contains(id) else { return id }
            let found = known.filter { $0.hasPrefix(id.lowercased()) }
            guard let only = found.first else {
                throw CommandError.empty("No notification's id begins with \(id). See them: tandem notifications list")
            }
            guard found.count == 1 else { throw CommandError.empty("Several begin with \(id). Give more of the id.") }
            return only
        }
    }

    /// Whether it can be the beginning of an id that Tandem gave.
    private static func isBeginning(_ id: String) -> Bool {
        (4..<36).contains(id.utf8.count) && id.allSatisfy { $0.isHexDigit || $0 == "-" }
    }

    fileprivate static func check(_ upTo: Int64?) throws {
        if let upTo, upTo < 0 { throw ValidationError("--up-to is a number of at least 0, not \(upTo).") }
    }

    fileprivate static func show<Parameters>(
        _ options: NotificationOptions,
        _ peer: ControlPeer,
        _ method: ControlMethod<Parameters, NotificationsControl.Marked>,
        _ parameters: Parameters,
        _ verb: String,
        named: Bool = true
    ) async throws {
        let wire = try await peer.control.call(method.asWire, parameters)
        try Output.result(wire, as: options.global.json) { NotificationText.marked($0, verb, named: named) }
    }
}
