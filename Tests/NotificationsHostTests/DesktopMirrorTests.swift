import CommandServer
import Commands
import FeatureTesting
import Kernel
import KernelTesting
import Notifications
import Testing

@testable import NotificationsHost

@Suite("Notifications: the desktop and the history", .timeLimit(.minutes(1)))
struct DesktopMirrorTests {
    private let source = ScriptedSource()
    private let computer: Computer
    private let events: AsyncStream<NotificationEvent>
    private let running: Task<Void, Never>

    init() async throws {
        let computer = try Computer(services: .init(source: source))
        self.computer = computer
        try await computer.pair()
        let told = computer.outlet.stream(to: Caller.bo.id)
        let (events, continuation) = AsyncStream.makeStream(of: NotificationEvent.self)
        self.events = events
        running = Task { [computer] in
            await withDiscardingTaskGroup { group in
                group.addTask { await computer.skill.run() }
                group.addTask {
                    for await event in told { NotificationEvent(event).map { _ = continuation.yield($0) } }
                }
            }
        }
        await source.tell(.available(canAct: true, reason: nil))
    }

    private func shown(
        _ id: UInt32 = 7,
        title: String = "Mail",
        key: String? = nil,
        takesAnswers: Bool = true
    ) async -> RemoteNotification? {
        await source.tell(
            .shown(
                SourceNotification(
                    id: id,
                    program: "Thunderbird",
                    title: title,
                    body: "from Bo",
                    key: key,
                    actions: takesAnswers ? [NotificationAction(id: "open", label: "Open")] : [],
                    canReply: takesAnswers,
                    picture: [1, 2]
                )
            )
        )
        return await next()
    }

    private func next() async -> RemoteNotification? {
        for await event in events {
            switch event.kind {
            case .received(let notification), .changed(let notification): return notification
            case .deleted: return nil
            }
        }
        return nil
    }

    private func end() async {
        running.cancel()
        await running.value
        await computer.skill.close()
    }

    @Test(
        "the answer says whether a desktop shows it: Tandem's own service, which stands in without one, shows nothing",
        arguments: [true, false]
    )
    func seen(isSeen: Bool) async throws {
        await source.tell(.available(canAct: true, reason: nil, isSeen: isSeen))
        // Told behind it, so that it is known by then.
        _ = try #require(await shown())
        let answer = try await computer.skill.call("notification.send", ["title": "Tea", "body": ""])
        #expect(answer["shown"] == .bool(isSeen))
        await end()
    }

    @Test("what a phone has read leaves the desktop")
    func readOnPhone() async throws {
        let notification = try #require(await shown(takesAnswers: false))
        _ = try await computer.skill.call("notification.markAsRead", ["notificationId": .string(notification.id)])
        #expect(await source.acts(1) == [.closed(7)])
        // Its end, which follows from that, changes nothing.
        await source.tell(.closed(7, .withdrawn))
        #expect(await next()?.isRead == true)
        await end()
    }

    @Test("a mark of all closes what is on the desktop one after the other")
    func allRead() async throws {
        for id in 1...15 { _ = await shown(UInt32(id), takesAnswers: false) }
        _ = try await computer.skill.call("notification.markAllAsRead")
        #expect(await source.acts(15) == (1...15).map { .closed(UInt32($0)) })
        #expect(source.mostClosings == 1)
        await end()
    }

