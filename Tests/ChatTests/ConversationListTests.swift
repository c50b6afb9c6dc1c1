import Accounts
import Foundation
import Kernel
import Testing

@testable import Chat

@Suite("The list of conversations", .timeLimit(.minutes(4)))
struct ConversationListTests {
    let scene: ChatScene

    init() throws { scene = try ChatScene() }

    private func id(_ number: Int64) throws -> ConversationID {
        let person = try #require(UserID(number))
        return try #require(ConversationID(scene.ada, person))
    }

    @Test("L1: pinned ones first, then the newest, then by id")
    func order() throws {
        var list = ConversationList(me: scene.ada)
        list.merge(ConversationUpdate(try id(20), lastMessageTime: 5))
        list.merge(ConversationUpdate(try id(21), lastMessageTime: 9))
        list.merge(ConversationUpdate(try id(22), lastMessageTime: 9))
        list.merge(ConversationUpdate(try id(23), isPinned: true, lastMessageTime: 1))
        #expect(list.rows.map(\.peer.number) == [23, 21, 22, 20])
        list.merge(ConversationUpdate(try id(20), lastMessageTime: 10))
        list.merge(ConversationUpdate(try id(23), isPinned: false))
        #expect(list.rows.map(\.peer.number) == [20, 21, 22, 23])
    }

