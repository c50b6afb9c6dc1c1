import CommandServer
import Commands
import Foundation
import GRDB
import Kernel
import Logging
import Notifications
import NotificationsHost
import Rights

extension NotificationSettings {
    init(keeping rows: Int) {
        self.init()
        historyRows = rows
        historyDays = 3650
    }

    var text: String { String(decoding: wire.canonicalBytes, as: UTF8.self) }
}

/// A phone's calls without anything in between, except that all that is said is JSON text on the way.
struct DirectPhone: Peer {
    let id = "did:key:home"
    let isSealed = true
    private let methods: [RemoteMethod]
    private let caller: Caller

    static func computer(_ database: any DatabaseWriter) throws -> NotificationsSkill {
        try NotificationsSkill(
            .init(),
            database: database,
            outlet: NoDevices(),
            announcements: Announcements(),
            logger: Logger(label: "benchmark") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    init(_ computer: NotificationsSkill, _ name: String) {
        methods = computer.methods
        caller = Caller(id: "did:key:\(name)", name: name, proof: .session, rights: [.notification, .notificationAll])
    }

    func history(_ query: NotificationHistoryQuery) async throws -> NotificationHistory {
        try await call(NotificationMethods.getHistory, query)
    }

    func sync(_ query: NotificationSyncQuery) async throws -> NotificationChanges {
        try await call(NotificationMethods.sync, query)
    }

    func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard let served = methods.first(where: { $0.name == method }) else { throw RemoteError.malformedResult }
        let params = try JSONValue(parsing: params.canonicalBytes)
        return try JSONValue(parsing: try await served.run(RemoteParameters(params), caller).canonicalBytes)
    }

    func events() async throws -> AsyncStream<RemoteEvent> { AsyncStream { $0.finish() } }
    func reachability() async throws -> AsyncStream<Bool> { AsyncStream { $0.finish() } }
}

struct NoDevices: DeviceOutlet {
    func devices(needing right: Right?) -> [OutletDevice] { [] }

    func send(_ kind: EventKind, _ members: [String: JSONValue], to device: String) async throws {
        throw RemoteError.notConnected
    }

    func send(frame: [UInt8], needing right: Right?, to device: String) async throws {
        throw RemoteError.notConnected
    }

    func keep(_ kind: EventKind, _ members: [String: JSONValue], replacing key: String?, for device: String)
        async throws
    {
        throw RemoteError.notConnected
    }
}
