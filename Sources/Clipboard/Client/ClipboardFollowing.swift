import CommandClient
import Commands
import Control
import Kernel

/// A computer's clipboard, followed for as long as a command of this device runs: what `clipboard.follow` on the control socket does.
final class ClipboardFollowing: Sendable {
    private let followers = Followers<String>()

    /// Reports each change until the computer is forgotten or the command has gone; and each time that the watching has begun, after which no
    /// change is missed: who shows what is there reads it then.
    func follow(_ computer: any Peer, _ report: @escaping ControlRoute.Report) async throws {
        let clipboard = ClipboardClient(computer)
        let changes = try await computer.events()
        let reachability = try await computer.reachability()
        try await clipboard.watch()
        followers.add(computer.id)
        defer { followers.remove(computer.id) { try? await clipboard.unwatch() } }
        try await report(ClipboardControl.begun)
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
                    if isReached, !wasReached {
                        try await clipboard.watch()
                        try await report(ClipboardControl.begun)
                    }
                    wasReached = isReached
                }
            }
            defer { group.cancelAll() }
            try await group.next()
        }
    }

    func close() async { await followers.close() }
}
