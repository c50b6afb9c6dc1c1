public import Commands
public import Conversations
import Feed
import Kernel

/// A thread as its reader knows it: where it stands, and what that makes of an event. Nothing is shown twice and nothing is missing, because
/// an event counts only where it goes on from here. Source: `docs/protocol.md`, "Threads".
public struct ThreadReader: Hashable, Sendable {
    /// The next step of a reader after a page or an event.
    public enum Step: Hashable, Sendable {
        /// Show these behind what is shown.
        case add([ConversationItem])
        /// Show these in the place of everything that is shown.
        case replace([ConversationItem])
        /// Ask for the part behind ``ThreadReader/cursor``: something is missing.
        case ask
        /// It is about another thread, or nothing new.
        case nothing
    }

    public let thread: ThreadReference
    /// Where the reader stands; nil before its first page.
    public var cursor: ConversationCursor? { place.cursor }
    private var place: FeedReader<ConversationCursor>

    /// - Parameter cursor: Where an earlier reader stopped.
    public init(_ thread: ThreadReference, after cursor: ConversationCursor? = nil) {
        self.thread = thread
        place = FeedReader(cursor)
    }

    /// Takes a page.
    ///
    /// - Parameter asked: The cursor that it was asked for behind; nil for the last page.
    /// - Returns: Beside what there is to do, whether there is more to read. A page that was asked for elsewhere than where the reader stands
    ///   now is dropped.
    public mutating func take(_ page: ThreadPage, after asked: ConversationCursor?) -> (step: Step, more: Bool) {
        let isFirst = cursor == nil
        guard place.take(answerTo: asked, upTo: page.newer) else { return (.nothing, false) }
        if page.replaces || isFirst { return (.replace(page.items), !page.isEnd) }
        return (page.items.isEmpty ? .nothing : .add(page.items), !page.isEnd)
    }

    /// Takes an event.
    public mutating func take(_ event: RemoteEvent) -> Step {
        guard event.isOf(.threadItems), ThreadReference(.object(event.members)) == thread,
            let page = try? ThreadPage(wire: .object(event.members)),
            let after = event.members["after"]?.stringValue.flatMap(ConversationCursor.init(text:))
        else { return .nothing }
        switch place.take(after: after, upTo: page.newer) {
        case .gap: return .ask
        case .known: return .nothing
        case .next: return page.replaces ? .replace(page.items) : page.items.isEmpty ? .nothing : .add(page.items)
        }
    }
}
