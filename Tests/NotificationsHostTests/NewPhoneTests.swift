import CommandServer
import Commands
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Notifications
import Rights
import Testing

@testable import NotificationsHost

@Suite("What a new phone reads and decides", .timeLimit(.minutes(1)))
struct NewPhoneTests {
    /// A phone with what every phone has from its pairing on.
    private static let new = Caller(id: "did:key:z6MkNew", name: "New", proof: .session, rights: [.notification])
    private static let allowed = Caller(
        id: new.id,
        name: new.name,
        proof: .session,
        rights: [.notification, .notificationAll]
    )

    private func pair(_ computer: Computer) {
        computer.outlet.pair([
            OutletDevice(id: Self.new.id, name: Self.new.name, keepsEvents: true),
            OutletDevice(id: Caller.ada.id, name: Caller.ada.name, keepsEvents: true),
        ])
        computer.outlet.deny([.notificationAll], to: Self.new.id)
    }

    private func mirror(_ title: String, at computer: Computer) async throws {
        try await computer.say(title, by: "Chat", .init(isMirrored: true))
    }

    @Test("it sees nothing from before its pairing, and not what programs show, by no method and with no words")
    func readsWhatComes() async throws {
        let computer = try Computer()
        let code = try #require(await computer.say("Your code is 271828"))
        pair(computer)
        #expect(try await computer.titles(as: Self.new) == [])
        try await mirror("See you at eight", at: computer)
        try await computer.say("Tests passed")
        #expect(try await computer.titles(as: Self.new) == ["Tests passed"])
        #expect(try await computer.titles(.init(text: "code"), as: Self.new) == [])
        #expect(try await computer.titles(.init(text: "see you"), as: Self.new) == [])
        #expect(try await computer.titles(.init(text: "tests"), as: Self.new) == ["Tests passed"])
        #expect(try await computer.titles(.init(program: "Chat"), as: Self.new) == [])
        #expect(try await computer.titles(.init(isUnreadOnly: true), as: Self.new) == ["Tests passed"])
        #expect(try await computer.titles(.init(offset: 1), as: Self.new) == [])
        let history = try await computer.history(as: Self.new)
        #expect(history.total == 1 && history.unreadCount == 1)
        let count = try await computer.skill.call("notification.getUnreadCount", as: Self.new)
        #expect(count["count"] == 1)
        // Whatever number it says that it has.
        let epoch = try await computer.sync(Self.new).epoch
        for after: Int64 in [0, 1, 2] {
            let told = try await computer.sync(Self.new, epoch: epoch, after: after)
            #expect(told.changes.map(\.title) == ["Tests passed"])
        }
        let image = try await computer.skill.refusal(
            "notification.image",
            ["notificationId": .string(code.notification.id)],
            as: Self.new
        )
        #expect(image?.code == FailureCode.notFound)
        #expect(try await computer.titles().count == 3)
        await computer.skill.close()
    }

    @Test("it is told what is meant for phones as it happens, and nothing that programs show")
    func toldWhatComes() async throws {
        let computer = try Computer()
        pair(computer)
        for phone in [Self.new, .ada] { _ = try await computer.sync(phone) }
        let (new, ada) = (computer.outlet.stream(to: Self.new.id), computer.outlet.stream(to: Caller.ada.id))
        try await mirror("Secret", at: computer)
        try await computer.say("Public")
        let events = await Computer.events(1, of: new)
        guard case .received(let told) = try #require(events.first).kind else { Issue.record("not told"); return }
        #expect(told.title == "Public")
        #expect(events.first?.unreadCount == nil)
        let titles = await Computer.events(2, of: ada).map { event -> String in
            if case .received(let told) = event.kind { told.title } else { "" }
        }
        #expect(titles == ["Secret", "Public"])
        await computer.skill.close()
    }

    @Test("a flood of a program on the desktop is counted out of its sight, too")
    func flood() async throws {
        let computer = try Computer()
        pair(computer)
        for number in 1...30 { try await mirror("Line \(number)", at: computer) }
        try await computer.say("Public")
        #expect(try await computer.titles(as: Self.new) == ["Public"])
        await computer.skill.close()
    }

    @Test("it marks what it sees read, deletes what is its own, and decides nothing for others")
    func marks() async throws {
        let computer = try Computer()
        try await mirror("Before", at: computer)
        pair(computer)
        try await mirror("Secret", at: computer)
        let shared = try #require(await computer.say("Public"))
        #expect(try await computer.skill.call("notification.markAllAsRead", as: Self.new)["markedCount"] == 1)
        #expect(try await computer.titles(.init(isUnreadOnly: true)) == ["Secret", "Before"])
        let ids: JSONValue = ["notificationId": .string(shared.notification.id)]
        let refusal = try await computer.skill.refusal("notification.delete", ids, as: Self.new)
        #expect(refusal?.code == FailureCode.notAllowed)
        let phone = TerminalText.name(Self.new.name)
        #expect(refusal?.message.contains("tandem devices allow \(phone) notification.all") == true)
        let sent = try await computer.skill.call("notification.send", ["title": "Mine", "body": "x"], as: Self.new)
        let own: JSONValue = ["notificationId": sent["notificationId"] ?? .null]
        #expect(try await computer.skill.call("notification.delete", own, as: Self.new)["success"] == true)
        #expect(try await computer.titles() == ["Public", "Secret", "Before"])
        for name in ["clearAll", "clearHistory", "updateSettings", "sources", "setSource"] {
            let method = try #require(computer.skill.methods.first { $0.name == "notification.\(name)" })
            #expect(method.declaration.permission.map { Self.new.may($0) } == false, "\(name)")
            #expect(method.declaration.permission.map { Self.allowed.may($0) } == true, "\(name)")
        }
        await computer.skill.close()
    }

    @Test("with the right it gets what it had not seen, quietly, and loses sight of it with the right")
    func rightComesAndGoes() async throws {
        let computer = try Computer()
        try await computer.say("Before")
        pair(computer)
        try await mirror("Secret", at: computer)
        try await computer.say("Public")
        let first = try await computer.sync(Self.new)
        #expect(first.changes.map(\.title) == ["Public"])
        computer.outlet.deny([], to: Self.new.id)
        let all = try await computer.sync(Self.allowed, epoch: first.epoch, after: first.reached)
        #expect(all.isFromStart)
        #expect(all.changes.map(\.title) == ["Before", "Secret", "Public"])
        // None of it is news.
        #expect(all.history == first.reached)
        let rest = try await computer.sync(Self.allowed, epoch: first.epoch, after: all.reached)
        #expect(rest.changes.isEmpty && !rest.isFromStart)
        #expect(try await computer.titles(as: Self.allowed) == ["Public", "Secret", "Before"])
        #expect(try await computer.titles(as: Self.new) == ["Public"])
        await computer.skill.close()
    }
}