    @Test("one with buttons and a picture can be pressed once it is read, and leaves the desktop when it is deleted")
    func readAndPressed() async throws {
        let notification = try #require(await shown())
        #expect(notification.program == "Thunderbird")
        #expect(notification.actions == [NotificationAction(id: "open", label: "Open")])
        #expect(notification.canReply)
        #expect(notification.hasImage)
        let id = JSONValue.string(notification.id)
        #expect(try await computer.skill.call("notification.image", ["notificationId": id])["image"] == "AQI=")
        _ = try await computer.skill.call("notification.markAsRead", ["notificationId": id])
        #expect(await next()?.isRead == true)
        _ = try await computer.skill.call("notification.act", ["notificationId": id, "action": "open"])
        let other = JSONValue.string(try #require(await shownUnread(8)).id)
        _ = try await computer.skill.call("notification.markAsRead", ["notificationId": other])
        _ = try await computer.skill.call("notification.delete", ["notificationId": other])
        #expect(await source.acts(3) == [.acted(7, "open", nil), .closed(7), .closed(8)])
        await end()
    }

    @Test("closed by the person is read; expired stays unread; taken back by its program is over: read")
    func ends() async throws {
        let first = try #require(await shown(1))
        await source.tell(.closed(1, .dismissed))
        let read = try #require(await next())
        #expect(read.id == first.id)
        #expect(read.isRead)
        #expect(await next()?.actions == [])
        _ = await shown(2, title: "Two")
        await source.tell(.closed(2, .expired))
        let expired = try #require(await next())
        #expect(!expired.isRead)
        #expect(expired.actions.isEmpty)
        _ = await shown(3, title: "Three")
        await source.tell(.closed(3, .withdrawn))
        let withdrawn = try #require(await next())
        #expect(withdrawn.isRead)
        #expect(await next()?.canReply == false)
        await end()
    }

    @Test("one that takes the place of another under its id or key is the same row")
    func replacing() async throws {
        let first = try #require(await shown(1))
        #expect(await shown(1, title: "Two mails")?.id == first.id)
        let keyed = try #require(await shown(2, title: "Volume 10", key: "volume"))
        #expect(keyed.id != first.id)
        #expect(await shown(3, title: "Volume 20", key: "volume")?.id == keyed.id)
        #expect(try await computer.titles() == ["Volume 20", "Two mails"])
        await end()
    }

    @Test("a button and an answer go back; what is not offered, or not there any more, is refused with the reason")
    func acting() async throws {
        let notification = try #require(await shown())
        let id = JSONValue.string(notification.id)
        _ = try await computer.skill.call("notification.act", ["notificationId": id, "action": "open"])
        #expect(await source.acts(1).first == .acted(7, "open", nil))
        #expect(try await computer.history().notifications[0].isRead)
        #expect(try await computer.history().notifications[0].actions == [])
        let gone: JSONValue = ["notificationId": id, "action": "open"]
        #expect(try await computer.skill.refusal("notification.act", gone)?.code == FailureCode.unsupported)
        let other = JSONValue.string(try #require(await shownUnread(8)).id)
        let unknown: JSONValue = ["notificationId": other, "action": "format"]
        #expect(try await computer.skill.refusal("notification.act", unknown)?.message.contains("action") == true)
        source.refuse()
        let refused: JSONValue = ["notificationId": other, "text": "later"]
        #expect(
            try await computer.skill.refusal("notification.act", refused)?.message.contains("Answer it at the computer")
                == true
        )
        await end()
    }

    @Test("a press and a mark that come as soon as a phone is told reach the desktop")
    func atOnce() async throws {
        var expected: [ScriptedSource.Act] = []
        for number in UInt32(1)...16 {
            let isPress = number.isMultiple(of: 2)
            let found = await shown(number, title: "Mail \(number)", takesAnswers: isPress)
            var notification = try #require(found)
            while notification.title != "Mail \(number)" { notification = try #require(await next()) }
            let id = JSONValue.string(notification.id)
            if isPress {
                _ = try await computer.skill.call("notification.act", ["notificationId": id, "action": "open"])
                expected.append(.acted(number, "open", nil))
            } else {
                _ = try await computer.skill.call("notification.markAsRead", ["notificationId": id])
            }
            expected.append(.closed(number))
            #expect(await source.acts(expected.count) == expected)
        }
        await end()
    }

    /// The next that is new: what was read before is told in between.
    private func shownUnread(_ id: UInt32) async -> RemoteNotification? {
        var notification = await shown(id, title: "Other")
        while notification?.title != "Other" { notification = await next() }
        return notification
    }

    @Test("the next text of a row takes the place of a banner that is only just being shown, and so does its end")
    func oneBanner() async throws {
        let row = try #require(await computer.say("one", by: "phone")).notification.id
        let (one, two) = (
            DesktopBanner(title: "one", body: "", priority: .normal),
            DesktopBanner(title: "two", body: "", priority: .normal)
        )
        await computer.skill.mirror.show(one, for: row)
        #expect(await source.acts(1) == [.shown(one, nil)])
        await computer.skill.mirror.show(two, for: row)
        #expect(await source.acts(2).last == .shown(two, 900))
        _ = try await computer.store.write(.delete([row], by: .owner))
        #expect(await source.acts(3).last == .closed(900))
        await end()
    }

    @Test("of two presses at one time the first is done, and the other is refused")
    func pressedTwice() async throws {
        let id = JSONValue.string(try #require(await shown()).id)
        let press: JSONValue = ["notificationId": id, "action": "open"]
        let skill = computer.skill
        async let first = skill.refusal("notification.act", press)
        async let second = skill.refusal("notification.act", press)
        let refusals = try await [first, second].compactMap(\.self)
        #expect(refusals.map(\.code) == [FailureCode.unsupported])
        #expect(await source.acts(2) == [.acted(7, "open", nil), .closed(7)])
        await end()
    }

    @Test("another service knows no ids of before, so nothing of before can be pressed")
    func anotherService() async throws {
        let notification = try #require(await shown())
        await source.tell(.unavailable(reason: "The session's bus has gone."))
        #expect(await next()?.actions == [])
        let press: JSONValue = ["notificationId": .string(notification.id), "action": "open"]
        #expect(try await computer.skill.refusal("notification.act", press)?.message.contains("bus has gone") == true)
        let sources = try await computer.skill.call("notification.sources")
        #expect(sources["available"] == false)
        #expect(sources["reason"] == "The session's bus has gone.")
        await end()
    }

    @Test("while the desktop is not mirrored, or its program is switched off, nothing of it is kept")
    func notMirrored() async throws {
        // What is replaced by one that is not told has no buttons any more: they would answer another question.
        let before = try #require(await shown(1))
        try await computer.set { $0.mirrorsDesktop = false }
        await source.tell(.shown(SourceNotification(id: 1, program: "a", title: "no", body: "")))
        #expect(await next()?.actions == [])
        await source.tell(.unavailable(reason: "over"))
        while !Task.isCancelled, try await computer.skill.call("notification.sources")["reason"] != "over" {
            await Task.yield()
        }
        #expect(try await computer.titles() == [before.title])
        await end()
    }
}
