import Capabilities
import CommandClient
import Commands
package import Control
package import GRDB
import Kernel
import Pairing
import Storage
import Synchronization
package import Transport

/// The topics that a phone tells by itself to a page that shows it.
extension Phone {
    /// The most bytes that are told of a computer's event; a larger one is told without its members.
    private static let eventBytes = 64 << 10

    /// The role's database, for what stands beside it on this machine.
    package nonisolated var database: any DatabaseWriter { state.database }

    /// The routes that features serve to the page of this phone.
    package nonisolated func pageRoutes() throws -> RouteSet { try features.set.pageRoutes() }

    /// The right that a method of a computer needs; nil for one that needs none, and for an unknown one.
    package nonisolated func right(for method: String) -> String? {
        features.methods.first { $0.name == method }?.permission?.name
    }

    package nonisolated var topics: [ControlTopic] {
        [
            ControlTopic("devices") { [desktops] in desktops.list() },
            ControlTopic("queue") { [queue] in queue.events() },
            ControlTopic("servers") { [network] in network.events() },
            standingTopic,
            ControlTopic("reach") { tell in
                await self.forEachComputer { computer in
                    guard let states = try? await self.paths(to: computer) else { return }
                    for await state in states {
                        let path: JSONValue =
                            if case .connected(let path) = state { .string(path.rawValue) } else { .null }
                        tell(["device": .string(computer.pcPeerID), "path": path])
                    }
                }
            },
            .rights(of: { [desktops] in desktops.list() }) { ($0.pcPeerID, $0.allowed?.rights) },
            ControlTopic("remote") { tell in
                let streamed = self.features.streamedEvents
                await self.forEachComputer { computer in
                    guard let events = try? await self.events(of: computer) else { return }
                    for await event in events where !streamed.contains(event.name) {
                        let isLarge = event.roughByteCount > Self.eventBytes
                        tell([
                            "device": .string(computer.pcPeerID), "event": .string(event.name),
                            "members": isLarge ? .null : .object(event.members),
                        ])
                    }
                }
            },
        ] + features.set.topics
    }

    /// Follows each paired computer until it is forgotten, and those that are paired later.
    private nonisolated func forEachComputer(_ follow: @escaping @Sendable (PairedDesktop) async -> Void) async {
        let followed = TopicComputers()
        await withDiscardingTaskGroup { group in
            for await list in desktops.list() {
                for computer in list where followed.insert(computer.pcPeerID) {
                    group.addTask {
                        await follow(computer)
                        followed.remove(computer.pcPeerID)
                    }
                }
            }
            group.cancelAll()
        }
    }
}

/// The computers that a topic follows: each once.
private final class TopicComputers: Sendable {
    private let ids = Mutex<Set<String>>([])

    func insert(_ id: String) -> Bool { ids.withLock { $0.insert(id).inserted } }
    func remove(_ id: String) { ids.withLock { _ = $0.remove(id) } }
}
