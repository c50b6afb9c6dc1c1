import Accounts
import Chat
import Foundation
import Kernel
import KernelTesting
import Testing

@testable import ChatClient
@testable import ChatHub

/// An app's screens over a repository.
@Suite("Screens over a repository", .timeLimit(.minutes(4)))
@MainActor
struct ScreenTests {
    /// Lets other tasks run until something holds; the suite's time limit bounds it.
    private func wait(_ holds: () -> Bool) async throws {
        while !holds() {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("B9, R4, R6: a conversation's screen loads, sends, receives and recalls, each message once and in order")
    func conversation() async throws {
        let scene = try Scene()
        for number in 1...50 { try await scene.hub.sends(scene.bob, "\(number)", in: scene.chat, as: "b\(number)") }
        let device = try await HubDevice(scene.hub, scene.ada)
        try await device.settle()
        let shown = try #require(Conversation(scene.chat, for: scene.ada))
        let screen = try #require(
            ConversationViewModel(
                shown,
                me: scene.ada,
                device.repository.conversationDependencies(scene.chat),
                time: ImmediateClock()
            )
        )
        let appearing = Task { await screen.appear() }
        try await wait { screen.timeline.rows.count == 40 }
        screen.text = "mine"
        screen.sendText()
        #expect(screen.timeline.rows.last?.status == .sending)
        try await wait { screen.timeline.rows.last?.status == .success }
        try await scene.hub.sends(scene.bob, "51", in: scene.chat, as: "b51")
        try await wait { screen.timeline.rows.last?.content == "51" }
        await screen.loadMore()
        #expect(screen.timeline.rows.count == 52)
        #expect(screen.timeline.rows.compactMap(\.sequence) == Array(1...52))
        let own = try #require(screen.timeline.rows.first { $0.isMe })
        await screen.recall(own.id)
        #expect(screen.timeline.own(own.id)?.isRecalled == true)
        #expect(screen.notice == nil)
        appearing.cancel()
        await device.end()
    }

    @Test("L2, L6, L8: the list's screen shows what is kept, follows what comes, and loses what another device hides")
    func list() async throws {
        let scene = try Scene()
        try await scene.hub.sends(scene.bob, "one", in: scene.chat, as: "b1")
        let device = try await HubDevice(scene.hub, scene.ada)
        let other = try await HubDevice(scene.hub, scene.ada, "tablet")
        try await device.settle()
        let screen = ConversationListViewModel(me: scene.ada, device.repository.listDependencies())
        let appearing = Task { await screen.appear() }
        try await wait { screen.phase == .loaded }
        #expect(screen.list.rows.map(\.unreadCount) == [1])
        try await scene.hub.sends(scene.bob, "two", in: scene.chat, as: "b2")
        try await wait { screen.list.rows.first?.unreadCount == 2 }
        #expect(screen.list.rows.first?.lastMessagePreview == "two")
        await screen.pin(scene.chat, true)
        try await wait { screen.list.rows.first?.isPinned == true }
        try await other.heal()
        try await other.repository.hide(scene.chat)
        try await wait { screen.list.rows.isEmpty }
        appearing.cancel()
        await device.end()
        await other.end()
    }
}
