import Commands
import Conversations
import Foundation
import Kernel
import Threads

/// Conversations as a person reads them in a terminal. Everything in them was written by an agent, so every text is made safe.
struct ThreadText {
    /// Rows of a tool's output and of a change that are printed unless all are wanted.
    private static let foldedRows = 6
    /// Characters of one such row.
    private static let foldedColumns = 200
    /// A narrower terminal has no room for a table with titles that can be read.
    private static let tableColumns = 130

    private let full: Bool
    private let style = Style()

    init(full: Bool) { self.full = full }

    // MARK: Lists

    /// - Parameter ids: Whether ids are whole on a terminal, too.
    static func list(_ threads: [ThreadSummary], ids: Bool) -> String {
        let console = Running.console
        if console.isTerminal(.output), let columns = console.window()?.columns, columns < tableColumns {
            return rows(threads, ids: ids)
        }
        let all = threads.map(\.reference.id)
        return Output.table(
            ["STATE", "AGENT", "UPDATED", "FOLDER", "TITLE", "ID"],
            threads.map {
                [
                    standing($0) ?? "", $0.reference.agent.rawValue,
                    Output.when($0.lastMessageMilliseconds ?? $0.updatedMilliseconds),
                    $0.workingFolder.map(shortFolder) ?? "", $0.title ?? "",
                    ids ? $0.reference.id : Output.shortID($0.reference.id, among: all),
                ]
            }
        )
    }

    /// Two rows for each: its title, then its id and what else there is room for.
    private static func rows(_ threads: [ThreadSummary], ids: Bool) -> String {
        let style = Style()
        let all = threads.map(\.reference.id)
        return threads.map { thread in
            let id = ids ? thread.reference.id : Output.shortID(thread.reference.id, among: all)
            let facts = [
                standing(thread), thread.reference.agent.rawValue,
                Output.when(thread.lastMessageMilliseconds ?? thread.updatedMilliseconds),
                thread.workingFolder.map(shortFolder),
            ].compactMap(\.self).joined(separator: " · ")
            return style.bold(Output.row(thread.title ?? "")) + "\n" + style.dim(Output.row("  \(id)  \(facts)"))
        }.joined(separator: "\n")
    }

    private static func shortFolder(_ path: String) -> String {
        path.split(separator: "/").suffix(2).joined(separator: "/")
    }

    /// Nil where there is nothing to say.
    private static func standing(_ thread: ThreadSummary) -> String? {
        if thread.unreadable != nil { return "too large to be read" }
        return thread.state == .idle ? nil : words(thread.state)
    }

    static func words(_ state: AgentState) -> String {
        switch state {
        case .idle: "idle"
        case .running: "running"
        case .waitingForApproval: "waiting for approval"
        case .waitingForInput: "waiting for an answer"
        case .done: "done"
        case .failed: "failed"
        case .other(let word): TerminalText.line(word)
        }
    }

    static func heading(_ thread: ThreadSummary) -> String {
        let style = Style()
        let facts = [
            thread.reference.agent.rawValue, thread.workingFolder, thread.gitBranch, standing(thread),
        ]
        .compactMap(\.self).map(TerminalText.line).joined(separator: " · ")
        let failure = thread.reason.map { "  ! \(TerminalText.line($0))\n" } ?? ""
        return style.bold(TerminalText.line(thread.title ?? thread.reference.id)) + "\n" + style.dim(facts) + "\n"
            + failure
    }

    static func hit(_ hit: ThreadHits.Hit) -> String {
        let style = Style()
        let units = Array(hit.snippet.utf16)
        var shown = ""
        var end = 0
        for mark in hit.marks where mark.upperBound <= units.count {
            shown += TerminalText.line(String(decoding: units[end..<mark.lowerBound], as: UTF16.self))
            shown += style.bold(TerminalText.line(String(decoding: units[mark], as: UTF16.self)))
            end = mark.upperBound
        }
        shown += TerminalText.line(String(decoding: units[end...], as: UTF16.self))
        let place = "\(hit.thread.title ?? "") · \(hit.thread.reference.agent.rawValue) · \(hit.thread.reference.id)"
        return "\(style.dim(TerminalText.line(place)))\n  \(shown)"
    }

    /// A command that a person can type next.
    ///
    /// - Parameters:
    ///   - id: Named by an agent.
    ///   - computer: As the person typed it; nil where only one is meant.
    static func command(_ words: String, _ id: String, at computer: String?) -> String {
        "tandem threads \(words) \(TerminalText.name(id))"
            + (computer.map { " --computer \(TerminalText.name($0))" } ?? "")
    }

    // MARK: What waits

