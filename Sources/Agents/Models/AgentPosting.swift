package import Conversations

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
