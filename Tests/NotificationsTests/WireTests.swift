import Foundation
import Kernel
import Testing

@testable import Commands
@testable import Notifications

/// A file beside the tests.
func fixture(_ name: String) throws -> [JSONValue] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: "json"))
    return try #require(try JSONValue(parsing: Data(contentsOf: url)).arrayValue)
}

@Suite("The wire of notifications", .timeLimit(.minutes(4)))
struct NotificationWireTests {
    /// Parameters as they are written again, and an answer as it is.
    private typealias Walk = @Sendable (JSONValue, JSONValue) throws -> (JSONValue, JSONValue)

    private static func walk<Parameters, Answer>(_ method: Method<Parameters, Answer>) -> (String, Walk) {
        (
            method.name,
            { params, answer in
                (try Parameters(wire: RemoteParameters(params)).wire, try Answer(wire: answer).wire)
            }
        )
    }

    private static let walks: [String: Walk] = Dictionary(
        uniqueKeysWithValues: [
            walk(NotificationMethods.send), walk(NotificationMethods.sendToMobile), walk(NotificationMethods.broadcast),
            walk(NotificationMethods.getHistory), walk(NotificationMethods.markAsRead),
            walk(NotificationMethods.markAllAsRead), walk(NotificationMethods.delete),
            walk(NotificationMethods.clearAll), walk(NotificationMethods.getUnreadCount),
            walk(NotificationMethods.getSettings), walk(NotificationMethods.updateSettings),
            walk(NotificationMethods.clearHistory),
        ]
    )

