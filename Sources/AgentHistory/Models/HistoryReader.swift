public import Conversations

/// Reads the history of one agent. Nothing is ever written, and every call is bounded in memory whatever the files hold.
///
/// Calls block on the disk: run them where that harms nothing.
public protocol HistoryReader: Sendable {
    /// The agent whose history it reads.
    var agent: Agent { get }

    /// The folders that hold the files, whether they exist or not: what to watch.
    var folders: [String] { get }

    /// The file beside the folders that ``names()`` reads: to watch as well. Nil for agents without one.
    var namesPath: String? { get }

    /// The files that may hold threads, by their date, the newest first.
    func files(limit: Int) -> HistoryListing

    /// The names that people gave threads outside of the threads' files, by id.
    func names() -> [String: String]

    /// The list entry of the thread in a file.
    ///
    /// - Returns: Nil for a file without a thread: empty, without a message of a person, or a sub-agent's.
    func thread(of entry: HistoryEntry, names: [String: String]) throws(AgentHistoryError) -> AgentThread?

    /// The items behind a cursor.
    ///
    /// - Throws: `truncated` or `rewritten` where the file does not go on from the cursor.
    func page(of path: String, from cursor: ConversationCursor, limits: PageLimits) throws(AgentHistoryError)
        -> ConversationPage

    /// The last items of a file, or those before a cursor, without reading what lies before them.
    func lastPage(of path: String, before cursor: ConversationCursor?, limits: PageLimits) throws(AgentHistoryError)
        -> ConversationPage
}

extension HistoryReader {
    /// None: most agents keep names in the threads' own files.
    public var namesPath: String? { nil }

    /// The threads of the newest files. Of two files of one thread the newer counts.
    public func threads(limit: Int = HistoryListing.limit) -> ThreadListing {
        let found = files(limit: limit)
        var listing = ThreadListing(isCut: found.isCut, problems: found.problems)
        let names = names()
        var seen: Set<String> = []
        for entry in found.entries {
            do {
                guard let thread = try thread(of: entry, names: names), seen.insert(thread.id).inserted else {
                    continue
                }
                listing.threads.append(thread)
            } catch {
                if let reason = AgentThread.Unreadable(error) {
                    let thread = AgentThread(entry, unreadable: reason)
                    if seen.insert(thread.id).inserted { listing.threads.append(thread) }
                }
                if listing.problems.count < HistoryListing.problemLimit { listing.problems.append(error) }
            }
        }
        return listing
    }
}