    static func approval(_ approval: Approval, at computer: String?) -> String {
        let style = Style()
        var lines = [
            style.bold("\(TerminalText.line(approval.id))  \(subject(approval.subject))")
                + style.dim(
                    "  \(TerminalText.line(approval.thread.agent.rawValue)) \(TerminalText.line(approval.thread.id))"
                )
        ]
        switch approval.subject {
        case .command(let command):
            lines += block(command.line).map { "  $ \($0)" }
            if let folder = command.folder { lines.append(style.dim("  in \(TerminalText.line(folder))")) }
        case .fileChange(let change):
            lines += change.files.map { "  \(words($0.kind)) \(TerminalText.line($0.path))\(target($0.kind))" }
            lines += diff(change.patch.text, style).map { "  \($0)" } + missing(of: change.patch, style)
        case .tool(let call):
            lines += block(call.arguments.text).map { "  \($0)" } + missing(of: call.arguments, style)
        case .permissions(let permissions): lines += permissions.map { "  \(TerminalText.line($0))" }
        case .questions(let questions):
            for question in questions {
                if let header = question.header { lines.append(style.dim("  \(TerminalText.line(header))")) }
                lines += block(question.text).map { "  \($0)" }
                lines.append("    --answer \(TerminalText.name(question.id))=…")
                for choice in question.choices {
                    lines.append("    - \(TerminalText.line(choice))")
                    guard let detail = question.details[choice] else { continue }
                    if let text = detail.text { lines.append(style.dim("        \(TerminalText.line(text))")) }
                    if let preview = detail.preview {
                        lines += block(preview.text).map { "        | \($0)" }
                        if preview.isCut { lines.append(style.dim("        | …")) }
                    }
                }
            }
        case .unknown(_, let raw): lines += block(raw.text).map { "  \($0)" } + missing(of: raw, style)
        }
        if let reason = approval.reason { lines += block(reason).map { style.dim("  \($0)") } }
        let options = approval.options.map { option in
            let flag =
                switch option.kind {
                case .allowOnce: "--allow"
                case .allowForSession: "--session"
                case .decline: "--decline"
                case .submit: "--answer …"
                case .cancel, .other: "--option \(TerminalText.name(option.id))"
                }
            let name = option.name ?? (option.kind == .cancel ? "decline and stop" : nil)
            return name.map { "\(flag) (\(TerminalText.line($0)))" } ?? flag
        }
        lines.append(
            "  Answer with: \(command("approve", approval.id, at: computer)) \(options.joined(separator: " | "))"
        )
        return lines.joined(separator: "\n")
    }

    /// The warning that a request is longer than what is shown of it: all of it is allowed with a yes.
    private static func missing(of text: ItemText, _ style: Style) -> [String] {
        var lines: [String] = []
        if text.isCut {
            lines.append(style.red("  … only the beginning is shown: \(Output.size(Int64(text.fullLength))) in all"))
        }
        // By a computer of an earlier version.
        if text.foldedCount > 0 {
            lines.append(style.red("  … secrets and blocks of data are hidden: \(text.foldedCount)"))
        }
        return lines
    }

    private static func words(_ kind: FileChange.Kind) -> String {
        switch kind {
        case .added: "adds"
        case .updated: "changes"
        case .deleted: "deletes"
        case .written: "writes"
        case .moved: "moves"
        }
    }

    private static func target(_ kind: FileChange.Kind) -> String {
        if case .moved(let path) = kind { " to \(TerminalText.line(path))" } else { "" }
    }

    private static func subject(_ subject: Approval.Subject) -> String {
        switch subject {
        case .command: "wants to run a command"
        case .fileChange: "wants to change files"
        case .tool(let call): "wants to use \(TerminalText.line(call.name))"
        case .permissions: "wants to be allowed more"
        case .questions: "asks"
        case .unknown(let method, _): "wants something unknown: \(TerminalText.line(method))"
        }
    }

    static func outcome(_ outcome: ApprovalOutcome) -> String {
        if outcome.counted { return "It is answered." }
        guard let by = outcome.by, let option = outcome.option else {
            return "The agent does not wait for it any more."
        }
        return "It was answered already, by \(TerminalText.line(by)): \(TerminalText.line(option))."
    }

    // MARK: Conversations

    /// Blocks for items, each with an empty row before it where another speaks.
    func lines(_ items: [ConversationItem]) -> [String] { items.compactMap(block) }

