import AgentHistory
import Conversations
import Foundation
import Kernel
import ThreadIndex
import Threads
import ThreadsHost

/// Two conversations that never change, each look at them noted.
final class RecordingThreads: ThreadLibrary {
    /// Of each item's line in its file.
    private static let lineLength: Int64 = 100
    /// Long before the tests' date: nothing runs in them.
    private static let date: Int64 = 1_789_990_000_000
    private static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    private static let threads = [
        thread(
            .codex,
            "0199a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b",
            title: "Why does the engine stop?",
            folder: "/home/ada/engine",
            at: date
        ),
        thread(
            .claudeCode,
            "6f0c1d2e-3b4a-4c5d-8e9f-a0b1c2d3e4f5",
            title: "Tidy the notes",
            folder: "/home/ada/notes",
            at: date - 1000
        ),
    ]

    private static let contents: [ThreadReference: [ConversationItem.Content]] = [
        threads[0].reference: [
            .userMessage(ItemText("Why does the engine stop?")),
            .agentMessage(ItemText("I look at its log.")),
            .toolCall(ToolCall(callID: "c-1", name: "shell", arguments: ItemText(#"{"command":"tail log"}"#))),
            .toolOutput(ToolOutput(callID: "c-1", text: ItemText("out of steam\n"), outcome: .succeeded)),
            .image(ImageLeftOut(origin: .tool, mediaType: "image/png", byteCount: picture.count)),
            .agentMessage(ItemText("It is out of steam.")),
        ],
        threads[1].reference: [.userMessage(ItemText("Tidy the notes"))],
    ]

    private let told = Broadcaster<ThreadChange>()
    private let log: EffectLog

    init(log: EffectLog) { self.log = log }

    private static func thread(_ agent: Agent, _ id: String, title: String, folder: String, at date: Int64)
        -> AgentThread
    {
        AgentThread(
            agent: agent,
            id: id,
            title: title,
            workingFolder: folder,
            source: .terminal,
            createdMilliseconds: date - 5000,
            updatedMilliseconds: date,
            lastMessageMilliseconds: date,
            isInteractive: true,
            isArchived: false,
            path: "/home/ada/.history/\(id).jsonl",
            size: 600
        )
    }

    private func items(of thread: AgentThread) -> [ConversationItem] {
        (Self.contents[thread.reference] ?? []).enumerated().map { index, content in
            let position = Int64(index) * Self.lineLength
            return ConversationItem(
                id: "\(position)",
                milliseconds: Self.date + Int64(index),
                position: position,
                content: content
            )
        }
    }

    private func threads(of agent: Agent?, in folder: String?) -> [AgentThread] {
        Self.threads.filter { (agent ?? $0.agent) == $0.agent && (folder ?? $0.workingFolder) == $0.workingFolder }
    }

    // MARK: Lists

    func list(_ query: ThreadListQuery) async throws -> ThreadListPage {
        log.note("list threads")
        let threads = threads(of: query.agent, in: query.folder).filter { $0.isArchived == query.isArchived }
        let start = query.cursor.flatMap(Int.init) ?? 0
        let page = threads.dropFirst(max(0, start)).prefix(query.limit)
        let next = page.endIndex < threads.endIndex ? "\(page.endIndex)" : nil
        return ThreadListPage(threads: Array(page), next: next, total: threads.count)
    }

    func thread(_ id: String, agent: Agent?) async throws -> AgentThread? {
        log.note("look for a thread")
        return threads(of: agent, in: nil).first { $0.id == id }
    }

    func threads(_ threads: Set<ThreadReference>) async throws -> [AgentThread] {
        log.note("look for threads")
        return Self.threads.filter { threads.contains($0.reference) }
    }

    func folders(agent: Agent?) async throws -> [ThreadFolder] {
        log.note("list the threads' folders")
        return threads(of: agent, in: nil).compactMap { thread in
            thread.workingFolder.map {
                ThreadFolder(path: $0, count: 1, updatedMilliseconds: thread.updatedMilliseconds)
            }
        }
    }

    func search(_ query: ThreadSearchQuery) async throws -> SearchPage {
        log.note("search the threads")
        let hits = threads(of: query.agent, in: query.folder).flatMap { thread in
            items(of: thread).compactMap { item -> ThreadHit<AgentThread>? in
                guard case .userMessage(let text) = item.content else { return nil }
                let range = (text.text as NSString).localizedStandardRange(of: query.query)
                guard range.length > 0 else { return nil }
                return ThreadHit(
                    thread: thread,
                    item: item.id,
                    cursor: ConversationCursor(offset: item.position),
                    kind: "user",
                    snippet: text.text,
                    marks: [range.lowerBound..<range.upperBound]
                )
            }
        }
        return SearchPage(hits: Array(hits.prefix(query.limit)), next: nil)
    }

    // MARK: Conversations

    func page(of thread: AgentThread, from cursor: ConversationCursor, limits: PageLimits) async throws
        -> ConversationPage
    {
        log.note("read a thread")
        let all = items(of: thread)
        let end = try end(of: all, for: cursor, in: thread)
        guard cursor.offset % Self.lineLength == 0 || cursor.isInsideLine else {
            throw AgentHistoryError.rewritten(path: thread.path, offset: cursor.offset)
        }
        let items = all.filter { $0.position >= cursor.offset }
        let shown = Array(items.prefix(limits.items))
        let isEnd = shown.count == items.count
        return ConversationPage(
            items: shown,
            newer: isEnd ? end : ConversationCursor(offset: items[shown.count].position),
            reachesEnd: isEnd
        )
    }

    func lastPage(of thread: AgentThread, before cursor: ConversationCursor?, limits: PageLimits) async throws
        -> ConversationPage
    {
        log.note("read a thread")
        let all = items(of: thread)
        let end = try end(of: all, for: cursor ?? .start, in: thread)
        let items = all.filter { $0.position < cursor?.offset ?? end.offset }.suffix(limits.items)
        return ConversationPage(
            items: Array(items),
            older: items.first.flatMap { $0.position > 0 ? ConversationCursor(offset: $0.position) : nil },
            newer: cursor ?? end,
            reachesEnd: cursor == nil
        )
    }

    private func end(of items: [ConversationItem], for cursor: ConversationCursor, in thread: AgentThread) throws
        -> ConversationCursor
    {
        let size = Int64(items.count) * Self.lineLength
        guard cursor.offset <= size else {
            throw AgentHistoryError.truncated(path: thread.path, offset: cursor.offset, size: size)
        }
        return ConversationCursor(offset: size)
    }

    func image(of thread: AgentThread, at item: ConversationItem, limit: Int) async throws -> String? {
        log.note("read a picture")
        return Data(Self.picture).base64EncodedString()
    }

    var progress: IndexingProgress? { nil }
    func isWhole() async {}
    func changes() async -> AsyncStream<ThreadChange> { told.subscribe() }
    func run() async {}
}
