import Control
import Foundation
import Kernel
import Logging
import TandemPhone
import TandemWeb
import Testing

@testable import Notifications
@testable import TandemCommands

@Suite("A phone that is woken through a browser", .timeLimit(.minutes(2)))
struct PagePushTests {
    private static let subscription: JSONValue = [
        "endpoint": "https://push.example/1", "p256dh": "key", "auth": "secret", "applicationKey": "own",
    ]

    @Test("is woken no more once the browsers of its page are signed out")
    func signOut() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tw-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: root) }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let phone = try PhoneCommand.phone(
            folder: StateFolder(root),
            name: "phone",
            hub: nil,
            browser: nil,
            logger: logger
        )
        let page = try Pages.page(of: phone, PageOptions.Values(), logger: logger)
        let store = NotificationStore(phone.database)
        _ = try await page.table.handle(
            ControlRequest(id: 1, method: "notifications.push", params: ["subscription": Self.subscription])
        )
        // What a computer would be told.
        #expect(try await store.pushToTell("computer") == Self.subscription.canonicalText)
        try await store.notePushTold(Self.subscription.canonicalText, to: "computer")
        let answer = try await page.table.handle(ControlRequest(id: 2, method: "page.signOut"))
        #expect(answer["browsers"] == 0)
        // The empty text: that it has ended.
        #expect(try await store.pushToTell("computer")?.isEmpty == true)
    }

    @Test("is so for the browser that gives a subscription, and for none that ends one or asks")
    func begins() {
        #expect(Pages.push.method == "notifications.push")
        #expect(Pages.push.begins(["subscription": Self.subscription]))
        #expect(!Pages.push.begins(["subscription": .null]))
        #expect(!Pages.push.begins([:]))
        #expect(!Pages.push.begins(Pages.push.ending))
    }
}
