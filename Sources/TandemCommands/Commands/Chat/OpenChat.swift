import Chat
import ChatClient
import Control
import Foundation
import Kernel

/// An open conversation on a terminal: what is said scrolls by, and below it the person writes.
actor OpenChat {
    /// Something to do after what was typed before it.
    enum Work: Hashable, Sendable {
        case line(String)
        case typing(Bool)
        case read(upTo: Int64)
    }

    enum Typed: Hashable, Sendable {
        case goesOn
        /// Ctrl-D: what was typed is still done.
        case ended
        /// Ctrl-C.
        case interrupted
    }

    /// Messages of the first page.
    private static let page = 40
    /// How often the other person is told that this one still writes, in seconds.
    private static let typingInterval = Duration.seconds(4)
    /// Lines that wait to be done. A person types no more at once.
    private static let waitingLimit = 256
    private static let prompt = "> "

    private let client: ControlClient
    private let console = Running.console
    private let style = Style()
    private let time: any TimeSource
    private var row: ChatControl.ConversationEntry
    private var log = ChatLog()
    /// The newest line of the phone that was shown.
    private var newestNotice: Int64 = 0
    private var editor: LineEditor
    private var keys = TypedKeyDecoder()
    private var area = InputArea()
    private var state: ChatControl.Standing.State
    private var isPeerTyping = false
    private var toldTyping: ContinuousClock.Instant?
    private var read: Int64
    private let works: AsyncStream<Work>
    private let queue: AsyncStream<Work>.Continuation

    init(
        _ row: ChatControl.ConversationEntry,
        state: ChatControl.Standing.State,
        client: ControlClient,
        time: any TimeSource = .system
    ) {
        self.row = row
        self.state = state
        self.client = client
        self.time = time
        read = row.read
        editor = LineEditor(row.draft ?? "", byteLimit: ChatLimits.text)
        (works, queue) = AsyncStream.makeStream(of: Work.self, bufferingPolicy: .bufferingOldest(Self.waitingLimit))
    }

    /// The conversation's.
    var id: String { row.id }

    // MARK: From beginning to end

    /// Prints the newest page.
    func begin() async throws {
        try write(TypedKeyDecoder.marksPastes)
        try show(text.heading(row) + ["/help says what can be typed."])
        try take(try await newestPage())
        noteRead()
    }

    /// Does what was typed, in order, until the person quits or ``typed(_:)`` said that nothing follows.
    func work() async throws {
        for await work in works {
            switch work {
            case .line(let line): if try await perform(ChatLine(line)) { return }
            // Both are said again by what comes later, and keep nobody from writing.
            case .typing(let isOn): _ = try? await client.call(ChatControl.typing, .init(row.id, on: isOn))
            case .read(let place): _ = try? await client.call(ChatControl.read, .init(row.id, upTo: place))
            }
        }
    }

    /// Puts the terminal back, and keeps what was not sent as a draft.
    func end() async {
        let left = ChatLine(editor.text) == .say(editor.text) ? editor.text : ""
        let isBlank = left.allSatisfy(\.isWhitespace)
        try? write(area.erase() + TypedKeyDecoder.marksNoPastes)
        if toldTyping != nil { _ = try? await client.call(ChatControl.typing, .init(row.id, on: false)) }
        guard !isBlank || row.draft?.isEmpty == false else { return }
        do {
            _ = try await client.call(ChatControl.draft, ChatControl.Draft(row.id, isBlank ? "" : left))
            if !isBlank { Output.complain("What you wrote is kept as a draft.") }
        } catch {
            if !isBlank { Output.complain("What you wrote is not kept: \(TerminalText.line("\(error)"))") }
        }
    }

    // MARK: What is typed

    func typed(_ bytes: [UInt8]) throws -> Typed {
        for key in keys.keys(bytes) {
            switch editor.apply(key) {
            case .nothing, .changed: break
            case .submitted(let text):
                if case .dropped = queue.yield(.line(text)) {
                    try show(["! Too much waits to be done. Say it again later."])
                }
            case .interrupted: return .interrupted
            case .ended:
                queue.finish()
                return .ended
            case .redraw: try write("\u{1B}[2J\u{1B}[H")
            }
        }
        try show()
        noteTyping()
        return .goesOn
    }

    /// Nothing more is typed: the terminal is gone.
    func endOfInput() { queue.finish() }

    func resized() throws { try show() }

    /// Tells that something is written, at once and every few seconds, and that nothing is any more. Commands are nobody's business.
    private func noteTyping() {
        let text = editor.text
        guard text.contains(where: { !$0.isWhitespace }), !text.hasPrefix("/") else {
            if toldTyping != nil { queue.yield(.typing(false)) }
            toldTyping = nil
            return
        }
        if let toldTyping, time.now - toldTyping < Self.typingInterval { return }
        toldTyping = time.now
        queue.yield(.typing(true))
    }

    // MARK: What comes

    func take(_ item: ChatControl.Item) async throws {
        if let message = item.message, message.conversation == row.id { try await take(message) }
        if let conversation = item.conversation, conversation.id == row.id {
            let trouble = row.trouble
            row = conversation
            var lines: [String] = []
            if let now = row.trouble, now != trouble {
                lines = ["! " + ChatText.trouble(now, TerminalText.name(row.user))]
            }
            try show(lines)
        }
        if let notice = item.notice, notice.conversation == row.id { try show(lines(of: notice)) }
        if let typing = item.typing, typing.conversation == row.id { isPeerTyping = typing.isTyping }
        if item.cleared == row.id { try show([style.dim("--- The history was cleared. ---")]) }
        if let state = item.state { self.state = state }
        // The first that is followed is how the account stands: what came between the page and it is found by asking again.
        if item.reset == true || item.state != nil { try take(try await newestPage()) }
        try show()
    }

    private func take(_ page: ChatControl.Page) throws {
        var lines: [String] = []
        for pageRow in page.rows {
            guard case .message(let message) = pageRow else {
                if case .notice(let notice) = pageRow { lines += self.lines(of: notice) }
                continue
            }
            let last = log.last
            let (number, before) = log.take(message)
            guard before == nil else { continue }
            if let day = text.day(of: message, after: last) { lines.append(day) }
            lines += text.rows(message, in: row, label: "#\(number)")
        }
        try show(lines)
    }

    /// Empty for one that was shown before.
    private func lines(of notice: ChatControl.Notice) -> [String] {
        guard notice.id > newestNotice else { return [] }
        newestNotice = notice.id
        return [text.notice(notice, in: row)]
    }

    private func take(_ message: ChatControl.MessageEntry) async throws {
        let last = log.last
        let (number, before) = log.take(message)
        if let before {
            try show(changes(message, before, number))
        } else {
            if !message.isMine { isPeerTyping = false }
            let day = text.day(of: message, after: last).map { [$0] } ?? []
            try show(day + text.rows(message, in: row, label: "#\(number)", hasTicks: false))
            if message.kind == .image { try show(await media.rows(of: message)) }
        }
        noteRead()
    }

    /// What is told of a message that was shown before. Ticks are told in the row of news alone.
    private func changes(
        _ message: ChatControl.MessageEntry,
        _ before: ChatControl.MessageEntry,
        _ number: Int
    ) -> [String] {
        var lines: [String] = []
        if message.kind == .recalled, before.kind != .recalled { lines.append("#\(number) was taken back.") }
        if message.flash == .viewedByPeer, before.flash != .viewedByPeer { lines.append("#\(number) was viewed.") }
        if message.status == .failed, before.status != .failed {
            let reason = message.error.map { " " + TerminalText.line($0) } ?? ""
            lines.append("! #\(number) was not sent.\(reason) Once more: /resend \(number)")
        }
        if before.trouble != nil, message.trouble == nil { lines += text.rows(message, in: row, label: "#\(number)") }
        return lines.map { style.dim($0) }
    }

    private func newestPage() async throws -> ChatControl.Page {
        try await client.call(ChatControl.history, ChatControl.History(row.id, limit: Self.page))
    }

    /// What was shown is read, while the person has the terminal before them.
    private func noteRead() {
        guard console.isInForeground, let place = log.newestPeerPlace, place > read else { return }
        read = place
        queue.yield(.read(upTo: place))
    }

    // MARK: What is done

    /// - Returns: Whether the person wants to leave.
    private func perform(_ line: ChatLine) async throws -> Bool {
        do {
            switch line {
            case .quit: return true
            case .help: try show(ChatLine.helpText.split(separator: "\n").map(String.init))
            case .wrong(let sentence): try show(["! " + TerminalText.line(sentence)])
            default: try await act(line)
            }
        } catch let error as ConsoleError {
            throw error
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            try show(["! " + TerminalText.line("\(error)")])
        }
        return false
    }

    private func act(_ line: ChatLine) async throws {
        switch line {
        case .say(let words): try await take(try await client.call(ChatControl.send, ChatControl.Text(row.id, words)))
        case .image(let files): try await send(.image, files)
        case .flash(let file): try await send(.flash, [file])
        case .voice(let file): try await send(.voice, [file])
        case .open(let number): try await open(number)
        case .recall(let number):
            let message = try message(number, log.newestOwn?.message)
            try await take(try await client.call(ChatControl.recall, ChatControl.Target(row.id, id: message.id)))
        case .resend(let number):
            let message = try message(number, log.newest { $0.isMine && $0.status == .failed }?.message)
            try await take(try await client.call(ChatControl.resend, ChatControl.Target(row.id, id: message.id)))
        case .quote(let signal, let reply):
            let quote = ChatControl.Quote(row.id, signal: signal, reply: reply)
            try await take(try await client.call(ChatControl.quote, quote))
        case .accept, .decline:
            row = try await client.call(ChatControl.answer, ChatControl.Answer(row.id, accept: line == .accept))
            try show([line == .accept ? "You can write to each other now." : "It is declined."])
        case .block:
            row = try await client.call(ChatControl.block, ChatControl.Switched(row.id, on: !row.isBlocked))
            try show([row.isBlocked ? "Blocked. The same again takes it back." : "They can write to you again."])
        case .search(let words):
            let found = try await client.call(ChatControl.search, ChatControl.Search(words, in: row.id))
            let lines = text.found(found.messages, in: [row.id: row]).split(separator: "\n").map(String.init)
            try show(lines.isEmpty ? ["Nothing was found."] : lines)
        case .read: _ = try await client.call(ChatControl.read, ChatControl.Read(row.id))
        case .help, .quit, .wrong: break
        }
    }

    private func send(_ kind: ChatControl.Media.Kind, _ files: [String]) async throws {
        let media = ChatControl.Media(row.id, kind, try files.map(ChatFile.path(typed:)))
        try await take(try await client.call(ChatControl.sendMedia, media))
    }

    private func open(_ number: Int) async throws {
        let message = try message(number, nil)
        guard message.kind == .flash else { return try show(await media.rows(of: message)) }
        guard message.flash == .closed else { throw CommandError.notToBeOpened }
        let showing = try await ViewOnce.prepared(output: nil)
        let file = try await client.call(ChatControl.flash, ChatControl.FlashTarget(row.id, id: message.id))
        try show(try await ViewOnce.show(file, showing))
    }

    private func message(
        _ number: Int?,
        _ newest: ChatControl.MessageEntry?
    ) throws(CommandError) -> ChatControl.MessageEntry {
        guard let number else {
            guard let newest else { throw .empty("There is no such message here.") }
            return newest
        }
        guard let message = log[number] else { throw .empty("There is no #\(number) here.") }
        return message
    }

    // MARK: What is shown

    private var text: ChatText { ChatText(style: style, width: console.window()?.columns ?? 80) }

    private var media: ChatMedia { ChatMedia(client: client, palette: .of(console)) }

    /// The row of news.
    private var status: String {
        var words: [String] = []
        if isPeerTyping { words.append("\(TerminalText.line(row.name)) is typing…") }
        if let own = log.newestOwn {
            switch own.message.status {
            case .sending: words.append("#\(own.number) \(ChatText.progress(own.message) ?? "waits")")
            case .failed: words.append("#\(own.number) was not sent")
            case .sent:
                let plain = ChatText(style: .off).ticks(own.message, row) ?? ""
                words.append("#\(own.number) \(plain)")
            }
        }
        if let note = ChatText.note(state) { words.append(note) }
        return words.joined(separator: " · ")
    }

    /// Prints rows above what is written.
    private func show(_ lines: [String] = []) throws {
        try write(
            area.draw(
                printing: lines,
                status: status,
                prompt: Self.prompt,
                editor: editor,
                columns: console.window()?.columns ?? 80,
                style: style
            )
        )
    }

    private func write(_ text: String) throws { try console.write(Data(text.utf8), to: .output) }
}
