import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Notifications
import Testing

@testable import NotificationsHost

@Suite("Notifications: what becomes of each", .timeLimit(.minutes(1)))
struct NotificationCentreTests {
    @Test("a program's flood is counted in one row that alerts once, and others pass")
    func flood() async throws {
        let computer = try Computer()
        try await computer.pair()
        for number in 1...100 { try await computer.say("n\(number)", by: "loud") }
        try await computer.say("quiet one", by: "quiet")
        let history = try await computer.history(.init(limit: 100))
        #expect(history.total == 22)
        #expect(history.notifications[0].title == "quiet one")
        #expect(history.notifications[1].title == "1 more from loud")
        let alert = history.notifications[1].alert
        // The count is written down once a second.
        await computer.time.sleepers(1)
        computer.time.advance(by: .seconds(1))
        var title = ""
        while title != "80 more from loud" { title = try await computer.titles(.init(limit: 1, offset: 1))[0] }
        #expect(try await computer.history().notifications[1].alert == alert)
        // One a second passes.
        try await computer.say("n101", by: "loud")
        #expect(try await computer.titles(.init(limit: 1)) == ["n101"])
        // When it was still for long enough, the next flood alerts again.
        computer.time.advance(by: .seconds(60))
        for number in 200...220 { try await computer.say("n\(number)", by: "loud") }
        let newest = try #require(await computer.history().notifications.first)
        #expect(newest.title == "1 more from loud")
        #expect(newest.alert ?? 0 > alert ?? 0)
        await computer.skill.close()
    }

    @Test("a program that takes another name for every notification begins no flood twice")
    func manyNames() async throws {
        let computer = try Computer()
        try await computer.pair()
        // Names that are told apart.
        for number in 0..<ProgramFloods.limit { try await computer.say("n", by: "p\(number)") }
        func round() async throws -> Int64 {
            for number in 0..<ProgramFloods.limit + 44 { try await computer.say("n", by: "x\(number)") }
            return try await computer.history(.init(limit: 100)).notifications.compactMap(\.alert).max() ?? 0
        }
        let first = try await round()
        #expect(try await round() == first)
        #expect(try await round() == first)
        // After an hour there is room for others.
        computer.time.advance(by: .seconds(3601))
        for number in 0..<30 { try await computer.say("n\(number)", by: "new") }
        #expect(try await computer.history().notifications.first?.title == "1 more from new")
        await computer.skill.close()
    }

    @Test("a flood's row that a person deleted stays away until the next flood, also while its count waits")
    func deletedFlood() async throws {
        let computer = try Computer()
        try await computer.pair()
        func floodRows() async throws -> [RemoteNotification] {
            try await computer.history(.init(limit: 100)).notifications.filter { $0.title.hasSuffix("more from loud") }
        }
        for number in 1...30 { try await computer.say("n\(number)", by: "loud") }
        let row = try #require(await floodRows().first)
        _ = try await computer.store.write(.delete([row.id], by: .owner))
        // The nine that came since are not written down a second later.
        await computer.time.sleepers(1)
        computer.time.advance(by: .seconds(1))
        await computer.time.sleepers(1)
        #expect(try await floodRows().isEmpty)
        // One a second passes; the next is of the same flood, while its count is looked at and later.
        for _ in 0..<3 {
            #expect(try await computer.say("passes", by: "loud") != nil)
            #expect(try await computer.say("counted", by: "loud") == nil)
            #expect(try await floodRows().isEmpty)
            computer.time.advance(by: .seconds(1))
        }
        computer.time.advance(by: .seconds(60))
        for number in 1...21 { try await computer.say("m\(number)", by: "loud") }
        let next = try #require(await floodRows().first)
        #expect(next.title == "1 more from loud")
        #expect(next.id != row.id)
        await computer.skill.close()
    }

