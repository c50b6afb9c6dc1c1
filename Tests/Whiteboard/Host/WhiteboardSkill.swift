package import Capabilities
package import CommandServer
import Commands
package import Control
import GRDB
import Kernel
package import Rights
import Storage
package import Transport
import Whiteboard

/// A computer's half of the whiteboard: a small feature that uses every joint of a computer.
package final class WhiteboardSkill: CommandFeature, ActivityKeeper {
    package static let wipe = ControlMethod<NoControlParameters, Wiped>("whiteboard.wipe", summary: "Wipe the board.")

    package struct Wiped: Codable, Hashable, Sendable {
        /// The board's epoch from now on.
        package var epoch: String
    }

    package static let maker = CommandFeatureMaker(
        FeatureManifest(
            "whiteboard",
            rights: [.whiteboard],
            settings: [FeatureSetting("whiteboardTitle", .text, summary: "The title of the board.")],
            ownMigrations: [
                Migration(
                    "whiteboard-1",
                    sql: """
                        CREATE TABLE stroke (
                            number INTEGER PRIMARY KEY,
                            artist TEXT NOT NULL,
                            shape TEXT NOT NULL
                        ) STRICT;
                        CREATE TABLE wiping (id INTEGER PRIMARY KEY) STRICT;
                        """
                )
            ]
        )
    ) { WhiteboardSkill($0) }

    private static let following = Activity.Kind(
        "whiteboard",
        needs: .whiteboard,
        words: "follows the whiteboard",
        isShown: false
    )

    private let context: CommandContext
    private let followers: BoardFollowers
    private let drawn = LatestValue<Int64>(0)

    init(_ context: CommandContext) {
        self.context = context
        followers = BoardFollowers(outlet: context.outlet)
    }

    private var title: String { context.settings["whiteboardTitle"]?.stringValue ?? "Whiteboard" }

    // MARK: Methods

    package var methods: [RemoteMethod] {
        WhiteboardMethods.draw.served { [self] draw, caller in try await self.draw(draw.shape, by: caller.id) }
            + WhiteboardMethods.strokes.served { [self] query, caller in try await page(query, for: caller.id) }
    }

    package var frames: [FrameRoute] {
        [
            FrameRoute(firstByte: WhiteboardFrame.firstByte) { [self] frame in
                guard let shape = WhiteboardFrame.shape(of: frame) else { return nil }
                return FrameRequest(
                    WhiteboardMethods.draw.declaration,
                    cost: frame.count,
                    run: { caller in
                        let stroke = try await self.draw(shape, by: caller.id)
                        let number = UInt8(truncatingIfNeeded: stroke.number)
                        return FrameAnswer([WhiteboardFrame.firstByte, number], needing: .whiteboard)
                    },
                    refusal: { _ in [WhiteboardFrame.firstByte, 0] }
                )
            }
        ]
    }

    private func draw(_ shape: String, by artist: String) async throws -> Stroke {
        let (stroke, epoch) = try await context.database.write { database in
            let last = try Int64.fetchOne(database, sql: "SELECT coalesce(max(number), 0) FROM stroke") ?? 0
            let stroke = Stroke(number: last + 1, artist: artist, shape: shape)
            try database.execute(
                sql: "INSERT INTO stroke VALUES (?, ?, ?)",
                arguments: [stroke.number, artist, shape]
            )
            return (stroke, try Self.epoch(database))
        }
        await followers.tell(stroke, epoch: epoch)
        drawn.update { $0 += 1 }
        return stroke
    }

    private func page(_ query: WhiteboardMethods.Query, for device: String) async throws -> WhiteboardMethods.Page {
        // Before it is read, so that no stroke falls in between.
        await followers.follow(device)
        return try await context.database.read { database in
            let epoch = try Self.epoch(database)
            let after = query.epoch == epoch ? query.after : 0
            let rows = try Row.fetchAll(
                database,
                sql: "SELECT number, artist, shape FROM stroke WHERE number > ? ORDER BY number LIMIT ?",
                arguments: [after, WhiteboardMethods.pageLimit + 1]
            )
            let strokes = rows.prefix(WhiteboardMethods.pageLimit).map {
                Stroke(number: $0["number"], artist: $0["artist"], shape: $0["shape"])
            }
            return WhiteboardMethods.Page(
                epoch: epoch,
                after: after,
                strokes: strokes,
                isEnd: rows.count <= WhiteboardMethods.pageLimit
            )
        }
    }

    private static func epoch(_ database: Database) throws -> String {
        let count = try Int64.fetchOne(database, sql: "SELECT count(*) FROM wiping") ?? 0
        return "\(count)"
    }

    // MARK: The owner's side

    package var controlRoutes: [ControlRoute] {
        [ControlRoute(Self.wipe) { [self] _ in Wiped(epoch: try await wipe()) }]
    }

    package var topics: [ControlTopic] { [ControlTopic("whiteboard") { [drawn] in drawn.values() }] }

    /// Wipes the board, and tells every device that may know it.
    private func wipe() async throws -> String {
        let epoch = try await context.database.write { database in
            try database.execute(sql: "DELETE FROM stroke")
            try database.execute(sql: "INSERT INTO wiping DEFAULT VALUES")
            return try Self.epoch(database)
        }
        for device in context.outlet.devices(needing: .whiteboard) where device.keepsEvents {
            do {
                try await context.outlet.keep(
                    .boardWiped,
                    ["epoch": .string(epoch)],
                    replacing: "wiped",
                    for: device.id
                )
            } catch RemoteError.notConnected {
                continue  // it lost its right meanwhile
            }
        }
        return epoch
    }

    package func serverRoutes() throws -> RouteSet {
        RouteSet(http: [try HTTPRoute(.get, "/whiteboard/title") { [title] _, _ in .text(title) }])
    }

    package func pageRoutes() throws -> RouteSet {
        RouteSet(http: [try HTTPRoute(.get, "/api/whiteboard") { [title] _, _ in .text(title) }])
    }

    package func checks() async -> [DoctorCheck] { [DoctorCheck(name: "Whiteboard", works: true, detail: title)] }

    package func close() async { await followers.close() }

    // MARK: Activities

    package var keeper: (any ActivityKeeper)? { self }

    package func activities() async -> [Activity] {
        await followers.devices.map { Activity(Self.following, $0, device: $0) }
    }

    package func end(_ id: Activity.ID) async -> Bool {
        guard let activity = await activities().first(where: { $0.id == id }) else { return false }
        await followers.forget(activity.device)
        return true
    }

    package func revoke(_ rights: Set<Right>, of device: String, keeping kept: Set<Activity.Kind>) async {
        if rights.contains(.whiteboard) { await followers.forget(device) }
    }
}
