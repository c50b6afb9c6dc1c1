import ChatClient
import Foundation
import Kernel

/// Conversations between people as a person reads them in a terminal. Names and words are peers' texts, so every one is made safe.
struct ChatText {
    /// Columns of a message's time, before its sender.
    private static let timeColumns = 7
    /// Columns of a voice note's bars.
    private static let barColumns = 24
    private static let bars = Array("▁▂▃▄▅▆▇█")

    let style: Style
    private let width: Int?
    private let timeZone: TimeZone

    /// - Parameter width: Columns of the window; nil where nothing is broken, as in a pipe.
    init(style: Style = Style(), width: Int? = Output.width, timeZone: TimeZone = .current) {
        self.style = style
        self.width = width
        self.timeZone = timeZone
    }

    // MARK: The list

    static func list(_ standing: ChatControl.Standing) -> String {
        guard standing.state != .signedOut else { return CommandError.noAccount.description }
        var lines: [String] = []
        if standing.conversations.isEmpty {
            lines.append(
                "There is no conversation yet. Your link for others: tandem chat link. Begin one: tandem chat add NAME"
            )
        } else {
            lines.append(
                Output.table(
                    ["", "NAME", "NEW", "TIME", "LAST", "ID"],
                    standing.conversations.map {
                        [
                            marks($0), $0.name, $0.unread > 0 ? "\($0.unread)" : "", Output.when($0.last?.time),
                            preview($0), $0.user,
                        ]
                    }
                )
            )
        }
        if standing.requests > 0 {
            lines.append(
                "\(standing.requests) \(standing.requests == 1 ? "waits" : "wait") for your answer (?): "
                    + "tandem chat accept NAME, tandem chat decline NAME"
            )
        }
        if let note = note(standing.state) { lines.append(note) }
        return lines.joined(separator: "\n")
    }

    /// Nil where nothing keeps messages from coming.
    static func note(_ state: ChatControl.Standing.State) -> String? {
        switch state {
        case .live: nil
        case .connecting: "The hub is asked for what is new."
        case .away: "The hub is not reached. What you send waits until it is."
        case .signedOut: CommandError.noAccount.description
        }
    }

    /// `^` pinned, `-` muted, `x` blocked, `?` a request of theirs, `…` a request of this person's own, `*` there now.
    private static func marks(_ row: ChatControl.ConversationEntry) -> String {
        let request =
            switch row.request {
            case .incoming: "?"
            case .outgoing: "…"
            case nil: ""
            }
        return (row.isPinned ? "^" : "") + (row.isMuted ? "-" : "") + (row.isBlocked ? "x" : "") + request
            + (row.isOnline ? "*" : "")
    }

    private static func preview(_ row: ChatControl.ConversationEntry) -> String {
        if let draft = row.draft, draft.contains(where: { !$0.isWhitespace }) { return "[draft] \(oneRow(draft))" }
        guard let last = row.last else { return "" }
        let words = last.kind == .text ? oneRow(last.text) : word(last.kind)
        let state =
            switch last.status {
            case .failed: "[not sent] "
            case .sending: "[sending] "
            case .sent: ""
            }
        return state + (last.isMine && last.kind != .recalled ? "you: " : "") + words
    }

    private static func oneRow(_ text: String) -> String {
        text.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
    }

    private static func word(_ kind: ChatControl.MessageEntry.Kind) -> String {
        switch kind {
        case .text: ""
        case .image: "[picture]"
        case .flash: "[view-once picture]"
        case .voice: "[voice note]"
        case .quote: "[answer to a signal]"
        case .recalled: "[recalled]"
        case .unknown: "[a kind of message that this version does not know]"
        }
    }

    static func contacts(_ contacts: ChatControl.Contacts) -> String {
        guard !contacts.people.isEmpty else {
            return
                "Nobody is known yet. Your link for others: tandem chat link. Write to somebody: tandem chat add NAME"
        }
        return Output.table(
            ["NAME", "STATE", "SAFETY NUMBER", "ID"],
            contacts.people.map { person in
                let request: String? =
                    switch person.request {
                    case .incoming: "asks to write to you"
                    case .outgoing: "asked by you"
                    case nil: nil
                    }
                return [
                    person.name, person.isBlocked ? "blocked" : request ?? "", person.isVerified ? "compared" : "",
                    person.user,
                ]
            }
        )
    }

