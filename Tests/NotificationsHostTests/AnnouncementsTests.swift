import CommandServer
import Testing

@Suite("Announcements")
struct AnnouncementsTests {
    @Test("each listener hears what is said from then on, in order")
    func hearing() async {
        let announcements = Announcements()
        announcements.announce(Announcement(speaker: "nobody listens", title: "a", body: ""))
        let first = announcements.stream()
        announcements.announce(Announcement(speaker: "Codex", title: "b", body: ""))
        let second = announcements.stream()
        announcements.announce(Announcement(speaker: "Codex", title: "c", body: ""))
        #expect(await first.prefix(2).reduce(into: []) { $0.append($1.title) } == ["b", "c"])
        #expect(await second.prefix(1).reduce(into: []) { $0.append($1.title) } == ["c"])
    }
}
