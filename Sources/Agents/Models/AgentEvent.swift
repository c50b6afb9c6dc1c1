package import Conversations

/// An event of the threads of the agents that run here.
package enum AgentEvent: Hashable, Sendable {
    /// - Parameter reason: Why a thread failed.
    case state(ThreadReference, AgentState, reason: String?)
    /// More of a message that is being written. May be lost; the thread's file has the message once it is whole.
    ///
    /// - Parameter offset: The place of the text in the message, in UTF-16 units.
    case delta(ThreadReference, itemID: String, offset: Int, text: String)
    case opened(Approval)
    /// - Parameters:
    ///   - option: Nil where the request ended without an answer from here.
    ///   - by: The device that answered.
    case closed(Approval.ID, ThreadReference, option: String?, by: String?)
    /// A thread began. Its file may come later.
    ///
    /// - Parameter parent: The thread that it goes on from, where the agent made a copy.
    case started(ThreadReference, parent: ThreadReference?)
    /// A turn ended by itself: `done` or `failed`.
    ///
    /// - Parameter summary: The last words of the agent, or why it failed, on one line.
    case finished(ThreadReference, AgentState, summary: String?)
}

/// The outcome of a prompt.
package struct AgentPosting: Hashable, Sendable {
    /// How the prompt reached the agent.
    package enum Delivery: String, Hashable, Sendable {
        /// A new turn began with it.
        case started
        /// The running turn takes it in.
        case steered
        /// It begins the next turn, once the running one has ended.
        case queued
    }

    /// The thread that goes on: another one than was asked for where the agent made a copy.
    package var thread: ThreadReference
    package var state: AgentState
    package var delivery: Delivery

    package init(thread: ThreadReference, state: AgentState, delivery: Delivery) {
        self.thread = thread
        self.state = state
        self.delivery = delivery
    }
}

/// The outcome of stopping a thread.
package struct AgentStop: Hashable, Sendable {
    /// The turn may need a moment to end.
    package var state: AgentState
    /// The words of prompts that waited for the turn's end: they reach the agent no more.
    package var notDelivered: [String]

    package init(state: AgentState, notDelivered: [String] = []) {
        self.state = state
        self.notDelivered = notDelivered
    }
}

/// The outcome of an answer to an approval.
package enum AnswerOutcome: Hashable, Sendable {
    /// This answer went to the agent.
    case answered
    /// Another one had gone before; without an option where the agent took its request back.
    case already(option: String?, by: String?)
}
