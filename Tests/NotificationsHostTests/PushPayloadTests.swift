import Foundation
import Kernel
import Notifications
import Testing

@testable import NotificationsHost

@Suite("What a closed phone is woken with")
struct PushPayloadTests {
    private func notification(_ title: String, _ body: String) -> RemoteNotification {
        RemoteNotification(id: "69bf988f-3f06", title: title, body: body, createdAt: 5, program: "Mail", alert: 7)
    }

    @Test(
        "it fits what every push service takes, whatever the text, and keeps a short one whole",
        arguments: [
            "Dinner at eight?", String(repeating: "a", count: 16 << 10), String(repeating: "\u{1}", count: 16 << 10),
            String(repeating: "👩‍👩‍👧‍👦", count: 600), String(repeating: "\"\\\n", count: 5000),
        ]
    )
    func size(_ text: String) throws {
        let payload = PushPayload(
            notification(text.cut(to: NotificationLimits.title), text),
            from: String(repeating: "c", count: NotificationLimits.name),
            showsText: true,
            mayAct: true
        )
        #expect(payload.bytes.count <= PushPayload.limit)
        let value = try JSONValue(parsing: payload.bytes)
        #expect(value["id"] == "69bf988f-3f06")
        #expect(value["app"] == "Mail")
        #expect(value["device"]?.stringValue?.count == NotificationLimits.name)
        #expect(value["alert"] == 7)
        let body = try #require(value["body"]?.stringValue)
        #expect(body == text || body.hasSuffix("…") && text.hasPrefix(body.dropLast()))
        #expect(text.utf8.count > 100 || body == text)
    }

    @Test("without previews it says which program it is and nothing of the text")
    func hidden() throws {
        let payload = PushPayload(notification("Ada wrote", "secret"), from: nil, showsText: false, mayAct: true)
        let value = try JSONValue(parsing: payload.bytes)
        #expect(value["device"] == nil)
        #expect(value["title"] == "Mail")
        #expect(value["body"] == "")
    }

    @Test("a phone that may press its buttons is told those that fit, and no other phone is")
    func buttons() throws {
        var asking = notification("May it run?", String(repeating: "a", count: 16 << 10))
        asking.actions = [
            NotificationAction(id: "default", label: "Open"),
            NotificationAction(id: String(repeating: "\u{1}", count: 100), label: "Too long"),
            NotificationAction(id: "yes", label: String(repeating: "Allow ", count: 40)),
            NotificationAction(id: "no", label: "Deny"), NotificationAction(id: "later", label: "Later"),
        ]
        let payload = PushPayload(asking, from: "pc-1", showsText: true, mayAct: true)
        #expect(payload.bytes.count <= PushPayload.limit)
        let actions = try #require(try JSONValue(parsing: payload.bytes)["actions"]?.arrayValue)
        #expect(actions.map { $0["id"] } == ["yes", "no"])
        #expect(actions.allSatisfy { ($0["label"]?.stringValue?.utf8.count ?? .max) <= 60 })
        for (showsText, mayAct) in [(true, false), (false, true)] {
            let other = PushPayload(asking, from: "pc-1", showsText: showsText, mayAct: mayAct)
            #expect(try JSONValue(parsing: other.bytes)["actions"] == nil)
        }
    }
}
