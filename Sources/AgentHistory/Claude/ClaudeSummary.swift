import Conversations
import Foundation
import Kernel

/// The summary of a session, read from the beginning and the end of its file.
struct ClaudeSummary {
    private static let headLines = 400
    private static let tailLines = 400

    private(set) var hasMessages = false
    private(set) var workingFolder: String?
    private(set) var gitBranch: String?
    private(set) var version: String?
    private(set) var entryPoint: String?
    private(set) var parentID: String?
    private(set) var createdMilliseconds: Int64?
    private(set) var lastMilliseconds: Int64?

    private var customTitle: String?
    private var generatedTitle: String?
    private var firstText: String?
    /// Whether ``firstText`` is of another session, which wrote into this file: the file's own words take its place.
    private var isFirstTextForeign = false
    private let session: String
    private var firstCommand: String?
    /// A person showed a picture, with or without words.
    private var hasPicture = false
    /// Summaries of sessions, each with the record it ends at: some are of other sessions.
    private var summaries: [(text: String, leaf: String?)] = []
    private var seen: Set<String> = []

    /// The newest of each kind counts, but for what the person wrote first.
    var title: String? {
        let summary = summaries.last { $0.leaf.map(seen.contains) ?? false }?.text
        return customTitle ?? generatedTitle ?? summary ?? firstText ?? firstCommand ?? (hasPicture ? "[Image]" : nil)
    }

    init(_ file: HistoryFile, _ buried: BuriedTitles) throws(AgentHistoryError) {
        session = HistoryPath.stem(of: file.path)
        var reader = LineReader(file, from: 0, limits: LineLimits(budget: 32 << 20))
        for _ in 0..<Self.headLines {
            guard case .line(let line) = try reader.next() else { break }
            if case .record(let record) = HistoryRecord.read(line) { take(record) }
        }
        guard let end = try file.end(within: 64 << 20) else { return }
        var tail: [HistoryRecord] = []
        var backwards = ReverseLineReader(file, before: end, limits: LineLimits(budget: 16 << 20))
        while tail.count < Self.tailLines, case .line(let line) = try backwards.next(), line.offset >= reader.position {
            if case .record(let record) = HistoryRecord.read(line) { tail.append(record) }
        }
        let middle = reader.position..<max(reader.position, backwards.position)
        if !middle.isEmpty {
            let found = try buried.titles(in: file, middle)
            customTitle = found.custom ?? customTitle
            generatedTitle = found.generated ?? generatedTitle
        }
        for record in tail.reversed() { take(record) }
    }

    private mutating func take(_ record: HistoryRecord) {
        let value = record.value
        if let time = value.name("timestamp", limit: 40).flatMap(ISOTime.milliseconds) {
            createdMilliseconds = createdMilliseconds ?? time
            lastMilliseconds = time
        }
        workingFolder = workingFolder ?? value.name("cwd")
        // Git's own word where no branch is checked out, which Claude Code also writes of a folder that is no repository.
        if let branch = value.line("gitBranch") { gitBranch = branch == "HEAD" ? nil : branch }
        version = value.line("version", limit: 100) ?? version
        entryPoint = entryPoint ?? value.line("entrypoint", limit: 80)
        parentID = parentID ?? value["forkedFrom"]?.name("sessionId", limit: 200)
        if let id = value.name("uuid", limit: 100) { seen.insert(id) }
        switch value["type"]?.stringValue {
        case "custom-title": customTitle = value.line("customTitle") ?? customTitle
        case "ai-title": generatedTitle = value.line("aiTitle") ?? generatedTitle
        case "summary":
            if let text = value.line("summary") { summaries.append((text, value.name("leafUuid", limit: 100))) }
        case "user" where value["isSidechain"]?.boolValue != true:
            hasMessages = true
            if firstText == nil || isFirstTextForeign { takeText(value) }
        case "assistant" where value["isSidechain"]?.boolValue != true:
            hasMessages = true
        default: break
        }
    }

    private mutating func takeText(_ value: JSONValue) {
        guard value["isMeta"]?.boolValue != true, value["isCompactSummary"]?.boolValue != true,
            ClaudeSender(of: value) == nil
        else { return }
        let isForeign = value.name("sessionId", limit: 200).map { $0 != session } ?? false
        guard firstText == nil || !isForeign else { return }
        let content = value["message"]?["content"]
        hasPicture = hasPicture || (content?.arrayValue ?? []).contains { $0["type"]?.stringValue == "image" }
        for text in ClaudeItems.texts(content) {
            switch ClaudeText(text) {
            case .person(let words):
                let line = ShortText.line(words)
                guard !line.isEmpty else { continue }
                firstText = line
                isFirstTextForeign = isForeign
                return
            case .command(let name): firstCommand = firstCommand ?? ShortText.line(name)
            case .interruption, .machine: continue
            }
        }
    }
}

/// The kind of a text in the person's name: the program writes many of them.
enum ClaudeText {
    case person(String)
    /// A command of the program's own, `/model`.
    case command(String)
    case interruption
    /// A text that the program adds for the model.
    case machine

    init(_ text: String) {
        let start = text.drop { $0.isWhitespace }
        if start.hasPrefix("<command-name>") || start.hasPrefix("<command-message>") {
            let name = Self.inside("command-name", of: text) ?? Self.inside("command-message", of: text) ?? ""
            let arguments = Self.inside("command-args", of: text) ?? ""
            self = .command(arguments.isEmpty ? name : name + " " + arguments)
        } else if start.hasPrefix("[Request interrupted by user") {
            self = .interruption
        } else if [
            "<local-command-", "Caveat: ", "<system-reminder>", "<ide_opened_file>", "<ide_selection>", "<bash-stdout>",
            "<bash-stderr>", "<task-notification>",
        ].contains(where: { start.hasPrefix($0) }) {
            self = .machine
        } else if let command = Self.inside("bash-input", of: text), start.hasPrefix("<bash-input>") {
            self = .command("!" + command)
        } else {
            self = .person(text)
        }
    }

    private static func inside(_ tag: String, of text: String) -> String? {
        guard let open = text.range(of: "<\(tag)>"),
            let close = text.range(of: "</\(tag)>", range: open.upperBound..<text.endIndex)
        else { return nil }
        return String(text[open.upperBound..<close.lowerBound])
    }
}