    @Test("L2, B22: the first fifty in order are kept for the next start, and never another account's")
    func cache() throws {
        var list = ConversationList(me: scene.ada)
        for number in 20..<Int64(80) {
            list.merge(ConversationUpdate(try id(number), lastMessagePreview: "p\(number)", lastMessageTime: number))
        }
        let cached = list.cached
        #expect(cached.map(\.targetUid) == Array((30..<Int64(80)).reversed()))
        let text = try JSONValue(encoding: cached)
        #expect(
            text.arrayValue?.first?.objectValue?.keys.sorted() == [
                "avatar", "id", "isPinned", "lastMessagePreview", "lastMessageTime", "nickname", "targetUid",
                "unreadCount",
            ]
        )
        var next = ConversationList(me: scene.ada)
        next.showCached(try text.decode(as: [CachedConversation].self))
        #expect(next.rows.map(\.lastMessagePreview) == cached.map(\.lastMessagePreview))
        var foreign = ConversationList(me: scene.bob)
        foreign.showCached(cached)
        #expect(foreign.rows.isEmpty)
    }

    @Test("L3, B22: the server's fields overwrite; names, the online flag and the signal stay")
    func merge() throws {
        var list = ConversationList(me: scene.ada)
        list.merge(ConversationUpdate(scene.conversation, lastMessagePreview: "a", lastMessageTime: 1))
        list.setProfiles([Profile(person: scene.bob, name: "Bob", avatar: "https://h/b")])
        list.setOnline(scene.bob, true)
        list.setSignal(scene.conversation, signalID: "s", receiveID: "3", reply: "hey", content: nil)
        list.setIMOpened(scene.conversation)
        let update = ConversationUpdate(
            scene.conversation,
            isPinned: true,
            draft: "d",
            unreadCount: 4,
            lastMessagePreview: "b",
            lastMessageTime: 2
        )
        list.merge(update)
        let row = try #require(list[scene.conversation])
        #expect(
            row.nickname == "Bob" && row.avatar == "https://h/b" && row.isOnline && row.fromSignal && row.isIMOpened
        )
        #expect(row.signalID == "s" && row.receiveID == "3" && row.signalReply == "hey")
        #expect(row.isPinned && row.draft == "d" && row.unreadCount == 4 && row.lastMessagePreview == "b")
        #expect(row.lastMessageTime == 2)
        #expect(list.rows.count == 1)
    }

    @Test("L3: a message that comes late is counted, and is not the preview of a newer one")
    func late() throws {
        var list = ConversationList(me: scene.ada)
        list.receive(scene.message("new", time: 9))
        list.receive(scene.message("late", time: 5))
        let row = try #require(list[scene.conversation])
        #expect(row.lastMessagePreview == "new" && row.lastMessageTime == 9 && row.unreadCount == 2)
    }

    @Test("L4, B22: names are asked for once each, in hundreds, only where they are not known")
    func profiles() throws {
        var list = ConversationList(me: scene.ada)
        for number in 20..<Int64(270) { list.merge(ConversationUpdate(try id(number))) }
        let known = Set([try #require(UserID(20))])
        let requests = list.missingProfiles(knowing: known)
        #expect(requests.map(\.count) == [100, 100, 49])
        #expect(Set(requests.joined()).count == 249)
        let person = try #require(UserID(30))
        list.setProfiles([
            Profile(person: person, name: "A", avatar: ""), Profile(person: person, name: "B", avatar: ""),
        ])
        #expect(list[try id(30)]?.nickname == "A")
    }

    @Test("L6: pinning and deleting are shown at once and taken back when the server refuses")
    func optimistic() throws {
        var list = ConversationList(me: scene.ada)
        list.merge(ConversationUpdate(scene.conversation, unreadCount: 3, lastMessagePreview: "a", lastMessageTime: 5))
        let pinning = list.pin(scene.conversation, true)
        let pin = try #require(pinning)
        let again = list.pin(scene.conversation, true)
        #expect(again == nil)
        #expect(list.rows[0].isPinned)
        list.rollBack(pin)
        #expect(!list.rows[0].isPinned)

        let removing = list.remove(scene.conversation)
        let removal = try #require(removing)
        #expect(list.rows.isEmpty)
        #expect(list.unreadTotal == 0)
        list.rollBack(removal)
        #expect(list.rows.map(\.unreadCount) == [3])
    }

    @Test("L6: a new message brings a deleted conversation back, an old one does not")
    func comesBack() throws {
        var list = ConversationList(me: scene.ada)
        list.merge(ConversationUpdate(scene.conversation, unreadCount: 3, lastMessageTime: 5))
        let removing = list.remove(scene.conversation)
        let removal = try #require(removing)
        list.receive(scene.message("old", at: 1, time: 4))
        list.merge(ConversationUpdate(scene.conversation, lastMessageTime: 5))
        #expect(list.rows.isEmpty)
        list.receive(scene.message("new", at: 2, time: 6))
        #expect(list.rows.map(\.lastMessagePreview) == ["new"])
        // The late refusal of the removal takes nothing away.
        list.rollBack(removal)
        #expect(list.rows.map(\.lastMessagePreview) == ["new"])
    }

    @Test(
        "L8, B15: unread is zero while the conversation is on the screen; own, recalled and control messages never count"
    )
    func unread() throws {
        var list = ConversationList(me: scene.ada)
        list.receive(scene.message("1", time: 1))
        list.receive(scene.message("2", from: scene.ada, time: 2))
        list.receive(scene.message("3", time: 3, .flashViewed(FlashViewedPayload(messageID: "x"))))
        var recalled = scene.message("4", time: 4)
        recalled.recall()
        list.receive(recalled)
        #expect(list[scene.conversation]?.unreadCount == 1)
        #expect(list[scene.conversation]?.lastMessagePreview == "消息已撤回")
        list.open(scene.conversation)
        #expect(list.unreadTotal == 0)
        list.receive(scene.message("5", time: 5))
        list.merge(ConversationUpdate(scene.conversation, unreadCount: 7))
        #expect(list.unreadTotal == 0)
        list.close(scene.conversation, draft: nil)
        list.receive(scene.message("6", time: 6))
        #expect(list.unreadTotal == 1)
        list.merge(ConversationUpdate(scene.conversation, unreadCount: -4))
        #expect(list.unreadTotal == 0)
    }

    @Test("B21: a draft is kept when the screen goes, and cleared by sending; a blank one is none")
    func drafts() throws {
        var list = ConversationList(me: scene.ada)
        list.merge(ConversationUpdate(scene.conversation, lastMessageTime: 1))
        list.open(scene.conversation)
        list.close(scene.conversation, draft: " half a ")
        #expect(list[scene.conversation]?.draft == " half a ")
        list.clearDraft(scene.conversation)
        #expect(list[scene.conversation]?.draft == nil)
        list.close(scene.conversation, draft: " \n ")
        #expect(list[scene.conversation]?.draft == nil)
        list.merge(ConversationUpdate(scene.conversation, draft: "x"))
        list.merge(ConversationUpdate(scene.conversation, draft: ""))
        #expect(list[scene.conversation]?.draft == nil)
    }

    @Test("Q6: a blank text sends nothing, another goes without the white space around it")
    func sendable() {
        #expect(Draft.sendable(" \n\t ") == nil)
        #expect(Draft.sendable("") == nil)
        #expect(Draft.sendable("\n a b \n") == "a b")
    }

    @Test("two rows of one id are one conversation, and a changed one has another version")
    func identity() throws {
        var one = try #require(Conversation(scene.conversation, for: scene.ada))
        let before = one
        one.nickname = "Bob"
        #expect(one == before)
        #expect(one.version != before.version)
        #expect(!one.hasSameContent(as: before))
        let version = one.version
        one.nickname = "Bob"
        #expect(one.version == version)
        #expect(Conversation(scene.conversation, for: scene.cy) == nil)
    }

    @Test("L5: the badge is hidden at 0 and ends at 99")
    func badge() {
        #expect([0, -1, 1, 99, 100, 5000].map(ConversationRow.badge) == [nil, nil, "1", "99", "99+", "99+"])
    }

    @Test("L5: a draft goes before the last message, and the time is said by its day")
    func row() throws {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try #require(TimeZone(identifier: "Asia/Shanghai"))
        // 2026-03-01 00:30 in Shanghai; the day before is the last of February.
        let now = Date(timeIntervalSince1970: 1_772_296_200)
        var conversation = try #require(Conversation(scene.conversation, for: scene.ada))
        conversation.lastMessagePreview = "[图片]"
        conversation.unreadCount = 120
        func time(_ secondsBefore: Int64) -> String {
            conversation.lastMessageTime = now.millisecondsSince1970 - secondsBefore * 1000
            return ConversationRow(conversation, now: now, calendar: calendar).time
        }
        #expect(time(0) == "00:30")
        #expect(time(1800) == "00:00")
        #expect(time(1801) == "昨天")
        #expect(time(1800 + 86_400) == "昨天")
        #expect(time(1801 + 86_400) == "2/27")
        #expect(time(-86_400 * 3) == "3/4")
        conversation.lastMessageTime = 0
        let plain = ConversationRow(conversation, now: now, calendar: calendar)
        #expect(plain.time == "" && plain.preview == "[图片]" && plain.draftMark == nil && plain.badge == "99+")
        conversation.draft = "later"
        let drafted = ConversationRow(conversation, now: now, calendar: calendar)
        #expect(drafted.draftMark == "[草稿] " && drafted.preview == "later")
    }
}
