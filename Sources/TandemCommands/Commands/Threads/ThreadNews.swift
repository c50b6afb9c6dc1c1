import Commands
import Conversations
import Kernel
import Synchronization
import Threads

/// Reports changes of threads in lines for a person. A thread's line changes for many reasons; only another state is news.
final class ThreadNews: Sendable {
    private struct Told: Equatable {
        var state: AgentState
        var reason: String?
    }

    private let computer: String?
    private let told: Mutex<[ThreadReference: Told]>

    /// - Parameters:
    ///   - threads: Those whose state the person was told already.
    ///   - computer: As the person typed it.
    init(_ threads: ThreadSummary..., at computer: String?) {
        self.computer = computer
        told = Mutex(
            threads.reduce(into: [:]) { $0[$1.reference] = Told(state: $1.state, reason: $1.reason) }
        )
    }

    /// - Parameter item: Of `threads.follow`.
    /// - Returns: Nil for what is no news to a person.
    func line(of item: JSONValue) -> String? {
        if let thread = item["thread"].flatMap(ThreadSummary.init(wire:)) { return line(of: thread) }
        if let approval = item["approval"].flatMap(Approval.init(wire:)) {
            return ThreadText.approval(approval, at: computer)
        }
        guard item["event"]?.stringValue == EventKind.threadApprovalClosed.name, let by = item["by"]?.stringValue else {
            return nil
        }
        return TerminalText.line("Answered by \(by): \(item["option"]?.stringValue ?? "")")
    }

    private func line(of thread: ThreadSummary) -> String? {
        let now = Told(state: thread.state, reason: thread.reason)
        let before = told.withLock { $0.updateValue(now, forKey: thread.reference) }
        guard now != before, thread.state != .idle else { return nil }
        let line = "\(ThreadText.words(thread.state)): \(thread.title ?? "") (\(thread.reference.id))"
        return TerminalText.line(line + (thread.reason.map { ": \($0)" } ?? ""))
    }
}
