import Capabilities
import CommandServer
import Commands
import Control
import Foundation
import GRDB
import Kernel
import Rights
import Storage
import Synchronization
import Transport

/// A doorbell: what the smallest feature looks like that uses every joint.
final class BellSkill: CommandFeature, ActivityKeeper {
    static let total = ControlMethod<NoControlParameters, Total>("bell.total", summary: "How often it rang.")

    struct Total: Codable, Hashable, Sendable {
        var total: Int64
    }

    static let maker = CommandFeatureMaker(
        "bell",
        rights: [.bell],
        settings: [FeatureSetting("bellSound", .text, summary: "What the bell says.")],
        migrations: [
            Migration("bell-1", sql: "CREATE TABLE bell (id INTEGER PRIMARY KEY, caller TEXT NOT NULL) STRICT")
        ]
    ) { BellSkill($0) }

    private static let ringing = Activity.Kind("bell", needs: .bell, words: "rings the bell", isShown: true)

    private let context: CommandContext
    /// The devices that ring, until their right is taken back.
    private let ringers = Mutex<Set<String>>([])

    init(_ context: CommandContext) { self.context = context }

    var keeper: (any ActivityKeeper)? { self }

    var methods: [RemoteMethod] {
        BellMethods.ring.served { [self] ring, caller in
            let total = try await context.database.write { database in
                for _ in 0..<ring.times {
                    try database.execute(sql: "INSERT INTO bell (caller) VALUES (?)", arguments: [caller.id])
                }
                return try Int64.fetchOne(database, sql: "SELECT count(*) FROM bell") ?? 0
            }
            if ringers.withLock({ $0.insert(caller.id).inserted }) {
                context.observer?.began(Activity(Self.ringing, caller.id, device: caller.id))
            }
            try await context.outlet.send(.bellRang, ["total": .integer(total)], to: caller.id)
            return BellMethods.Rung(total: total)
        }
    }

    var frames: [FrameRoute] {
        [
            FrameRoute(firstByte: BellFrame.firstByte) { frame in
                FrameRequest(
                    BellMethods.ring.declaration,
                    cost: frame.count,
                    run: { _ in FrameAnswer(frame + [UInt8(frame.count)], needing: .bell) },
                    refusal: { _ in nil }
                )
            }
        ]
    }

    var controlRoutes: [ControlRoute] {
        [
            ControlRoute(Self.total) { [context] _ in
                let total = try await context.database.read {
                    try Int64.fetchOne($0, sql: "SELECT count(*) FROM bell") ?? 0
                }
                return Total(total: total)
            }
        ]
    }

    func serverRoutes() throws -> RouteSet {
        let sound = context.settings["bellSound"]?.stringValue ?? "dong"
        return RouteSet(
            http: [try HTTPRoute(.get, "/bell") { _, _ in .text(sound) }],
            webSockets: [
                try WebSocketRoute("/bell/live") { peer, _ in
                    for try await message in peer.messages { try await peer.send(text: message.bytes) }
                }
            ]
        )
    }

    func checks() async -> [DoctorCheck] { [DoctorCheck(name: "Bell", works: true, detail: "hangs")] }

    /// Tells a phone of a visitor, whether it is there or not.
    func missed(_ visitor: String, replacing key: String? = nil, device: String) async throws {
        try await context.outlet.keep(.bellMissed, ["visitor": .string(visitor)], replacing: key, for: device)
    }

    // MARK: Activities

    func activities() -> [Activity] {
        ringers.withLock { $0 }.map { Activity(Self.ringing, $0, device: $0) }
    }

    func end(_ id: Activity.ID) -> Bool {
        ringers.withLock { ringers in
            guard let device = ringers.first(where: { Activity(Self.ringing, $0, device: $0).id == id }) else {
                return false
            }
            ringers.remove(device)
            return true
        }
    }

    func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) {
        if rights.contains(.bell) { _ = ringers.withLock { $0.remove(device) } }
    }
}
