/// The progress of a thread after its agent was told something.
public struct ThreadProgress: Hashable, Sendable {
    /// The way of a prompt to its agent. An open set: a word of a newer version is kept.
    public enum Delivery: RawRepresentable, Hashable, Sendable {
        /// A new turn began with it.
        case started
        /// The running turn takes it in.
        case steered
        /// It begins the next turn, once the running one has ended.
        case queued
        case other(String)

        private static let known = [started, steered, queued]

        public init(rawValue: String) { self = Self.known.first { $0.rawValue == rawValue } ?? .other(rawValue) }

        public var rawValue: String {
            switch self {
            case .started: "started"
            case .steered: "steered"
            case .queued: "queued"
            case .other(let word): word
            }
        }
    }

    /// The agent's state now. A turn that was stopped may need a moment to end.
    public var state: AgentState
    /// The thread that goes on: another one where the agent made a copy to go on in. Nil where nothing was posted.
    public var thread: ThreadReference?
    /// The way of the prompt; nil where nothing was posted, and from programs that do not say.
    public var delivery: Delivery?
    /// The words of prompts that waited and reach the agent no more, of each at most 4 KiB.
    public var notDelivered: [String]

    public init(
        _ state: AgentState,
        thread: ThreadReference? = nil,
        delivery: Delivery? = nil,
        notDelivered: [String] = []
    ) {
        self.state = state
        self.thread = thread
        self.delivery = delivery
        self.notDelivered = notDelivered
    }
}