    // MARK: A conversation

    /// Its name and what the person should know before writing.
    func heading(_ row: ChatControl.ConversationEntry) -> [String] {
        let sealing =
            row.isSealed
            ? row.isVerified ? "sealed, safety number compared" : "sealed, safety number not compared"
            : "not sealed: who runs the hub can read it"
        let facts = [row.user] + (row.isOnline ? ["there now"] : []) + [sealing]
        var lines = [
            style.bold(TerminalText.line(row.name))
                + style.dim("  " + facts.map(TerminalText.line).joined(separator: " · "))
        ]
        let name = TerminalText.name(row.user)
        if row.isDeleted { lines.append(warning("This account was deleted.")) }
        if row.isBlocked { lines.append(warning("You blocked them. Take it back: tandem chat block \(name) --off")) }
        switch row.request {
        case .incoming: lines.append(warning("They ask to write to you: tandem chat accept \(name), or decline"))
        case .outgoing: lines.append(style.dim("They have not accepted yet; until then one message is all."))
        case nil: break
        }
        if let trouble = row.trouble { lines.append(warning(Self.trouble(trouble, name))) }
        return lines
    }

    /// Why nothing is sent, and the deliberate act that it takes.
    static func trouble(_ trouble: ChatControl.SealTrouble, _ name: String) -> String {
        switch trouble {
        case .restarted:
            "Their keys began anew, and nothing is sent until you agree. Ask them whether they set up their devices anew, then: "
                + "tandem chat agree \(name) --new-keys"
        case .forked:
            "Their keys contradict what was seen before. Nothing is sent: compare the safety number with them."
        case .clear:
            "It was sealed before, and now could go only in the clear. To allow that: tandem chat agree \(name) --clear"
        case .otherDevice, .keyGone, .badSignature, .unknownList, .damaged, .unreadable: words(trouble)
        }
    }

    /// What is wrong with a message.
    private static func words(_ trouble: ChatControl.SealTrouble) -> String {
        switch trouble {
        case .restarted: "Their keys began anew before this message."
        case .forked: "Their keys contradict what was seen before."
        case .clear: "It came in the clear."
        case .otherDevice: "It was sealed before this device was there, and cannot be read here."
        case .keyGone: "The key that opens it is gone."
        case .badSignature: "Its signature is not theirs."
        case .unknownList: "It was sealed by a device that is not known yet."
        case .damaged: "It is damaged and cannot be read."
        case .unreadable:
            "It came in a form that this version cannot read. Update Tandem on this device and at the hub."
        }
    }

    /// What the phone says in the conversation when the other person's list of devices changed.
    func notice(_ notice: ChatControl.Notice, in row: ChatControl.ConversationEntry) -> String {
        let name = TerminalText.line(row.name)
        func named(_ devices: [String]) -> String { devices.map { TerminalText.line($0) }.joined(separator: ", ") }
        var sentences: [String] = []
        if notice.isAnew { sentences.append("The list of devices of \(name) began anew, and you agreed.") }
        if !notice.added.isEmpty { sentences.append("\(name) now reads on: \(named(notice.added)).") }
        if !notice.removed.isEmpty { sentences.append("\(name) no longer reads on: \(named(notice.removed)).") }
        if sentences.isEmpty { sentences = ["The list of devices of \(name) changed."] }
        return style.dim("--- \(sentences.joined(separator: " ")) ---")
    }

    private func warning(_ sentence: String) -> String { style.red("! ") + sentence }

    /// A row for the day of a message where it is another one than that of the message before.
    func day(of message: ChatControl.MessageEntry, after last: ChatControl.MessageEntry?) -> String? {
        let day = dayWords(message.time)
        guard last.map({ dayWords($0.time) }) != day else { return nil }
        return style.dim("--- \(day) ---")
    }

