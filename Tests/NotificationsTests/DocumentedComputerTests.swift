import CommandClient
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Logging
import Storage
import Synchronization
import Testing

@testable import Notifications

@Suite("A phone's notifications of a computer that knows the documented wire only", .timeLimit(.minutes(4)))
struct DocumentedComputerTests {
    /// Answers with a history that a test says.
    private final class Scene: Sendable {
        let presenter = CountingPresenter()
        let clock = ManualClock()
        let phone: PhoneNotifications
        let inbox: NotificationInbox

        init(code: Int = FailureCode.unknownMethod, isSealed: Bool = true) throws {
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            phone = PhoneNotifications(
                store: NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations])),
                presenter: presenter,
                time: clock,
                logger: logger
            )
            let answers = Answers()
            inbox = NotificationInbox(
                ComputerContext(
                    id: FakeComputer.id,
                    call: { method, params, _, _ in
                        answers.params.withLock { $0.append(params) }
                        return try answers.answer(method, code)
                    },
                    sendFrame: isSealed ? { @Sendable _ in } : nil
                ),
                phone
            )
            self.answers = answers
        }

        private let answers: Answers

        /// What it answers to everything else.
        func answer(_ result: JSONValue) { answers.result.withLock { $0 = result } }

        var asked: [String] { answers.asked.withLock(\.self) }
        var params: [JSONValue] { answers.params.withLock(\.self) }

        func set(_ notifications: [RemoteNotification]) { answers.history.withLock { $0 = notifications } }
    }

    private final class Answers: Sendable {
        let history = Mutex<[RemoteNotification]>([])

        let asked = Mutex<[String]>([])
        let params = Mutex<[JSONValue]>([])
        let result = Mutex<JSONValue?>(nil)

        func answer(_ method: String, _ code: Int) throws -> JSONValue {
            asked.withLock { $0.append(method) }
            guard method == NotificationMethods.getHistory.name else {
                if let result = result.withLock(\.self) { return result }
                throw RemoteFailure(code: code, message: "unknown")
            }
            let list = history.withLock(\.self)
            return NotificationHistory(notifications: list, total: list.count, unreadCount: 0).wire
        }
    }

    private func push(_ id: String, silenced: Bool = false) -> RemoteEvent {
        RemoteEvent(
            .notificationReceived,
            [
                "notificationId": .string(id), "title": "T", "body": "B", "timestamp": 5, "silenced": .bool(silenced),
            ]
        )
    }

    private func row(_ id: String, isRead: Bool = false, at: Int64 = 5) -> RemoteNotification {
        RemoteNotification(id: id, title: "T", body: "B", isRead: isRead, createdAt: at)
    }

    @Test(
        "its history is read when it is reached, the first time without a banner, and its pushes are shown once",
        arguments: [-32601, -32006]
    )
    func history(code: Int) async throws {
        let scene = try Scene(code: code)
        scene.set([row("before", at: 4), row("a", isRead: true)])
        await scene.inbox.reached()
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown == [])
        #expect(scene.presenter.badge == 1)
        scene.set([row("b", at: 6), row("before", at: 4), row("a", isRead: true)])
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["b"])
        await scene.inbox.receive(push("c"), number: nil)
        await scene.inbox.receive(push("c"), number: nil)
        await scene.inbox.receive(push("d", silenced: true), number: nil)
        await scene.phone.shown()
        #expect(scene.presenter.shown.map(\.id) == ["b", "c"])
        // Read and deleted there.
        scene.set([row("d", at: 9), row("c", isRead: true), row("a", isRead: true)])
        try await scene.inbox.refresh()
        let page = try await scene.phone.page()
        #expect(Set(page.items.map(\.notification.id)) == ["a", "c", "d"])
        #expect(page.items.filter { !$0.notification.isRead }.map(\.notification.id) == ["d"])
        #expect(scene.presenter.onScreen == [])
        #expect(scene.presenter.shown.count == 2)
        await scene.inbox.close()
    }

    @Test("in the clear nothing is asked before a person refreshes the list, and then only the documented method")
    func inTheClear() async throws {
        let scene = try Scene(isSealed: false)
        scene.set([row("a")])
        await scene.inbox.reached()
        await scene.inbox.receive(push("b"), number: nil)
        await scene.inbox.restarted()
        await scene.phone.shown()
        #expect(scene.presenter.shown.map(\.id) == ["b"])
        #expect(scene.asked == [])
        try await scene.inbox.refresh()
        #expect(scene.asked == [NotificationMethods.getHistory.name])
        // What was there before this phone asked first is history.
        #expect(scene.presenter.shown.map(\.id) == ["b"])
        scene.set([row("c"), row("a")])
        try await scene.inbox.refresh()
        #expect(scene.presenter.shown.map(\.id) == ["b", "c"])
        await scene.inbox.close()
    }

    @Test("a push that comes again after half a minute is another; one that the computer kept is taken once for ever")
    func again() async throws {
        let scene = try Scene()
        await scene.inbox.receive(push("a"), number: nil)
        await scene.phone.shown()
        scene.clock.advance(by: .seconds(31))
        await scene.inbox.receive(push("a"), number: nil)
        await scene.phone.shown()
        #expect(scene.presenter.shown.map(\.id) == ["a", "a"])
        await scene.inbox.receive(push("kept"), number: 3)
        scene.clock.advance(by: .seconds(31))
        await scene.inbox.receive(push("kept"), number: 3)
        await scene.phone.shown()
        #expect(scene.presenter.shown.count == 3)
        await scene.inbox.close()
    }

    @Test("a mark that is refused in an answer is taken back and said; one that is gone there is done")
    func refusedInAnswer() async throws {
        let scene = try Scene(isSealed: false)
        scene.set([row("a"), row("b")])
        try await scene.inbox.refresh()
        scene.answer(["success": false, "error": "database is locked"])
        let refusal = await #expect(throws: OfflineFailure.self) { try await scene.inbox.mark(.deleted(["a"])) }
        #expect(refusal?.description == "database is locked")
        #expect(Set(try await scene.phone.page().items.map(\.notification.id)) == ["a", "b"])
        scene.answer(["success": false])
        await #expect(throws: OfflineFailure.self) { try await scene.inbox.mark(.allRead(upTo: nil)) }
        #expect(scene.phone.unread == [FakeComputer.id: 2])
        scene.answer(["success": false, "error": "NOT_FOUND"])
        #expect(try await scene.inbox.mark(.deleted(["a"])) == .done(count: 0))
        #expect(try await scene.phone.page().items.map(\.notification.id) == ["b"])
        await scene.inbox.close()
    }

    @Test("several are marked and deleted one by one, since no document names more than one")
    func severalIDs() async throws {
        let scene = try Scene(isSealed: false)
        scene.set([row("a"), row("b"), row("c")])
        try await scene.inbox.refresh()
        scene.answer(["success": true])
        #expect(try await scene.inbox.mark(.read(["a", "b"])) == .done(count: 2))
        #expect(try await scene.inbox.mark(.deleted(["b", "c"])) == .done(count: 2))
        let methods = [NotificationMethods.markAsRead.name, NotificationMethods.delete.name]
        #expect(scene.asked.suffix(4) == [methods[0], methods[0], methods[1], methods[1]])
        #expect(scene.params.suffix(4).map { $0["notificationId"] } == ["a", "b", "b", "c"])
        #expect(scene.params.suffix(4).allSatisfy { $0["ids"] == nil })
        #expect(try await scene.phone.page().items.map(\.notification.id) == ["a"])
        await scene.inbox.close()
    }

    @Test("a row without a text is a row; a documented item without one is none")
    func withoutBody() throws {
        let row: JSONValue = ["id": "n", "title": "T", "body": nil, "urgency": "critical", "is_read": 0]
        let rows = try NotificationHistory(wire: ["items": [row, ["id": "m", "title": "U"]], "total": 2])
        #expect(rows.notifications.map(\.body) == ["", ""])
        #expect(rows.notifications.map(\.priority) == [.urgent, .normal])
        #expect(try NotificationHistory(wire: ["notifications": [row], "total": 1]).notifications == [])
        #expect(try NotificationHistory(wire: ["items": [["id": "n", "title": "T", "body": 7]]]).notifications == [])
    }

    @Test("what is sent names a phone and says how urgent it is in both ways")
    func bothNames() {
        let forwarded = ForwardedNotification(title: "T", body: "B", priority: .urgent, devices: ["p"]).wire
        #expect(forwarded["deviceId"] == "p" && forwarded["targetDevices"] == ["p"])
        #expect(forwarded["priority"] == "urgent" && forwarded["urgency"] == "critical")
        let new = NewNotification(title: "T", body: "B", priority: .low).wire
        #expect(new["priority"] == "low" && new["urgency"] == "low")
    }

    @Test(
        "a success that counts nobody is handed over, and a failure or one that says nobody was told is not",
        arguments: [
            (["success": true, "id": "n", "timestamp": 5], true),
            (["success": true, "deliveredCount": 0, "failedCount": 0], true),
            (["success": true, "delivered": false, "deliveredCount": 0], false),
            (["success": true, "deliveredCount": 1], false), (["success": true, "failedCount": 2], false),
            (["success": false, "error": "off"], false), ([:], false),
        ] as [(JSONValue, Bool)]
    )
    func handedOver(answer: JSONValue, isHandedOver: Bool) throws {
        #expect(try NotificationDelivery(wire: answer).isHandedOver == isHandedOver)
    }

    @Test("what an existing program says in a word of its own is a sentence, and its counts are read")
    func theirWords() throws {
        let quiet = try NotificationSent(wire: ["success": false, "reason": "quiet_hours"])
        #expect(quiet.isSilenced && quiet.reason?.contains("quiet hours at the computer") == true)
        let left = try NotificationSent(wire: ["success": false, "reason": "type_disabled"])
        #expect(!left.isSilenced && left.reason?.contains("of this kind") == true)
        #expect(try NotificationCount(wire: ["success": true, "deletedCount": 4]).count == 4)
    }

    @Test("settings that a program does not have are left out, and named when they were to change")
    func foreignSettings() throws {
        let settings = try NotificationSettings(
            wire: ["enabled": true, "soundEnabled": false, "quietHours": ["enabled": false]]
        )
        #expect(settings.untold == Set(NotificationSettings.Own.allCases))
        #expect(settings.wire["historyLimit"] == nil && settings.wire["soundEnabled"] == false)
        var change = NotificationSettingsChange()
        change.historyRows = 100
        change.hasSound = true
        #expect(change.missing(in: settings) == [.historyRows])
        #expect(change.missing(in: NotificationSettings()).isEmpty)
        #expect(try NotificationSettings(wire: NotificationSettings().wire) == NotificationSettings())
    }

    @Test("one mark names its notification as existing programs read it, too: else they would mark all")
    func marksOne() {
        let (_, params) = NotificationMark.read(["a"]).call
        #expect(params["id"] == "a" && params["notificationId"] == "a")
    }

    @Test("settings that a computer does not answer are asked for, and a change that it refuses is a failure")
    func settings() async throws {
        let answers = Mutex<[JSONValue]>([["success": true], ["enabled": false, "soundEnabled": false]])
        let commands = NotificationCommands(ScriptedPeer { _ in answers.withLock { $0.removeFirst() } })
        var change = NotificationSettingsChange()
        change.hasSound = false
        #expect(try await commands.updateSettings(change).isEnabled == false)
        answers.withLock { $0 = [["success": false, "error": "The disk is full."]] }
        let failure = await #expect(throws: RemoteFailure.self) { try await commands.updateSettings(change) }
        #expect(failure?.message == "The disk is full.")
    }

    @Test("a push that does not say when is of now")
    func undated() async throws {
        let scene = try Scene()
        let push = RemoteEvent(.notificationReceived, ["notificationId": "a", "title": "T", "body": "B"])
        await scene.inbox.receive(push, number: nil)
        #expect(
            try await scene.phone.page().items.map(\.notification.createdAt) == [scene.clock.date.millisecondsSince1970]
        )
        let dispatcher = NotificationEventDispatcher(presenter: CountingPresenter(), time: scene.clock)
        await dispatcher.receive(push, of: "pc")
        #expect(dispatcher.state.latest?.createdAt == scene.clock.date.millisecondsSince1970)
        await scene.inbox.close()
    }

    @Test("switched off here, a push is dropped without a word")
    func off() async throws {
        let scene = try Scene()
        try await scene.phone.save(LocalNotificationSettings(enabled: false))
        await scene.inbox.receive(push("a"), number: nil)
        #expect(try await scene.phone.page().items == [])
        await scene.inbox.close()
    }

    // MARK: The documented dispatcher

    @Test("the dispatcher shows each once, trusts silenced, and ignores what is malformed")
    func dispatcher() async throws {
        let presenter = CountingPresenter()
        let clock = ManualClock()
        let dispatcher = NotificationEventDispatcher(presenter: presenter, time: clock)
        #expect(await dispatcher.receive(push("a"), of: "pc") == .presented)
        #expect(await dispatcher.receive(push("a"), of: "pc") == .dropped)
        #expect(await dispatcher.receive(push("b", silenced: true), of: "pc") == .silenced)
        #expect(await dispatcher.receive(RemoteEvent(.notificationReceived, ["title": "T"]), of: "pc") == .ignored)
        #expect(dispatcher.state.unread == 2 && dispatcher.state.latest?.id == "b")
        clock.advance(by: .seconds(31))
        #expect(await dispatcher.receive(push("a"), of: "pc") == .presented)
        // 256 others push it out of what is remembered.
        for number in 0..<256 { await dispatcher.receive(push("n\(number)"), of: "pc") }
        #expect(await dispatcher.receive(push("a"), of: "pc") == .presented)
        #expect(presenter.shown.first?.id == "a")
        // Another computer counts its own.
        #expect(await dispatcher.receive(push("a"), of: "another") == .presented)
    }

    @Test("without the person's word banners stay in the app; switched off, nothing is shown")
    func authorization() async throws {
        for allowed in [NotificationAuthorization.notDetermined, .denied] {
            let dispatcher = NotificationEventDispatcher(presenter: CountingPresenter(allowed), time: ManualClock())
            #expect(await dispatcher.receive(push("a"), of: "pc") == .inApp)
            #expect(dispatcher.state.authorization == allowed)
        }
        let off = NotificationEventDispatcher(
            presenter: CountingPresenter(),
            settings: { LocalNotificationSettings(enabled: false) },
            time: ManualClock()
        )
        #expect(await off.receive(push("a"), of: "pc") == .dropped)
        #expect(off.state.unread == 0)
    }

    @Test("the dispatcher follows a computer until it is stopped; starting and stopping twice is once")
    func startAndStop() async throws {
        let outlet = ScriptedOutlet()
        let computer = Self.telling(outlet)
        let dispatcher = NotificationEventDispatcher(presenter: CountingPresenter(), time: ManualClock())
        var accepted = dispatcher.accepted().makeAsyncIterator()
        try await dispatcher.start(computer)
        try await dispatcher.start(computer)
        #expect(dispatcher.state.isRunning)
        #expect(computer.readers == 1)
        try await outlet.send(.notificationReceived, push("a").members, to: "phone")
        #expect(await accepted.next()?.id == "a")
        await dispatcher.stop()
        await dispatcher.stop()
        #expect(!dispatcher.state.isRunning)
        try await dispatcher.start(computer)
        try await outlet.send(.notificationReceived, push("a").members, to: "phone")
        try await outlet.send(.notificationReceived, push("b").members, to: "phone")
        // The first is a repeat, also after the new start.
        #expect(await accepted.next()?.id == "b")
        await dispatcher.stop()
    }

    @Test("the dispatcher ends with the computer's events, and can be started again")
    func eventsEnd() async throws {
        let outlet = ScriptedOutlet()
        let dispatcher = NotificationEventDispatcher(presenter: CountingPresenter(), time: ManualClock())
        // Its events are over at once, as those of a computer that is forgotten.
        try await dispatcher.start(ScriptedPeer(answering: [:]))
        for await state in dispatcher.states() where !state.isRunning { break }
        var accepted = dispatcher.accepted().makeAsyncIterator()
        try await dispatcher.start(Self.telling(outlet))
        #expect(dispatcher.state.isRunning)
        try await outlet.send(.notificationReceived, push("a").members, to: "phone")
        #expect(await accepted.next()?.id == "a")
        await dispatcher.stop()
    }

    @Test("a dispatcher that is stopped while it starts does not run")
    func stoppedWhileStarting() async throws {
        let presenter = AskedPresenter()
        let dispatcher = NotificationEventDispatcher(presenter: presenter, time: ManualClock())
        presenter.whenAsked.withLock { $0 = { await dispatcher.stop() } }
        try await dispatcher.start(Self.telling(ScriptedOutlet()))
        #expect(!dispatcher.state.isRunning)
    }

    private final class AskedPresenter: NotificationPresenter {
        let whenAsked = Mutex<(@Sendable () async -> Void)?>(nil)

        func authorization() async -> NotificationAuthorization {
            await whenAsked.withLock(\.self)?()
            return .authorized
        }

        func present(_ banners: [NotificationBanner]) async {}
        func withdraw(_ ids: [KeptNotification.ID]) async {}
    }

    /// A computer that tells what goes out to one device.
    private static func telling(_ outlet: ScriptedOutlet) -> ScriptedPeer {
        ScriptedPeer(id: "pc", events: { outlet.stream(to: "phone") })
    }
}
