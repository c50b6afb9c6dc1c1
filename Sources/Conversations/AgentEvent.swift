/// An event of the threads of the agents that run here.
package enum AgentEvent: Hashable, Sendable {
    /// - Parameter reason: Why a thread failed.
    case state(ThreadReference, AgentState, reason: String? = nil)
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
