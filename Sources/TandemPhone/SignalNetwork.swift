import Foundation
import Kernel
import Sealing
import Signaling

/// One connection to each signaling server in use: a second one under the same id would push
/// the first out.
actor SignalNetwork {
    private struct Entry {
        let client: any MaintainedSignalClient
        var users: Int
        let forwarding: Task<Void, Never>
    }

    /// Something a server said, and which.
    struct Event: Sendable {
        enum Content: Sendable {
            case signal(SignalEvent)
            case state(SignalClientState)
        }

        let url: URL
        let content: Content
    }

    private let id: String
    private let device: SignalDevice
    private let makeClient: @Sendable () -> any MaintainedSignalClient
    private let broadcaster = Broadcaster<Event>()
    private var entries: [URL: Entry] = [:]
    /// Clients that have no user left. A server that is gone without a word is waited for before its socket is let go, and
    /// no caller that goes to another server waits for that.
    private let leaving = OwnedTasks()

    init(identity: Identity, device: SignalDevice, access: SignalAccess) {
        id = identity.did.text
        self.device = device
        makeClient = { access.makeClient(identity, nil) }
    }

    /// Events of any server from now on.
    nonisolated func events() -> AsyncStream<Event> { broadcaster.subscribe() }

    /// The client of a server, connected in its own time and kept so until each ``retain(_:)`` had its ``release(_:)``.
    ///
    /// - Throws: ``SignalError`` for an address that cannot be used.
    func retain(_ url: URL) async throws -> any MaintainedSignalClient {
        if let entry = entries[url] {
            entries[url]?.users += 1
            return entry.client
        }
        let client = makeClient()
        let signals = client.messages()
        let states = client.states()
        let forwarding = Task { [broadcaster] in
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    for await event in signals { broadcaster.send(Event(url: url, content: .signal(event))) }
                }
                group.addTask {
                    for await state in states { broadcaster.send(Event(url: url, content: .state(state))) }
                }
            }
        }
        entries[url] = Entry(client: client, users: 1, forwarding: forwarding)
        do {
            try await client.maintain(url, as: id, device: device)
        } catch {
            await release(url)
            throw error
        }
        return client
    }

    func release(_ url: URL) async {
        guard let entry = entries[url] else { return }
        guard entry.users == 1 else {
            entries[url]?.users -= 1
            return
        }
        entries[url] = nil
        leaving.add { await Self.close(entry) }
    }

    private static func close(_ entry: Entry) async {
        entry.forwarding.cancel()
        await entry.client.disconnect()
        await entry.forwarding.value
    }

    /// How a server stands.
    struct Server: Sendable {
        let url: URL
        let state: SignalClientState
        let problem: SignalProblem?
    }

    /// How each server stands, for showing.
    func servers() -> [Server] {
        entries.map { Server(url: $0, state: $1.client.state, problem: $1.client.problem) }
            .sorted { $0.url.absoluteString < $1.url.absoluteString }
    }

    /// Looks at once whether each server is there.
    func resume() { for entry in entries.values { entry.client.resume() } }

    func close() async {
        let open = entries.values
        entries = [:]
        await withDiscardingTaskGroup { group in
            for entry in open { group.addTask { await Self.close(entry) } }
            group.addTask { [leaving] in await leaving.end() }
        }
        broadcaster.finish()
    }
}
