import DesktopNotifications
import Testing

@Suite("A notification's bounds", .timeLimit(.minutes(4)))
struct BusNotificationTests {
    @Test("every text is cut to its bound at a character, and a title is one line")
    func texts() {
        let long = String(repeating: "é", count: 100_000)
        let notification = BusNotification(
            programName: long,
            icon: long,
            title: "one\n\u{1B}two\t three " + long,
            body: long,
            category: long,
            desktopEntry: long,
            syncKey: long,
            senderName: long
        )
        #expect(notification.programName.utf8.count == 128)
        #expect(notification.icon?.utf8.count == 4096)
        #expect(notification.title.hasPrefix("one two three éé"))
        #expect((511...512).contains(notification.title.utf8.count))
        #expect(notification.body.utf8.count == 16 << 10)
        #expect(notification.category?.utf8.count == 128)
        #expect(notification.desktopEntry?.utf8.count == 128)
        #expect(notification.syncKey?.utf8.count == 128)
        #expect(notification.senderName.utf8.count == 254)
    }

    @Test("sixteen actions are kept, each key once; a key that would have to be cut is left out")
    func actions() throws {
        let action = try #require(BusAction(key: "ok", label: "O\nK"))
        #expect(action.label == "O K")
        #expect(BusAction(key: "", label: "x") == nil)
        #expect(BusAction(key: String(repeating: "k", count: 129), label: "x") == nil)
        let many = (0..<40).compactMap { BusAction(key: "\($0)", label: "x") }
        let notification = BusNotification(programName: "p", title: "t", actions: [action, action] + many)
        #expect(notification.actions.map(\.key) == ["ok"] + (0..<15).map { "\($0)" })
        #expect(!notification.canReply)
    }

    @Test("numbers stay in their ranges")
    func numbers() throws {
        let reply = try #require(BusAction(key: BusNotification.replyAction, label: "Reply"))
        let notification = BusNotification(
            programName: "p",
            icon: "",
            title: "t",
            actions: [reply],
            expireMilliseconds: -1,
            value: 300
        )
        #expect(notification.canReply)
        #expect(notification.icon == nil)
        #expect(notification.expireMilliseconds == nil)
        #expect(notification.value == 100)
        #expect(BusCloseReason(code: 77) == .undefined)
    }
}
