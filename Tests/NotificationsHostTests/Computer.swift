import CommandServer
import Commands
import FeatureTesting
import Foundation
import GRDB
import Kernel
import KernelTesting
import Logging
import Notifications
import Rights
import Storage
import Synchronization

@testable import NotificationsHost

/// A computer's notifications over a database in memory, and the phones that are paired with it.
final class Computer: Sendable {
    static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    let database: DatabaseQueue
    let outlet = ScriptedOutlet()
    let announcements = Announcements()
    let time: ManualClock
    let skill: NotificationsSkill

    init(
        services: NotificationsSkill.Services = .init(),
        time: ManualClock = ManualClock(),
        database: DatabaseQueue? = nil
    ) throws {
        let database = try database ?? StateDatabase.inMemory(schema: [NotificationTables.migrations])
        self.database = database
        self.time = time
        skill = try NotificationsSkill(
            services,
            database: database,
            outlet: outlet,
            announcements: announcements,
            time: time,
            logger: Self.logger
        )
    }

    var store: NotificationDatabase { skill.store }

    /// Ada's and Bo's phones catch up, or only know the documented wire.
    func pair(catchesUp: Bool = true, keepsEvents: Bool = true) async throws {
        outlet.pair([
            OutletDevice(id: Caller.ada.id, name: Caller.ada.name, keepsEvents: keepsEvents),
            OutletDevice(id: Caller.bo.id, name: Caller.bo.name, keepsEvents: keepsEvents),
        ])
        guard catchesUp else { return }
        for phone in [Caller.ada, .bo] { _ = try await sync(phone) }
    }

    /// What is seldom said of a notification.
    struct Circumstances {
        var image: [UInt8]?
        var device = ""
        var isMirrored = false
    }

    @discardableResult
    func say(
        _ title: String,
        by program: String? = nil,
        key: String? = nil,
        priority: NotificationPriority = .normal,
        progress: Int? = nil,
        body: String = "text",
        _ circumstances: Circumstances = .init()
    ) async throws -> NotificationRow? {
        let outcome = try await skill.centre.take(
            NewNotificationRow(
                title: title,
                body: body,
                priority: priority,
                program: program ?? "",
                key: key,
                progress: progress,
                image: circumstances.image,
                device: circumstances.device,
                isMirrored: circumstances.isMirrored
            )
        )
        guard case .kept(let row, _) = outcome else { return nil }
        return row
    }

    func history(
        _ query: NotificationHistoryQuery = .init(),
        as caller: Caller = .ada
    ) async throws -> NotificationHistory {
        try await ScriptedPeer(skill, as: caller).call(NotificationMethods.getHistory, query)
    }

    func titles(_ query: NotificationHistoryQuery = .init(), as caller: Caller = .ada) async throws -> [String] {
        try await history(query, as: caller).notifications.map(\.title)
    }

    func sync(
        _ caller: Caller = .ada,
        epoch: String? = nil,
        after: Int64 = 0,
        limit: Int = 200
    ) async throws -> NotificationChanges {
        try await ScriptedPeer(skill, as: caller)
            .call(NotificationMethods.sync, NotificationSyncQuery(epoch: epoch, after: after, limit: limit))
    }

    /// What a phone is told next, in order. The stream has to be there before.
    static func events(_ count: Int, of stream: AsyncStream<RemoteEvent>) async -> [NotificationEvent] {
        await stream.prefix(count).reduce(into: []) { events, event in
            if let event = NotificationEvent(event) { events.append(event) }
        }
    }

    func set(_ change: (inout NotificationSettingsChange) -> Void) async throws {
        var settings = NotificationSettingsChange()
        change(&settings)
        _ = try await store.write(.settings(settings))
    }
}

extension NotificationChanges.Change {
    var title: String {
        switch self {
        case .kept(let notification): notification.title
        case .deleted: "deleted"
        }
    }
}

/// A desktop whose programs a test plays.
final class ScriptedSource: NotificationSource {
    enum Act: Hashable {
        case closed(SourceNotification.ID)
        case acted(SourceNotification.ID, String?, String?)
        case shown(DesktopBanner, SourceNotification.ID?)
    }

    struct Refused: Error, CustomStringConvertible {
        let description = "The program has gone. Answer it at the computer."
    }

    private let told = Broadcaster<SourceEvent>()
    private let acts = LatestValue<[Act]>([], capacity: 64)
    private let refuses = Mutex(false)
    private let closings = Mutex((now: 0, most: 0))
    private let listening = LatestValue(false)

    func tell(_ event: SourceEvent) async {
        for await isListening in listening.values() where isListening { break }
        told.send(event)
    }

    func refuse() { refuses.withLock { $0 = true } }

    func acts(_ count: Int) async -> [Act] {
        for await acts in acts.values() where acts.count >= count { return acts }
        return []
    }

    func events() async -> any AsyncSequence<SourceEvent, Never> & Sendable {
        defer { listening.set(true) }
        return told.subscribe()
    }

    /// How many were being closed at a time.
    var mostClosings: Int { closings.withLock(\.most) }

    func close(_ id: SourceNotification.ID) async {
        closings.withLock { closings in
            closings.now += 1
            closings.most = max(closings.most, closings.now)
        }
        for _ in 0..<100 { await Task.yield() }
        closings.withLock { $0.now -= 1 }
        acts.update { $0.append(.closed(id)) }
    }

    func act(_ id: SourceNotification.ID, action: String?, reply: String?) async throws {
        if refuses.withLock(\.self) { throw Refused() }
        for _ in 0..<100 { await Task.yield() }
        acts.update { $0.append(.acted(id, action, reply)) }
    }

    func show(_ banner: DesktopBanner, replacing id: SourceNotification.ID?) async throws -> SourceNotification.ID {
        acts.update { $0.append(.shown(banner, id)) }
        for _ in 0..<100 { await Task.yield() }
        return 900
    }
}

/// Remembers what phones are woken with.
final class RecordingPusher: PhonePusher {
    private let sent = LatestValue<[[UInt8]]>([], capacity: 64)
    private let outcome = Mutex(WakeOutcome.sent)
    private let interlude = Mutex<(@Sendable () async -> Void)?>(nil)

    struct BadEndpoint: Error, CustomStringConvertible {
        let description = "The parameter endpoint must be an https address of a push service."
    }

    func answer(_ outcome: WakeOutcome) { self.outcome.withLock { $0 = outcome } }

    /// Happens before the service answers.
    func whileWaking(_ work: @escaping @Sendable () async -> Void) { interlude.withLock { $0 = work } }

    func payloads(_ count: Int) async -> [JSONValue] {
        for await sent in sent.values() where sent.count >= count {
            return sent.compactMap { try? JSONValue(parsing: $0) }
        }
        return []
    }

    func check(_ registration: PushRegistration) throws {
        guard registration.endpoint.hasPrefix("https://") else { throw BadEndpoint() }
    }

    func wake(
        _ registration: PushRegistration,
        with payload: [UInt8],
        topic: String,
        isUrgent: Bool
    ) async -> WakeOutcome {
        sent.update { $0.append(payload) }
        await interlude.withLock(\.self)?()
        return outcome.withLock(\.self)
    }
}
