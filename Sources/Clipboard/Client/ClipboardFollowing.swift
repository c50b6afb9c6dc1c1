import Commands
import Control
import Kernel
import Synchronization

/// A computer's clipboard, followed for as long as a command of this device runs: what `clipboard.follow` on the control socket does.
final class ClipboardFollowing: Sendable {
    /// How many commands follow each computer: the computer counts a phone once.
    private let counts = Mutex<[String: Int]>([:])
    /// The words to the computer after the last command has gone; each ends by its call's time limit.
    private let errands = OwnedTasks()

    /// Reports each change until the computer is forgotten or the command has gone.
    func follow(_ computer: any Peer, _ report: @escaping ControlRoute.Report) async throws {
        let clipboard = ClipboardClient(computer)
        let changes = try await computer.events()
        let reachability = try await computer.reachability()
        try await clipboard.watch()
        counts.withLock { $0[computer.id, default: 0] += 1 }
        defer {
            // Not in this task, which is cancelled when the command has gone.
            if isLast(computer.id) { errands.add { try? await clipboard.unwatch() } }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for await event in changes where event.isOf(.clipboardChanged) {
                    try await report(.object(event.members))
                }
            }
            group.addTask {
                // A computer that lost this phone has stopped watching for it. The first state is that of the call above.
                var wasReached = true
                for await isReached in reachability {
                    if isReached, !wasReached { try await clipboard.watch() }
                    wasReached = isReached
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    private func isLast(_ id: String) -> Bool {
        counts.withLock { counts in
            let left = (counts[id] ?? 1) - 1
            counts[id] = left == 0 ? nil : left
            return left == 0
        }
    }

    func close() async { await errands.end() }
}