    @Test("texts of one row are no flood: the last one counts and alerts where it may, and others of its program pass")
    func progress() async throws {
        let computer = try Computer()
        let first = try #require(await computer.say("Copying", by: "Files", key: "copy", progress: 0))
        for percent in 1...98 { try await computer.say("Copying", by: "Files", key: "copy", progress: percent) }
        try await computer.say("Disk is nearly full", by: "Files")
        #expect(try await computer.titles() == ["Disk is nearly full", "Copying"])
        #expect(try await computer.history().notifications[1].progress ?? 0 >= 20)
        try await computer.say("Copied", by: "Files", key: "copy")
        // The newest is written down once a second.
        await computer.time.sleepers(1)
        computer.time.advance(by: .seconds(1))
        var titles: [String] = []
        while titles.count != 2 || titles[0] != "Copied" { titles = try await computer.titles() }
        #expect(titles == ["Copied", "Disk is nearly full"])
        let copied = try await computer.history().notifications[0]
        #expect(copied.id == first.notification.id)
        #expect(copied.progress == nil)
        #expect(copied.alert ?? 0 > first.alert)
        await computer.skill.close()
    }

    @Test("texts of one row that alert take nothing from what its program may say besides")
    func songs() async throws {
        let computer = try Computer()
        for number in 1...50 { try await computer.say("Song \(number)", by: "Player", key: "now playing") }
        // The row itself was one of the twenty that a program may say at once.
        for number in 1...19 { try await computer.say("n\(number)", by: "Player") }
        let titles = try await computer.titles(.init(limit: 100))
        #expect(titles.count == 20)
        #expect(Set(titles).isSuperset(of: (1...19).map { "n\($0)" }))
        await computer.skill.close()
    }

