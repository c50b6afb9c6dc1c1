import Kernel
import NIOCore
import Synchronization

/// A port of this machine that leads to one port of a computer, until it is closed.
final class PortListener: Sendable {
    /// Who may come.
    enum Door: Sendable {
        /// Every program of this machine, with any protocol.
        case programs
        /// Browsers that ``PortOrigin`` lets in.
        case browsers(PortOrigin)
    }

    let id: Int
    let remote: Int
    let local: Int
    let door: Door
    private let channel: any Channel
    private let tasks: OwnedTasks
    /// Why it was closed; nil while it listens.
    private let ending = LatestValue<PortError?>(nil)

    private init(id: Int, remote: Int, local: Int, door: Door, channel: any Channel, tasks: OwnedTasks) {
        self.id = id
        self.remote = remote
        self.local = local
        self.door = door
        self.channel = channel
        self.tasks = tasks
    }

    /// - Parameters:
    ///   - port: 0 for any.
    ///   - door: Made when the port is known.
    ///   - serve: Serves one connection; runs in a task of the listener.
    static func open(
        id: Int,
        remote: Int,
        port: Int,
        door: @Sendable (_ local: Int) -> Door,
        serve: @escaping @Sendable (PortConnection, Door) async -> Void
    ) async throws(PortError) -> PortListener {
        let tasks = OwnedTasks()
        let made = Mutex<Door?>(nil)
        let channel = try await PortConnection.listen(port: port) { connection in
            guard tasks.count < PortLimits.streams else { return connection.close(broken: true) }
            let task = tasks.add {
                guard let door = made.withLock({ $0 }) else { return connection.close(broken: true) }
                await serve(connection, door)
            }
            if task == nil { connection.close(broken: true) }
        }
        let local = channel.localAddress?.port ?? port
        let door = door(local)
        made.withLock { $0 = door }
        return PortListener(id: id, remote: remote, local: local, door: door, channel: channel, tasks: tasks)
    }

    /// Stops listening and ends its connections.
    func close(_ reason: PortError) async {
        ending.update { if $0 == nil { $0 = reason } }
        // A channel that is closed already says so.
        try? await channel.close().get()
        await tasks.end()
    }

    /// Returns why it was closed, once it is; nil where the waiting was cancelled.
    func closed() async -> PortError? {
        for await reason in ending.values() { if let reason { return reason } }
        return nil
    }
}
