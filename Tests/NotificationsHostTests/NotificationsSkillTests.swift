import Capabilities
import CommandServer
import Commands
import Control
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Notifications
import Rights
import Testing

@testable import NotificationsHost

@Suite("Notifications: a computer's methods", .timeLimit(.minutes(1)))
struct NotificationsSkillTests {
    @Test(
        "a sent one has the documented answer, is told to other phones, shown here, and shows no banner on its sender"
    )
    func send() async throws {
        let source = ScriptedSource()
        let computer = try Computer(services: .init(source: source))
        try await computer.pair()
        let ada = computer.outlet.stream(to: Caller.ada.id)
        let bo = computer.outlet.stream(to: Caller.bo.id)
        let answer = try await computer.skill.call(
            "notification.send",
            ["title": "Tea", "body": "is <b>ready</b>", "priority": "high", "icon": "tea"]
        )
        let id = try #require(answer["notificationId"]?.stringValue)
        #expect(answer["success"] == true)
        #expect(answer["id"] == answer["notificationId"])
        #expect(answer["silenced"] == false)
        #expect(answer["timestamp"]?.integerValue == computer.time.date.millisecondsSince1970)
        guard case .received(let own) = try #require(await Computer.events(1, of: ada).first).kind,
            let event = await Computer.events(1, of: bo).first, case .received(let other) = event.kind
        else { Issue.record("not told"); return }
        #expect(own.isSilenced)
        #expect(!other.isSilenced)
        #expect(other.id == id)
        #expect(other.body == "is <b>ready</b>")
        #expect(other.origin == .phone)
        #expect(other.program == "Ada's phone")
        #expect(event.sequence == 1)
        #expect(event.unreadCount == 1)
        #expect(
            await source.acts(1) == [
                .shown(
                    DesktopBanner(title: "Tea", body: "is <b>ready</b>", priority: .high, sender: "Ada's phone"),
                    nil
                )
            ]
        )
        let item = try #require(
            try await computer.skill.call("notification.getHistory")["notifications"]?.arrayValue?.first
        )
        #expect(item["source"] == "mobile")
        #expect(item["read"] == false)
        #expect(item["createdAt"]?.integerValue == computer.time.date.millisecondsSince1970)
        // Existing programs' name for it.
        #expect(try await computer.skill.call("system.notify", ["title": "x", "message": "y"])["success"] == true)
        await computer.skill.close()
    }

    @Test("an event's members are the documented ones, for a phone that only knows these")
    func documented() async throws {
        let computer = try Computer()
        try await computer.pair(catchesUp: false)
        let row = try #require(await computer.say("Build", by: "make", priority: .high, body: "finished"))
        _ = try await computer.store.write(.read([row.notification.id], by: .owner))
        var kept = computer.outlet.kept
        while !Task.isCancelled, kept.count < 2 {
            await Task.yield()
            kept = computer.outlet.kept
        }
        // What was read is no event of theirs.
        #expect(kept.map(\.event.name) == ["notification.received", "notification.received"])
        let members = kept[0].event.members
        #expect(members["notificationId"] == .string(row.notification.id))
        #expect(members["title"] == "Build")
        #expect(members["body"] == "finished")
        #expect(members["priority"] == "high")
        #expect(members["source"] == "pc")
        #expect(members["silenced"] == false)
        #expect(members["timestamp"] == .integer(row.notification.createdAt))
        #expect(computer.outlet.events.isEmpty)
        await computer.skill.close()
        #expect(try await computer.read(deliveriesOf: row).count == 2)
    }

    @Test("sendToMobile goes to one phone alone, broadcast to all, and both count")
    func forwarding() async throws {
        let computer = try Computer()
        try await computer.pair()
        let one = try await computer.skill.call(
            "notification.sendToMobile",
            ["title": "Hi", "body": "Bo", "deviceId": .string(Caller.bo.id), "data": ["a": "b"]]
        )
        #expect(one["success"] == true)
        #expect(one["delivered"] == true)
        #expect(one["deviceId"] == .string(Caller.bo.id))
        #expect(try await computer.titles() == [])
        #expect(try await computer.history(as: .bo).notifications.first?.data == ["a": "b"])
        let all = try await computer.skill.call("notification.broadcast", ["title": "Hi", "body": "all"])
        // The sender is none of them.
        #expect(all["deliveredCount"] == 1)
        #expect(all["failedCount"] == 0)
        let owners = try await computer.skill.call(
            "notification.broadcast",
            ["title": "Hi", "body": "all"],
            as: NotificationOwner.caller
        )
        #expect(owners["deliveredCount"] == 2)
        let unknown = try await computer.skill.call(
            "notification.sendToMobile",
            ["title": "Hi", "body": "", "deviceId": "did:key:other"]
        )
        #expect(unknown["success"] == false)
        #expect(unknown["delivered"] == false)
        #expect(unknown["error"]?.stringValue?.contains("deviceId") == true)
        let both = try await computer.skill.call(
            "notification.sendToMobile",
            ["title": "Hi", "body": "", "targetDevices": ["Ada's Phone", "nobody"]]
        )
        #expect(both["deliveredCount"] == 1)
        #expect(both["failedCount"] == 1)
        await computer.skill.close()
    }

    @Test("phones that only know the documented wire and are away are counted as failed, others as kept")
    func failed() async throws {
        let computer = try Computer()
        try await computer.pair(catchesUp: false, keepsEvents: false)
        computer.outlet.leave(Caller.bo.id)
        let answer = try await computer.skill.call(
            "notification.broadcast",
            ["title": "Hi", "body": ""],
            as: NotificationOwner.caller
        )
        #expect(answer["deliveredCount"] == 1)
        #expect(answer["failedCount"] == 1)
        try await computer.pair(catchesUp: false)
        let kept = try await computer.skill.call(
            "notification.broadcast",
            ["title": "Hi", "body": ""],
            as: NotificationOwner.caller
        )
        #expect(kept["deliveredCount"] == 2)
        computer.outlet.pair([])
        let none = try await computer.skill.call("notification.sendToMobile", ["title": "Hi", "body": ""])
        #expect(none["success"] == false)
        #expect(none["delivered"] == false)
        await computer.skill.close()
    }

    @Test("marks: an id marks that one alone, a deleted one is known, one that never was is NOT_FOUND")
    func marks() async throws {
        let computer = try Computer()
        let first = try #require(await computer.say("a")).notification.id
        try await computer.say("b")
        let marked = try await computer.skill.call("notification.markAsRead", ["notificationId": .string(first)])
        #expect(marked["success"] == true)
        #expect(marked["markedCount"] == 1)
        #expect(try await computer.skill.call("notification.getUnreadCount")["count"] == 1)
        #expect(try await computer.skill.call("notification.markAsRead", ["id": .string(first)])["markedCount"] == 0)
        #expect(
            try await computer.skill.call("notification.delete", ["notificationId": .string(first)])["success"] == true
        )
        #expect(
            try await computer.skill.call("notification.delete", ["notificationId": .string(first)])["success"] == true
        )
        let never = try await computer.skill.call("notification.delete", ["notificationId": "never"])
        #expect(never["success"] == false)
        #expect(never["error"] == "NOT_FOUND")
        #expect(try await computer.skill.call("notification.markAllAsRead")["markedCount"] == 1)
        computer.time.advance(by: .seconds(10))
        try await computer.say("c")
        let date = computer.time.date.millisecondsSince1970
        #expect(try await computer.skill.call("notification.clearHistory", ["type": "mobile"])["clearedCount"] == 0)
        #expect(
            try await computer.skill.call("notification.clearHistory", ["before": .integer(date)])["clearedCount"] == 1
        )
        #expect(try await computer.titles() == ["c"])
        #expect(try await computer.skill.call("notification.clearAll")["clearedCount"] == 1)
    }

    @Test(
        "the types of existing programs are known: app is everything that says no other, and nothing here is of another"
    )
    func foreignTypes() async throws {
        let computer = try Computer()
        try await computer.say("a")
        for type in ["system", "message", "reminder", "alert", "tv"] {
            let cleared = try await computer.skill.call("notification.clearHistory", ["type": .string(type)])
            #expect(cleared["success"] == true && cleared["clearedCount"] == 0, "\(type)")
        }
        #expect(try await computer.titles() == ["a"])
        #expect(try await computer.skill.call("notification.clearHistory", ["type": "app"])["clearedCount"] == 1)
        #expect(try await computer.titles().isEmpty)
    }

    @Test("settings are flat and nested, and times that do not fit are refused by name")
    func settings() async throws {
        let computer = try Computer()
        let saved = try await computer.skill.call(
            "notification.updateSettings",
            ["quietHours": ["enabled": true, "start": "23:00", "end": "06:30"]]
        )
        #expect(saved["settings"]?["quietHoursStart"] == "23:00")
        let settings = try await computer.skill.call("notification.getSettings")
        #expect(settings["quietHoursEnabled"] == true)
        #expect(settings["quietHours"]?["end"] == "06:30")
        #expect(settings["success"] == nil)
        for (params, field) in [
            (["quietHoursStart": "24:00"], "quietHoursStart"), (["quietHoursEnd": "7:00"], "quietHoursEnd"),
            (["historyLimit": 5], "historyLimit"), ([:], "enabled"),
        ] as [(JSONValue, String)] {
            let refusal = try await computer.skill.refusal("notification.updateSettings", params)
            #expect(refusal?.message.contains(field) == true)
        }
    }

    @Test("quiet hours without an end are refused, and nothing of the change is kept")
    func halfSettings() async throws {
        let computer = try Computer()
        let refusal = try await computer.skill.refusal(
            "notification.updateSettings",
            ["quietHoursEnabled": true, "quietHoursStart": "22:00"]
        )
        #expect(refusal?.message.contains("quietHoursEnd") == true)
        #expect(computer.store.settings == NotificationSettings())
    }

    @Test("quiet hours that are switched on and were never set are from 22:00 to 08:00")
    func usualHours() async throws {
        let computer = try Computer()
        let saved = try await computer.skill.call("notification.updateSettings", ["quietHoursEnabled": true])
        #expect(saved["settings"]?["quietHoursStart"] == "22:00")
        #expect(saved["settings"]?["quietHoursEnd"] == "08:00")
        #expect(computer.store.settings.quietHours == .usual)
        // What was set once stays so while they are off.
        let set: JSONValue = ["quietHoursEnabled": false, "quietHoursStart": "21:00", "quietHoursEnd": "07:00"]
        _ = try await computer.skill.call("notification.updateSettings", set)
        let again = try await computer.skill.call("notification.updateSettings", ["quietHours": ["enabled": true]])
        #expect(again["settings"]?["quietHours"]?["start"] == "21:00")
    }

    @Test(
        "bad parameters are refused by the field's name",
        arguments: [
            ("notification.send", ["title": "", "body": ""], "title"),
            ("notification.send", ["title": " \n", "body": ""], "title"),
            ("notification.send", ["title": 1, "body": ""], "title"),
            ("notification.send", ["title": "x", "body": .string(String(repeating: "x", count: 1 << 20))], "body"),
            ("notification.send", ["title": "x", "body": "", "data": ["a": 1]], "data"),
            ("notification.sendToMobile", ["title": "x", "body": "", "deviceId": 7], "deviceId"),
            ("notification.broadcast", ["body": "x"], "title"),
            ("notification.getHistory", ["limit": "many"], "limit"),
            ("notification.getHistory", ["before": ["x"]], "before"),
            ("notification.markAsRead", [:], "notificationId"),
            ("notification.markAsRead", ["notificationId": ""], "notificationId"),
            ("notification.markAllAsRead", ["upTo": -1], "upTo"),
            ("notification.delete", ["ids": [1]], "ids"),
            ("notification.clearAll", ["upTo": "x"], "upTo"),
            ("notification.clearHistory", ["before": -5], "before"),
            ("notification.clearHistory", ["type": 7], "type"),
            ("notification.sync", ["after": -1], "after"),
            ("notification.sync", ["epoch": 1], "epoch"),
            ("notification.image", ["notificationId": 3], "notificationId"),
            ("notification.setSource", ["app": "x"], "allowed"),
            ("notification.setSource", ["allowed": true], "app"),
            ("notification.act", ["notificationId": "x"], "action"),
            ("notification.registerPush", ["endpoint": ""], "endpoint"),
            ("system.notify", ["message": "x"], "title"),
        ] as [(String, JSONValue, String)]
    )
    func hostile(method: String, params: JSONValue, field: String) async throws {
        let computer = try Computer(services: .init(pusher: RecordingPusher()))
        let refusal = try #require(await computer.skill.refusal(method, params))
        #expect(refusal.code == FailureCode.badParameters)
        #expect(refusal.message.contains(field))
        #expect(try await computer.rows() == 0)
    }

    @Test("what is only counted with many is not said to be shown")
    func counted() async throws {
        let computer = try Computer()
        for _ in 0..<Int(ProgramFloods.burst) {
            #expect(try await computer.skill.call("notification.send", ["title": "t"])["success"] == true)
        }
        let sent = try await computer.skill.call("notification.send", ["title": "t"])
        #expect(sent["success"] == false && sent["notificationId"] == nil)
        #expect(sent["error"]?.stringValue?.contains("only counted") == true)
        #expect(try await computer.history().total == Int(ProgramFloods.burst) + 1)
        await computer.skill.close()
    }

    @Test("unknown priorities are normal, and limits and offsets are brought into range")
    func liberal() async throws {
        let computer = try Computer()
        _ = try await computer.skill.call("notification.send", ["title": "x", "message": "y", "priority": "panic"])
        let page = try await computer.skill.call("notification.getHistory", ["limit": -3, "offset": -9])
        #expect(page["notifications"]?.arrayValue?.first?["priority"] == "normal")
        #expect(page["notifications"]?.arrayValue?.first?["body"] == "y")
        #expect(page["total"] == 1)
    }

    @Test("ids of another's notification are as unknown as any")
    func others() async throws {
        let computer = try Computer()
        let row = try #require(await computer.say("for Bo", .init(image: [1], device: Caller.bo.id)))
        let id = JSONValue.string(row.notification.id)
        #expect(
            try await computer.skill.call("notification.markAsRead", ["notificationId": id])["error"] == "NOT_FOUND"
        )
        #expect(
            try await computer.skill.refusal("notification.image", ["notificationId": id])?.code == FailureCode.notFound
        )
        let press: JSONValue = ["notificationId": id, "action": "open"]
        #expect(try await computer.skill.refusal("notification.act", press)?.code == FailureCode.notFound)
        #expect(try await computer.skill.call("notification.image", ["notificationId": id], as: .bo)["image"] == "AQ==")
    }

    @Test("a phone that is away is woken once for each that wants to be noticed, and says only what it may")
    func pushes() async throws {
        let pusher = RecordingPusher()
        let computer = try Computer(services: .init(pusher: pusher))
        try await computer.pair()
        let bad: JSONValue = ["endpoint": "http://127.0.0.1/", "p256dh": "x", "auth": "x", "applicationKey": "x"]
        #expect(
            try await computer.skill.refusal("notification.registerPush", bad)?.message.contains("endpoint") == true
        )
        let good: JSONValue = [
            "endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x", "device": "studio",
        ]
        #expect(try await computer.skill.call("notification.registerPush", good)["success"] == true)
        let told = computer.outlet.stream(to: Caller.ada.id)
        try await computer.say("told", by: "a")
        #expect(await Computer.events(1, of: told).count == 1)
        computer.outlet.leave(Caller.ada.id)
        let row = try #require(await computer.say("Secret", by: "mail", body: "of Ada"))
        let payload = try #require(await pusher.payloads(1).first)
        #expect(payload["id"] == .string(row.notification.id))
        // By this the phone knows which computer it is of.
        #expect(payload["device"] == "studio")
        #expect(payload["title"] == "Secret")
        #expect(payload["body"] == "of Ada")
        // What wants no notice, and marks, wake no phone.
        try await computer.say("10 %", by: "copy", key: "k", progress: 10)
        try await computer.say("20 %", by: "copy", key: "k", progress: 20)
        _ = try await computer.store.write(.read([row.notification.id], by: .owner))
        try await computer.set { $0.showsPreview = false }
        pusher.answer(.gone)
        try await computer.say("Secret", by: "mail")
        let payloads = await pusher.payloads(3)
        #expect(payloads.map { $0["title"] } == ["Secret", "10 %", "mail"])
        #expect(payloads[2]["body"] == "")
        // It is over: the phone has to give another one.
        while !Task.isCancelled, computer.store.push(of: Caller.ada.id) != nil { await Task.yield() }
        await computer.skill.close()
    }

    @Test("a push service that refuses everything is named to the owner, until the phone gives another address")
    func refusedPushes() async throws {
        let pusher = RecordingPusher()
        let computer = try Computer(services: .init(pusher: pusher))
        try await computer.pair()
        var registration: [String: JSONValue] = [
            "endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x",
        ]
        _ = try await computer.skill.call("notification.registerPush", .object(registration))
        computer.outlet.leave(Caller.ada.id)
        pusher.answer(.failed)
        for count in 1...3 {
            #expect(await computer.skill.checks().map(\.name) == ["Notifications of programs"])
            try await computer.say("\(count)", by: "mail")
            _ = await pusher.payloads(count)
        }
        while !Task.isCancelled, await computer.skill.telling.unwakable().isEmpty { await Task.yield() }
        let check = await computer.skill.checks().last
        #expect(check?.name == "Waking phones")
        #expect(check?.works == false)
        #expect(check?.values?["phones"] == .string(Caller.ada.name))
        #expect(try await computer.skill.call("notification.getSettings")["pushRefused"] == true)
        #expect(try await computer.skill.call("notification.getSettings", as: .bo)["pushRefused"] == nil)
        registration["endpoint"] = "https://push.example/2"
        _ = try await computer.skill.call("notification.registerPush", .object(registration))
        #expect(await computer.skill.telling.unwakable().isEmpty)
        await computer.skill.close()
    }

    @Test("a phone that does not confirm what it was told is woken, unless that was read or replaced meanwhile")
    func unconfirmed() async throws {
        let pusher = RecordingPusher()
        let computer = try Computer(services: .init(pusher: pusher))
        try await computer.pair()
        let good: JSONValue = ["endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x"]
        _ = try await computer.skill.call("notification.registerPush", good)
        let told = computer.outlet.stream(to: Caller.ada.id)
        let epoch = try await computer.sync().epoch
        try await computer.say("confirmed", by: "a")
        _ = try await computer.sync(epoch: epoch, after: 1)
        let read = try #require(await computer.say("read", by: "b"))
        try await computer.say("replaced", by: "c", key: "k")
        try await computer.say("lost", by: "c", key: "k")
        _ = try await computer.store.write(.read([read.notification.id], by: .owner))
        #expect(await Computer.events(5, of: told).count == 5)
        await computer.time.sleeper(for: PhonePushes.confirmation)
        computer.time.advance(by: PhonePushes.confirmation)
        #expect(await pusher.payloads(1).map { $0["title"] } == ["lost"])
        // Another one later waits for its own time.
        try await computer.say("later", by: "d")
        await computer.time.sleeper(for: PhonePushes.confirmation)
        computer.time.advance(by: PhonePushes.confirmation)
        #expect(await pusher.payloads(2).map { $0["title"] } == ["lost", "later"])
        await computer.skill.close()
    }

    @Test("a push that its service did not take is sent again, ever later, unless it was read")
    func pushedAgain() async throws {
        let pusher = RecordingPusher()
        let computer = try Computer(services: .init(pusher: pusher))
        try await computer.pair()
        let good: JSONValue = ["endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x"]
        _ = try await computer.skill.call("notification.registerPush", good)
        computer.outlet.leave(Caller.ada.id)
        pusher.answer(.later(nil))
        try await computer.say("first", by: "a")
        let read = try #require(await computer.say("read", by: "b"))
        try await computer.say("last", by: "c")
        #expect(await pusher.payloads(3).map { $0["title"] } == ["first", "read", "last"])
        _ = try await computer.store.write(.read([read.notification.id], by: .owner))
        // The first of them that is not taken ends the try.
        await computer.time.sleeper(for: PhonePushes.firstRepeat)
        computer.time.advance(by: PhonePushes.firstRepeat)
        #expect(await pusher.payloads(4).last?["title"] == "first")
        pusher.answer(.later(.seconds(100)))
        await computer.time.sleeper(for: PhonePushes.firstRepeat * 2)
        computer.time.advance(by: PhonePushes.firstRepeat * 2)
        #expect(await pusher.payloads(5).count == 5)
        pusher.answer(.sent)
        await computer.time.sleeper(for: .seconds(100))
        computer.time.advance(by: .seconds(100))
        #expect(Set(await pusher.payloads(7).suffix(2).map { $0["title"] }) == ["first", "last"])
        // It is over: what comes now is sent as the first was.
        try await computer.say("next", by: "d")
        #expect(await pusher.payloads(8).last?["title"] == "next")
        await computer.skill.close()
    }

    @Test("a push service ends the subscription that it was asked about, and none that the phone gave meanwhile")
    func lateEnd() async throws {
        let pusher = RecordingPusher()
        let computer = try Computer(services: .init(pusher: pusher))
        try await computer.pair()
        let first: JSONValue = [
            "endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x",
        ]
        let second = first.adding("endpoint", "https://push.example/2")
        _ = try await computer.skill.call("notification.registerPush", first)
        computer.outlet.leave(Caller.ada.id)
        pusher.answer(.gone)
        pusher.whileWaking { [skill = computer.skill] in
            _ = try? await skill.call("notification.registerPush", second)
        }
        try await computer.say("n", by: "mail")
        #expect(await pusher.payloads(1).count == 1)
        // Returns once the answer was heard.
        await computer.skill.close()
        #expect(computer.store.push(of: Caller.ada.id)?.endpoint == "https://push.example/2")
        let again = try Computer(database: computer.database)
        #expect(again.store.push(of: Caller.ada.id)?.endpoint == "https://push.example/2")
    }

    @Test("with the right goes where a phone is woken and how far it is")
    func revoking() async throws {
        let computer = try Computer(services: .init(pusher: RecordingPusher()))
        try await computer.pair()
        let good: JSONValue = ["endpoint": "https://push.example/1", "p256dh": "x", "auth": "x", "applicationKey": "x"]
        _ = try await computer.skill.call("notification.registerPush", good)
        let keeper = try #require(computer.skill.keeper)
        await keeper.revoke([.notificationAct], of: Caller.ada.id, keeping: [])
        #expect(computer.store.push(of: Caller.ada.id) != nil)
        await keeper.revoke([.notification], of: Caller.ada.id, keeping: [])
        #expect(computer.store.push(of: Caller.ada.id) == nil)
        #expect(computer.store.syncingDevices == [Caller.bo.id])
        #expect(try await computer.skill.refusal("notification.unregisterPush") == nil)
    }

    @Test("a phone that takes nothing holds up no other")
    func slowPhone() async throws {
        let computer = try Computer()
        try await computer.pair()
        let told = computer.outlet.stream(to: Caller.bo.id)
        computer.outlet.leave(Caller.ada.id)
        for number in 1...PhoneTelling.waitingLimit * 2 { try await computer.say("n", by: "p\(number)") }
        let events = await Computer.events(PhoneTelling.waitingLimit, of: told)
        #expect(events.count == PhoneTelling.waitingLimit)
        await computer.skill.close()
    }

    @Test("the computer's own commands and page use the same methods, see all, and read who has what")
    func owner() async throws {
        let computer = try Computer()
        try await computer.pair()
        let row = try #require(await computer.say("for Bo", .init(device: Caller.bo.id)))
        let table = ControlTable(computer.skill.controlRoutes)
        let list = try await table.call("notifications.list", [:]) { _ in }
        #expect(list["upTo"]?.integerValue == (try await computer.history().upTo))
        #expect(list["notifications"]?.arrayValue?.map { $0["title"] } == ["for Bo"])
        let devices = try await table.call("notifications.devices", [:]) { _ in }
        #expect(devices["devices"]?.arrayValue?.map { $0["waiting"] } == [0, 1])
        #expect(devices["devices"]?.arrayValue?.map { $0["name"] } == ["Ada's phone", "Bo's phone"])
        let id: JSONValue = ["id": .string(row.notification.id)]
        let waiting = try await table.call("notifications.deliveries", id) { _ in }
        #expect(waiting["deliveries"]?.arrayValue?.count == 1)
        #expect(waiting["deliveries"]?.arrayValue?.first?["acknowledged"] == false)
        let epoch = try computer.store.epoch()
        _ = try await computer.sync(.bo, epoch: epoch, after: row.sequence)
        let done = try await table.call("notifications.deliveries", id) { _ in }
        #expect(done["deliveries"]?.arrayValue?.first?["name"] == "Bo's phone")
        #expect(done["deliveries"]?.arrayValue?.first?["at"]?.integerValue == computer.time.date.millisecondsSince1970)
        #expect(await computer.skill.checks().map(\.works) == [false])
        await computer.skill.close()
    }
}

extension Computer {
    func read(deliveriesOf row: NotificationRow) async throws -> [NotificationDatabase.Delivery] {
        try await store.deliveries(of: row.notification.id)
    }
}