    private func block(_ item: ConversationItem) -> String? {
        switch item.content {
        case .userMessage(let text): "\n" + Self.block(text.text).map { style.bold("> \($0)") }.joined(separator: "\n")
        case .agentMessage(let text): "\n" + markdown(text.text) + cut(text)
        case .reasoning(let text):
            full ? Self.block(text.text).map { style.dim("  \($0)") }.joined(separator: "\n") : nil
        case .compaction: style.dim("  --- The conversation was summarised for the agent here. ---")
        case .toolCall(let call):
            "  \(style.dim("•")) \(TerminalText.line(call.name)) \(arguments(call.arguments.text))"
        case .toolOutput(let output): folded(Self.block(output.text.text), mark: mark(output.outcome))
        case .fileChange(let change):
            ([
                "  \(style.dim("±")) "
                    + change.files.map { TerminalText.line($0.path) }.joined(separator: ", ")
            ] + Self.fold(Self.diff(change.patch.text, style), full).map { "    \($0)" }).joined(separator: "\n")
        case .plan(let plan): self.plan(plan)
        case .image(let image):
            style.dim(
                "  [picture \(TerminalText.line(image.mediaType ?? ""))\(image.byteCount.map { ", \(Output.size(Int64($0)))" } ?? "")]"
            )
        case .notice(let notice): Self.block(notice.text.text).map { "  ! \($0)" }.joined(separator: "\n")
        case .unknown(let type): full ? style.dim("  [\(TerminalText.line(type))]") : nil
        }
    }

    private func plan(_ plan: Plan) -> String {
        let text = plan.explanation.map { "\n" + markdown($0.text) + cut($0) }
        let steps = plan.steps.map { step in
            "  [\(step.state == .done ? "x" : step.state == .running ? ">" : " ")] \(TerminalText.line(step.text))"
        }
        return ([text].compactMap(\.self) + steps).joined(separator: "\n")
    }

    private func mark(_ outcome: ToolOutcome) -> String {
        switch outcome {
        case .succeeded: style.green("✓")
        case .failed(let code): style.red("✗\(code.map { " \($0)" } ?? "")")
        case .unknown: " "
        }
    }

    private func folded(_ rows: [String], mark: String) -> String {
        let kept = Self.fold(rows, full)
        guard !kept.isEmpty else { return "    \(mark)" }
        return kept.enumerated().map { "    \($0 == 0 ? mark : " ") \(style.dim($1))" }.joined(separator: "\n")
    }

    private static func fold(_ rows: [String], _ full: Bool) -> [String] {
        guard !full else { return rows }
        let isLong = rows.count > foldedRows
        var kept = Array(isLong ? rows.prefix(foldedRows - 1) : rows[...])
        var isCut = false
        for index in kept.indices where kept[index].utf8.count > foldedColumns && kept[index].count > foldedColumns {
            kept[index] = kept[index].prefix(foldedColumns) + "…"
            isCut = true
        }
        if isLong {
            kept.append("… \(rows.count - foldedRows + 1) more rows; all with --full")
        } else if isCut {
            kept.append("… long rows are cut; all with --full")
        }
        return kept
    }

    private func cut(_ text: ItemText) -> String {
        text.isCut ? "\n" + style.dim("… \(Output.size(Int64(text.fullLength))) in all") : ""
    }

    /// A command line where the arguments are one, else the first row of them.
    private func arguments(_ text: String) -> String {
        var shown = text
        if let value = try? JSONValue(parsing: Array(text.utf8)), let members = value.objectValue {
            if let command = members["command"] ?? members["cmd"] {
                shown = ShellWords.line(of: command) ?? text
            } else if let path = (members["file_path"] ?? members["path"] ?? members["pattern"])?.stringValue {
                shown = path
            }
        }
        let line =
            shown.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: true).first.map(String.init) ?? ""
        return style.dim(TerminalText.line(line.count > 160 && !full ? line.prefix(160) + "…" : line))
    }

    /// Headings and code stand out; everything else reads as it was written.
    private func markdown(_ text: String) -> String {
        var isCode = false
        return Self.block(text).map { row in
            if row.drop(while: { $0 == " " }).hasPrefix("```") {
                isCode.toggle()
                return style.dim(row)
            }
            if isCode { return "  \(row)" }
            return row.hasPrefix("#") ? style.bold(row) : row
        }.joined(separator: "\n")
    }

    private static func diff(_ patch: String, _ style: Style) -> [String] {
        block(patch).map { row in
            switch row.first {
            case "+": style.green(row)
            case "-": style.red(row)
            case "@": style.dim(row)
            default: row
            }
        }
    }

    /// Rows that are safe for a terminal.
    private static func block(_ text: String) -> [String] {
        var rows = TerminalText.block(text).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while rows.last?.allSatisfy(\.isWhitespace) ?? false { rows.removeLast() }
        return rows
    }
}