    private func dayWords(_ milliseconds: Int64) -> String {
        let date = Date(millisecondsSince1970: milliseconds)
        return date.formatted(Date.FormatStyle(date: .complete, time: .omitted, timeZone: timeZone))
    }

    private func clock(_ milliseconds: Int64) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        let parts = calendar.dateComponents([.hour, .minute], from: Date(millisecondsSince1970: milliseconds))
        return String(format: "%02d:%02d", parts.hour ?? 0, parts.minute ?? 0)
    }

    /// A message in rows: its time and its sender, its words, and what became of it. Rows after the first are set in, so that no peer's words
    /// look like another message.
    ///
    /// - Parameters:
    ///   - label: What the person can name it by, at its end; nil for nothing.
    ///   - hasTicks: Whether it says what became of an own message.
    func rows(
        _ message: ChatControl.MessageEntry,
        in row: ChatControl.ConversationEntry,
        label: String? = nil,
        hasTicks: Bool = true
    ) -> [String] {
        let who = message.isMine ? "you" : TerminalText.line(row.name)
        let start = "\(clock(message.time))  \(who): "
        let column = TerminalText.columns(start)
        var body = body(message)
        let ending = [hasTicks ? ticks(message, row) : nil, label.map { style.dim($0) }].compactMap(\.self).map {
            "  \($0)"
        }.joined()
        body[body.endIndex - 1] += ending
        let indent = String(repeating: " ", count: Self.timeColumns)
        var rows = body.enumerated().map { index, line in
            let broken = TerminalText.rows(
                line,
                width: width,
                from: index == 0 ? column : Self.timeColumns,
                indent: Self.timeColumns
            )
            guard index > 0 else {
                let name = message.isMine ? style.green(who) : style.bold(who)
                return style.dim(clock(message.time)) + "  \(name): \(broken)"
            }
            return indent + broken
        }
        if let error = message.error, message.status == .failed {
            rows.append(indent + warning(TerminalText.line(error)))
        }
        if let trouble = message.trouble { rows.append(indent + warning(Self.words(trouble))) }
        if message.isUnexpectedlyClear {
            rows.append(indent + warning("It was not sealed, although this conversation was before."))
        }
        return rows.flatMap { $0.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) }
    }

    /// At least one row.
    private func body(_ message: ChatControl.MessageEntry) -> [String] {
        switch message.kind {
        case .text: Self.block(message.text)
        case .image: message.pictures.indices.map { picture($0, of: message.pictures) }.ifEmpty(Self.word(.image))
        case .flash: [flash(message)]
        case .voice: [voice(message.voice)]
        case .quote:
            (message.quote.map { Self.block($0.content).map { style.dim("> \($0)") } } ?? [])
                + Self.block(message.text.isEmpty ? message.quote?.reply ?? "" : message.text)
        case .recalled: [style.dim(message.isMine ? "[you recalled this message]" : "[recalled]")]
        case .unknown: [style.dim(message.trouble == nil ? Self.word(.unknown) : "[not readable here]")]
        }
    }

    private func picture(_ index: Int, of pictures: [ChatControl.Picture]) -> String {
        let picture = pictures[index]
        let place = pictures.count > 1 ? " \(index + 1) of \(pictures.count)" : ""
        let size = if let width = picture.width, let height = picture.height { ", \(width)×\(height)" } else { "" }
        return style.dim("[picture\(place)\(size)\(picture.isExpired ? ", expired" : "")]")
    }

    private func flash(_ message: ChatControl.MessageEntry) -> String {
        let state =
            switch message.flash {
            case .closed: "not opened: it can be seen once"
            case .own: "not opened yet"
            case .viewed: "viewed"
            case .viewedByPeer: "they viewed it"
            case nil: "gone"
            }
        return style.dim("[view-once picture, \(state)]")
    }

    private func voice(_ voice: ChatControl.Voice?) -> String {
        guard let voice else { return style.dim(Self.word(.voice)) }
        let length = voice.seconds.map { String(format: " %d:%02d", $0 / 60, $0 % 60) } ?? ""
        let bars = Self.waveform(voice.waveform)
        return style.dim("[voice note\(length)\(bars.isEmpty ? "" : " \(bars)")\(voice.isExpired ? ", expired" : "")]")
    }

    /// Heights of 0 to 100 as bars, the highest of neighbours where there are more than have room.
    private static func waveform(_ heights: [Int]) -> String {
        let heights = heights.prefix(64).map { min(max($0, 0), 100) }
        guard !heights.isEmpty else { return "" }
        let count = min(heights.count, barColumns)
        return String(
            (0..<count).map { bar in
                let part = heights[(bar * heights.count / count)..<((bar + 1) * heights.count / count)]
                return bars[(part.max() ?? 0) * (bars.count - 1) / 100]
            }
        )
    }

    /// What became of an own message; nil for others' and recalled ones.
    func ticks(_ message: ChatControl.MessageEntry, _ row: ChatControl.ConversationEntry) -> String? {
        guard message.isMine, message.kind != .recalled else { return nil }
        switch message.status {
        case .sending: return style.dim(Self.progress(message).map { "… \($0)" } ?? "…")
        case .failed: return style.red("not sent")
        case .sent:
            guard let place = message.seq, place <= max(row.receivedByPeer, row.readByPeer) else {
                return style.dim("✓")
            }
            return place <= row.readByPeer ? style.green("✓✓ read") : style.dim("✓✓")
        }
    }

    /// How much of a message's files is uploaded; nil where none are, or all.
    static func progress(_ message: ChatControl.MessageEntry) -> String? {
        message.progress > 0 && message.progress < 1 ? "\(Int(message.progress * 100)) %" : nil
    }

    /// Rows that are safe for a terminal: at least one. Every space is an ordinary one, at which rows are broken: what a terminal breaks itself
    /// begins at the window's edge, where another message could begin.
    private static func block(_ text: String) -> [String] {
        let spaced = String(
            text.map { $0.unicodeScalars.first?.properties.generalCategory == .spaceSeparator ? " " : $0 }
        )
        var rows = TerminalText.block(spaced).split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while rows.count > 1, rows.last?.allSatisfy(\.isWhitespace) ?? false { rows.removeLast() }
        return rows
    }

    // MARK: What was done

    /// What became of a message that this person sent.
    static func outcome(_ message: ChatControl.MessageEntry) -> String {
        message.status == .sent
            ? "Sent." : "It waits and is sent as soon as it can be: tandem chat history shows what becomes of it."
    }

    /// Found messages, each below the conversation that it is in.
    func found(_ messages: [ChatControl.MessageEntry], in rows: [String: ChatControl.ConversationEntry]) -> String {
        messages.compactMap { message in
            guard let row = rows[message.conversation] else { return nil }
            let place = style.dim(
                "\(TerminalText.line(row.name)) · \(Output.time(message.time)) · \(TerminalText.line(message.id))"
            )
            return ([place] + self.rows(message, in: row)).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// The number in groups, four a row, and how it stands.
    static func safety(_ safety: ChatControl.Safety, _ name: String) -> String {
        let name = TerminalText.name(name)
        guard !safety.number.isEmpty else {
            return "There is no safety number: this conversation is not sealed, and who runs the hub can read it."
        }
        var lines = stride(from: 0, to: safety.number.count, by: 4).map { start in
            safety.number[start..<min(start + 4, safety.number.count)].map(TerminalText.line).joined(separator: " ")
        }
        lines.append(
            safety.isVerified
                ? "You compared it. If that was wrong: tandem chat verify \(name) --off"
                : "Compare it with what their device shows, then: tandem chat verify \(name)"
        )
        if let trouble = safety.trouble { lines.append("! \(Self.trouble(trouble, name))") }
        return lines.joined(separator: "\n")
    }
}

extension [String] {
    fileprivate func ifEmpty(_ other: String) -> [String] { isEmpty ? [other] : self }
}
