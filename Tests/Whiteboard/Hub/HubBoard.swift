package import Capabilities
package import Control
import Foundation
import GRDB
import Kernel
import Principals
import Storage
package import Transport

/// A hub's half of the whiteboard: a board on which people draw who have an account, each on devices of their own. It serves at a computer, too.
package final class HubBoard: ServedFeature {
    package static let invite = ControlMethod<Invitation, Invited>(
        "boards.invite",
        summary: "Let a person draw on this hub's board."
    )

    package struct Invitation: Codable, Hashable, Sendable {
        /// The account: see `AccountID`.
        package var person: String
        /// The name that the person's device is called by.
        package var device: String

        package init(person: String, device: String) {
            self.person = person
            self.device = device
        }
    }

    package struct Invited: Codable, Hashable, Sendable {
        /// The secret for the device, which is told this once.
        package var secret: String
    }

    package static let maker = ServedFeatureMaker(
        FeatureManifest(
            "whiteboard-hub",
            settings: [FeatureSetting("boardTitle", .text, summary: "The title of the hub's board.")],
            ownMigrations: [
                Migration(
                    "boards-1",
                    sql: """
                        CREATE TABLE guest (id TEXT PRIMARY KEY, holder TEXT NOT NULL, hash BLOB NOT NULL) STRICT;
                        CREATE TABLE mark (
                            number INTEGER PRIMARY KEY,
                            holder TEXT NOT NULL,
                            shape TEXT NOT NULL
                        ) STRICT;
                        """
                )
            ]
        )
    ) { try HubBoard($0) }

    private static let guestLimit = 100

    private let context: FeatureContext
    private let guests: BearerSecrets<Principal>
    private let marks = Broadcaster<String>()

    /// - Throws: What its database says.
    init(_ context: FeatureContext) throws {
        self.context = context
        let store = GuestStore(database: context.database)
        guests = BearerSecrets(
            try store.all(),
            store: store,
            policy: BearerPolicy(limit: Self.guestLimit, whenFull: .refuse)
        )
    }

    private var title: String { context.settings["boardTitle"]?.stringValue ?? "Board" }

    package var controlRoutes: [ControlRoute] {
        [
            ControlRoute(Self.invite) { [self] invitation in
                guard let person = AccountID(invitation.person) else {
                    throw HubBoardError.noAccount(invitation.person)
                }
                let secret = Secret()
                let holder = Principal.account(person, device: invitation.device)
                try await guests.add(secret.hash(), id: holder.id, holder: holder, now: context.time.date)
                return Invited(secret: secret.text)
            }
        ]
    }

    package var topics: [ControlTopic] { [ControlTopic("boards") { [marks] in marks.subscribe() }] }

    package func serverRoutes() throws -> RouteSet {
        RouteSet(
            http: [
                try HTTPRoute(.get, "/board/title") { [title] _, _ in .text(title) },
                try HTTPRoute(.post, "/board", maximumBodyBytes: 200) { [self] request, body in
                    guard let guest = asker(of: request) else { return .text("Who are you?", status: 401) }
                    let shape = String(decoding: try await body.collect(), as: UTF8.self)
                    return .text(try await draw(shape, by: guest))
                },
            ],
            webSockets: [
                try WebSocketRoute("/board/live") { [self] peer, request in
                    guard asker(of: request) != nil else { return await peer.close(.policyViolation, reason: "") }
                    let told = marks.subscribe()
                    try await peer.send(text: Array("open".utf8))
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { for await mark in told { try await peer.send(text: Array(mark.utf8)) } }
                        group.addTask { for try await _ in peer.messages {} }
                        defer { group.cancelAll() }
                        try await group.next()
                    }
                }
            ]
        )
    }

    package func pageRoutes() throws -> RouteSet {
        RouteSet(http: [try HTTPRoute(.get, "/api/board") { [title] _, _ in .text(title) }])
    }

    package func checks() async -> [DoctorCheck] { [DoctorCheck(name: "Board", works: true, detail: title)] }

    package func close() async { marks.finish() }

    /// Nil for a stranger.
    private func asker(of request: RouteRequest) -> Principal? {
        let scheme = "Bearer "
        guard let value = request.header("Authorization"), value.hasPrefix(scheme) else { return nil }
        let hash = SecretHash(of: String(value.dropFirst(scheme.count)))
        return guests.match(hash, now: context.time.date)?.holder
    }

    /// - Returns: The mark as it is told: its number, its artist and its shape.
    private func draw(_ shape: String, by asker: Principal) async throws -> String {
        let number = try await context.database.write { database in
            try database.execute(
                sql: "INSERT INTO mark (holder, shape) VALUES (?, ?)",
                arguments: [asker.id, shape]
            )
            return database.lastInsertedRowID
        }
        let mark = "\(number) \(asker.id) \(shape)"
        marks.send(mark)
        return mark
    }
}

/// The secrets of a board's guests in its database.
private struct GuestStore: BearerStore {
    typealias Holder = Principal

    let database: any DatabaseWriter

    func all() throws -> [BearerEntry<Principal>] {
        try database.read { database in
            try Row.fetchAll(database, sql: "SELECT id, holder, hash FROM guest").compactMap {
                row -> BearerEntry<Principal>? in
                guard let holder = Principal(id: row["holder"]) else { return nil }
                let hash: Data = row["hash"]
                return BearerEntry(id: row["id"], holder: holder, hash: SecretHash(kept: Array(hash)), createdAt: 0)
            }
        }
    }

    func insert(_ entry: BearerEntry<Principal>) async throws {
        try await database.write { database in
            try database.execute(
                sql: "INSERT INTO guest VALUES (?, ?, ?)",
                arguments: [entry.id, entry.holder.id, Data(entry.hash.bytes)]
            )
        }
    }

    /// Visits are not kept, and a secret has no successor.
    func update(_ entry: BearerEntry<Principal>) async throws {}

    func remove(_ ids: [String]) async throws {
        try await database.write { database in
            for id in ids { try database.execute(sql: "DELETE FROM guest WHERE id = ?", arguments: [id]) }
        }
    }

    func removeAll() async throws { try await database.write { try $0.execute(sql: "DELETE FROM guest") } }
}

/// Why the hub's half of the whiteboard does not do something. The description is shown to the person.
package enum HubBoardError: Error, Hashable, CustomStringConvertible {
    case noAccount(String)

    package var description: String {
        switch self {
        case .noAccount(let name): "\(name) is no name of an account. Use small letters, digits, and . _ - in between."
        }
    }
}
