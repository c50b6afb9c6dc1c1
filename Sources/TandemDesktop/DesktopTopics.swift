import Capabilities
import CommandServer
package import Control
package import GRDB
import Kernel
import Pairing
import Sealing
import Signaling
import Storage
package import Transport

/// The topics that a computer tells by itself to a page that shows it.
extension Desktop {
    /// The time between two looks at what runs for phones, while a page listens.
    private static let activityInterval = Duration.seconds(2)

    /// The role's database, for what stands beside it on this machine.
    package var database: any DatabaseWriter { state.database }

    /// The routes that features serve to the page of this computer.
    package func pageRoutes() throws -> RouteSet { try features.set.pageRoutes() }

    package var topics: [ControlTopic] {
        [
            ControlTopic("devices") { phones.records.store.list() },
            ControlTopic("requests") { pairing.statuses() },
            ControlTopic("asks") { tell in
                let changes = phones.askChanges.subscribe()
                tell([:])
                for await _ in changes { tell([:]) }
            },
            ControlTopic("activity") { tell in await followActivities(tell) },
            ControlTopic("servers") { tell in
                await withDiscardingTaskGroup { group in
                    for client in network.clients {
                        group.addTask { for await _ in client.states() { tell([:]) } }
                    }
                }
            },
            ControlTopic("reach") { tell in
                for await phone in pathChanges.subscribe() {
                    let path = phones.records.all().first { $0.did.text == phone }.map(\.did)
                    let kind = if let path { await self.path(to: path) } else { nil as LinkKind? }
                    tell(["device": .string(phone), "path": kind.map { .string($0.rawValue) } ?? .null])
                }
            },
            .rights(of: { phones.records.store.list() }) { ($0.did.text, $0.allowedSkills) },
        ] + features.set.topics
    }

    /// Looks at the activities now and then, since nothing says that one has ended, and tells the list when it is another.
    private func followActivities(_ tell: ControlTopic.Tell) async {
        var known: [String]?
        repeat {
            let ids = await phones.activities().map(\.id)
            if ids != known { tell([:]) }
            known = ids
        } while await configuration.time.pause(for: Self.activityInterval)
    }
}