    @Test("the text that waits for its second is written down at the end, and brings back no row that was deleted")
    func lastText() async throws {
        let computer = try Computer()
        var ids: [String] = []
        for key in ["kept", "deleted"] {
            for percent in 0...50 {
                let row = try await computer.say("\(key)", by: "Files", key: key, progress: percent)
                ids.append(try #require(row).notification.id)
            }
        }
        #expect(Set(ids).count == 2)
        _ = try await computer.skill.call("notification.delete", ["id": .string(ids[ids.count - 1])])
        await computer.skill.centre.close()
        let list = try await computer.history().notifications
        #expect(list.map(\.title) == ["kept"])
        #expect(list.map(\.progress) == [50])
        await computer.skill.close()
    }

    @Test("programs that make up names share one bucket when there are too many of them")
    func manyNames() {
        var floods = ProgramFloods()
        var passed = 0
        for number in 0..<100_000 where floods.take("p\(number)", now: 0) == .passes { passed += 1 }
        #expect(passed == ProgramFloods.limit + Int(ProgramFloods.burst))
        #expect(floods.take("p1", now: 60_000_000_000) == .passes)
        #expect(floods.take("new", now: 60_000_000_000) == .passes)
    }

    @Test(
        "quiet hours are the computer's local time, also where clocks change; urgent passes where the person says so",
        arguments: [
            // The last minute before, the first of it, the last of it, the first after; across midnight.
            ("Europe/Berlin", "2026-03-28T20:59:59Z", false), ("Europe/Berlin", "2026-03-28T21:00:00Z", true),
            // Clocks go from 2 to 3 on the 29th.
            ("Europe/Berlin", "2026-03-29T04:59:59Z", true), ("Europe/Berlin", "2026-03-29T05:00:00Z", false),
            ("Asia/Kathmandu", "2026-06-01T16:15:00Z", true), ("Asia/Kathmandu", "2026-06-01T16:14:59Z", false),
            ("America/St_Johns", "2026-11-02T00:30:00Z", false), ("America/St_Johns", "2026-11-02T01:30:00Z", true),
        ]
    )
    func quietHours(zone: String, date: String, isQuiet: Bool) async throws {
        let timeZone = try #require(TimeZone(identifier: zone))
        let time = ManualClock(date: try Date(date, strategy: .iso8601))
        let computer = try Computer(services: .init(timeZone: { timeZone }), time: time)
        try await computer.set {
            $0.hasQuietHours = true
            $0.quietStart = TimeOfDay("22:00")
            $0.quietEnd = TimeOfDay("07:00")
        }
        #expect(try await computer.say("n", by: "a")?.notification.isSilenced == isQuiet)
        #expect(try await computer.say("n", by: "c", priority: .urgent)?.notification.isSilenced == isQuiet)
        try await computer.set { $0.urgentPasses = true }
        #expect(try await computer.say("n", by: "b", priority: .urgent)?.notification.isSilenced == false)
        // Silenced ones are unread in the history.
        #expect(try await computer.history().unreadCount == 3)
        let sent = try await computer.skill.call(
            "notification.send",
            ["title": "now", "body": "", "respectQuietHours": false]
        )
        #expect(sent["silenced"] == false)
        // The beginning is the end: all day.
        try await computer.set { $0.quietEnd = TimeOfDay("22:00") }
        #expect(try await computer.say("n", by: "d")?.notification.isSilenced == true)
    }

    @Test("while notifications or a program are switched off, nothing is kept")
    func off() async throws {
        let computer = try Computer()
        _ = try await computer.skill.call("notification.setSource", ["app": "loud", "allowed": false])
        #expect(try await computer.say("n", by: "loud") == nil)
        #expect(try await computer.say("n", by: "quiet") != nil)
        let sources = try await ScriptedPeer(computer.skill).call(NotificationMethods.sources)
        #expect(sources.programs.map(\.name) == ["quiet", "loud"])
        #expect(sources.programs.map(\.isAllowed) == [true, false])
        #expect(sources.programs.map(\.count) == [1, 0])
        #expect(!sources.isAvailable)
        #expect(sources.reason?.isEmpty == false)
        _ = try await computer.skill.call("notification.setSource", ["app": "loud", "allowed": true])
        #expect(try await computer.say("n", by: "loud") != nil)
        _ = try await computer.skill.call("notification.updateSettings", ["enabled": false])
        #expect(try await computer.say("n", by: "quiet") == nil)
        let sent = try await computer.skill.call("notification.send", ["title": "x", "body": ""])
        #expect(sent["success"] == false)
        #expect(sent["error"]?.stringValue?.contains("switched off") == true)
        #expect(try await computer.history().total == 2)
    }

    @Test("what a program says is brought within the bounds")
    func bounds() {
        let row = NewNotificationRow(
            title: String(repeating: "ä", count: 1000),
            body: String(repeating: "x", count: 1 << 20),
            program: String(repeating: "p", count: 1000),
            key: String(repeating: "k", count: 300),
            data: Dictionary(uniqueKeysWithValues: (0..<100).map { ("\($0)", "v") })
                .merging(["long": String(repeating: "v", count: 5000)]) { $1 },
            icon: String(repeating: "i", count: 300),
            progress: 101
        ).bounded
        #expect(row.title.utf8.count <= NotificationLimits.title)
        #expect(row.body.utf8.count <= NotificationLimits.body)
        #expect(row.program.utf8.count <= NotificationLimits.name)
        #expect(row.key == nil)
        #expect(row.icon == nil)
        #expect(row.data.count == NotificationLimits.data)
        #expect(row.data["long"] == nil)
        #expect(row.progress == 100)
        #expect(NewNotificationRow(title: " ", body: "", program: "mail").bounded.title == "mail")
        #expect(NewNotificationRow(title: "", body: "").bounded.title == "Tandem")
    }

    @Test("what a feature announces is told as its speaker's notification")
    func announcements() async throws {
        let computer = try Computer()
        try await computer.pair()
        let told = computer.outlet.stream(to: Caller.ada.id)
        let running = Task { await computer.skill.run() }
        // Each hour's work sleeps once everything listens.
        await computer.time.sleepers(1)
        computer.announcements.announce(
            Announcement(
                speaker: "Codex",
                key: "thread:1",
                title: "Build the engine",
                body: "done",
                urgency: .high,
                data: ["threadId": "1"]
            )
        )
        let event = try #require(await Computer.events(1, of: told).first)
        guard case .received(let notification) = event.kind else { Issue.record("\(event)"); return }
        #expect(notification.program == "Codex")
        #expect(notification.title == "Build the engine")
        #expect(notification.priority == .high)
        #expect(notification.data == ["threadId": "1"])
        running.cancel()
        await running.value
        await computer.skill.close()
    }
}