    @Test("every documented method reads the parameters and answers of each dialect, and writes the documented ones")
    func methods() throws {
        let table = try fixture("methods")
        for row in table {
            let name = try #require(row["method"]?.stringValue)
            let walk = try #require(Self.walks[name])
            let (written, read) = try walk(try #require(row["params"]), try #require(row["answer"]))
            let what = Comment(rawValue: "\(name), \(row["dialect"]?.stringValue ?? "")")
            #expect(written == row["written"], what)
            #expect(read == row["read"], what)
        }
        #expect(Set(table.compactMap { $0["method"]?.stringValue }) == Set(Self.walks.keys))
    }

    @Test("a push is read in each of its forms")
    func events() throws {
        for row in try fixture("events") {
            let what = Comment(rawValue: row["form"]?.stringValue ?? "")
            let envelope = try #require(row["envelope"])
            let event = try #require(RemoteEvent(envelope: envelope).flatMap(NotificationEvent.init), what)
            let expected = RemoteNotification(
                id: "n-42",
                title: "Build",
                body: "finished",
                priority: .high,
                createdAt: 1_790_000_100_000,
                data: ["job": "7"]
            )
            #expect(event == NotificationEvent(.received(expected)), what)
        }
    }

    @Test("ours goes out in the documented form, with its numbers beside it, and comes back")
    func roundTrip() throws {
        var notification = RemoteNotification(
            id: "n-1",
            title: "T",
            body: "B",
            createdAt: 5,
            isSilenced: true,
            actions: [NotificationAction(id: "default", label: "Open")],
            canReply: true,
            progress: 40,
            sequence: 9,
            alert: 8
        )
        for kind in [NotificationEvent.Kind.received(notification), .changed(notification), .deleted(id: "n-1")] {
            let event = NotificationEvent(kind, epoch: "e", sequence: 9, unreadCount: 2)
            let read = RemoteEvent(envelope: event.event.envelope).flatMap(NotificationEvent.init)
            #expect(read == event)
        }
        let members = NotificationEvent(.received(notification), epoch: "e", sequence: 9).event.members
        #expect(members["notificationId"] == "n-1")
        #expect(members["timestamp"] == 5)
        #expect(members["silenced"] == true)
        notification.sequence = nil
        #expect(NotificationChanges.Change(wire: notification.wire) == nil)
    }

    @Test(
        "what is no push is none",
        arguments: [
            #"{"event":"notification.received","title":"T","body":"B"}"#,
            #"{"event":"notification.received","notificationId":"","title":"T","body":"B"}"#,
            #"{"event":"notification.received","notificationId":"n","title":"","body":"B"}"#,
            #"{"event":"notification.received","notificationId":"n","title":"T"}"#,
            #"{"event":"notification.received","notificationId":7,"title":"T","body":"B"}"#,
            #"{"event":"notification.changed","deleted":true}"#,
            #"{"event":"clipboard.changed","notificationId":"n","title":"T","body":"B"}"#,
            #"{"event":"notification.received"}"#,
        ]
    )
    func malformed(text: String) throws {
        let payload = try JSONValue(parsing: text.utf8)
        let event = RemoteEvent(envelope: ["type": "chainlesschain:event", "payload": payload])
        #expect(event.flatMap(NotificationEvent.init) == nil)
    }

    private static let mebibyte = String(repeating: "é", count: 1 << 19)

    @Test("what is too much, or not what it should be, is refused by the field's name")
    func refusals() throws {
        func refusal<Parameters, Answer>(_ method: Method<Parameters, Answer>, _ params: JSONValue) -> String? {
            do {
                try method.declaration.check(params)
                return nil
            } catch {
                return (error as? RemoteFailure).map { "\($0.code) \($0.message)" }
            }
        }
        let big = JSONValue.string(Self.mebibyte)
        let many = JSONValue.array((0...500).map { .string("n\($0)") })
        let data = JSONValue.object(Dictionary(uniqueKeysWithValues: (0...64).map { ("\($0)", "x") }))
        let cases: [(String?, String)] = [
            (refusal(NotificationMethods.send, ["body": "B"]), "title"),
            (refusal(NotificationMethods.send, ["title": "", "body": "B"]), "title"),
            (refusal(NotificationMethods.send, ["title": " \n\u{2003}", "body": "B"]), "title"),
            (refusal(NotificationMethods.send, ["title": big, "body": "B"]), "title"),
            (refusal(NotificationMethods.send, ["title": "T", "body": big]), "body"),
            (refusal(NotificationMethods.send, ["title": "T", "body": 7]), "body"),
            (refusal(NotificationMethods.send, ["title": "T", "message": big]), "message"),
            (refusal(NotificationMethods.send, ["title": "T", "data": data]), "data"),
            (refusal(NotificationMethods.send, ["title": "T", "data": ["k": big]]), "data"),
            (refusal(NotificationMethods.send, ["title": "T", "data": ["k": 1]]), "data"),
            (refusal(NotificationMethods.send, ["title": "T", "data": "x"]), "data"),
            (refusal(NotificationMethods.send, ["title": "T", "icon": big]), "icon"),
            (refusal(NotificationMethods.send, ["title": "T", "key": big]), "key"),
            (refusal(NotificationMethods.send, ["title": "T", "respectQuietHours": "no"]), "respectQuietHours"),
            (refusal(NotificationMethods.sendToMobile, ["title": "T", "targetDevices": "a"]), "targetDevices"),
            (refusal(NotificationMethods.markAsRead, [:]), "notificationId"),
            (refusal(NotificationMethods.markAsRead, ["notificationId": ""]), "notificationId"),
            (refusal(NotificationMethods.markAsRead, ["notificationId": big]), "notificationId"),
            (refusal(NotificationMethods.delete, ["ids": many]), "ids"),
            (refusal(NotificationMethods.delete, ["ids": ["a", 1]]), "ids"),
            (refusal(NotificationMethods.markAllAsRead, ["upTo": -1]), "upTo"),
            (refusal(NotificationMethods.clearHistory, ["type": 5]), "type"),
            (refusal(NotificationMethods.getHistory, ["limit": "x"]), "limit"),
            (refusal(NotificationMethods.updateSettings, [:]), "enabled"),
            (refusal(NotificationMethods.updateSettings, ["quietHoursStart": "24:00"]), "quietHoursStart"),
            (refusal(NotificationMethods.updateSettings, ["quietHoursEnd": "7:00"]), "quietHoursEnd"),
            (refusal(NotificationMethods.updateSettings, ["quietHours": ["start": "９９:00"]]), "start"),
            (refusal(NotificationMethods.updateSettings, ["historyLimit": 5]), "historyLimit"),
            (refusal(NotificationMethods.act, ["notificationId": "n"]), "action"),
            (refusal(NotificationMethods.act, ["notificationId": "n", "text": big]), "text"),
            (refusal(NotificationMethods.setSource, ["app": "mail"]), "allowed"),
            (refusal(NotificationMethods.sync, ["after": -1]), "after"),
        ]
        for (refusal, field) in cases {
            let refusal = try #require(refusal, "\(field)")
            #expect(refusal.hasPrefix("\(FailureCode.badParameters) ") && refusal.contains(field), "\(refusal)")
        }
    }

    @Test("what a computer tells is cut to the bounds, and kept as it is where it is only strange")
    func bounds() throws {
        let data = Dictionary(uniqueKeysWithValues: (0..<500).map { ("\($0)", JSONValue.string("x")) })
        let wire: JSONValue = [
            "id": "n", "title": .string(Self.mebibyte), "body": .string("a" + Self.mebibyte), "priority": "SHOUTING",
            "data": .object(data.merging(["big": .string(Self.mebibyte)]) { $1 }), "progress": 400,
            "actions": .array((0..<100).map { ["id": .string("\($0)"), "label": .string(Self.mebibyte)] }),
            "createdAt": "never", "source": "moon",
        ]
        let notification = try #require(RemoteNotification(wire: wire))
        #expect(notification.title.utf8.count <= NotificationLimits.title && notification.title.hasSuffix("é…"))
        #expect(notification.body.utf8.count <= NotificationLimits.body && notification.body.hasPrefix("aé"))
        #expect(notification.priority == .normal)
        #expect(notification.data.count == NotificationLimits.data && notification.data["big"] == nil)
        #expect(notification.actions.count == NotificationLimits.actions)
        #expect(notification.actions.allSatisfy { $0.label.utf8.count <= NotificationLimits.name })
        #expect(notification.progress == nil && notification.createdAt == 0 && notification.origin == .computer)
        let markup: JSONValue = ["id": "<b>", "title": "<script>alert(1)</script>\u{202E}", "body": "\u{1B}[2J"]
        #expect(RemoteNotification(wire: markup)?.title == "<script>alert(1)</script>\u{202E}")
        #expect(RemoteNotification(wire: ["id": .string(Self.mebibyte), "title": "T", "body": ""]) == nil)
    }
}
