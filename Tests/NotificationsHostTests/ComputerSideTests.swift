import Commands
import Control
import FeatureTesting
import Kernel
import KernelTesting
import Notifications
import Testing

@testable import NotificationsHost

@Suite("What commands and pages of a computer ask about its notifications", .timeLimit(.minutes(1)))
struct ComputerSideTests {
    private let computer: Computer
    private let table: ControlTable

    init() async throws {
        let computer = try Computer()
        try await computer.pair()
        self.computer = computer
        table = ControlTable(computer.skill.controlRoutes)
    }

    private func ask(_ method: String, _ params: JSONValue = [:]) async throws -> JSONValue {
        try await table.call(method, params) { _ in }
    }

    private func ids(_ answer: JSONValue) -> [String] {
        answer["notifications"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
    }

    @Test("the list comes in pages, the newest first, with where older ones are; only unread ones where that is asked")
    func list() async throws {
        var said: [String] = []
        for number in 1...5 {
            computer.time.advance(by: .seconds(1))
            said.append(try #require(await computer.say("n\(number)", by: "p")).notification.id)
        }
        let first = try await ask("notifications.list", ["limit": 2])
        #expect(ids(first) == [said[4], said[3]])
        #expect(first["total"] == 5 && first["unreadCount"] == 5)
        #expect(first["before"] == .string(said[3]))
        #expect(first["notifications"]?.arrayValue?.first?["device"] == "owner")
        let second = try await ask("notifications.list", ["limit": 3, "before": .string(said[3])])
        #expect(ids(second) == [said[2], said[1], said[0]])
        #expect(ids(try await ask("notifications.list", ["before": .string(said[0])])) == [])
        _ = try await ask("notifications.mark", ["ids": [.string(said[4])]])
        let unread = try await ask("notifications.list", ["unread": true, "limit": 1])
        #expect(ids(unread) == [said[3]])
        #expect(unread["unreadCount"] == 4)
        await computer.skill.close()
    }

    @Test("pages that long texts make shorter than was asked for lead to the last one")
    func longTexts() async throws {
        let body = String(repeating: "\"", count: NotificationLimits.body)
        var said: Set<String> = []
        for number in 0..<50 {
            said.insert(try #require(await computer.say("n\(number)", by: "p\(number)", body: body)).notification.id)
        }
        var (listed, before, pages): ([String], JSONValue?, Int) = ([], nil, 0)
        repeat {
            var params: [String: JSONValue] = ["limit": 50]
            params["before"] = before
            let page = try await ask("notifications.list", .object(params))
            listed += ids(page)
            before = page["before"]
            pages += 1
        } while before != nil
        #expect(pages > 2)
        #expect(listed.count == 50 && Set(listed) == said)
        await computer.skill.close()
    }

    @Test("marks and deletions reach every phone at once, and say how many there were")
    func marks() async throws {
        let told = computer.outlet.stream(to: Caller.bo.id)
        let first = try #require(await computer.say("a", by: "p")).notification.id
        let second = try #require(await computer.say("b", by: "p"))
        #expect(try await ask("notifications.unread") == ["total": 2, "devices": ["owner": 2]])
        let one: JSONValue = ["ids": [.string(first)]]
        #expect(try await ask("notifications.mark", one) == ["queued": false, "count": 1])
        #expect(try await ask("notifications.mark", one) == ["queued": false, "count": 0])
        #expect(await Computer.events(3, of: told).map(\.unreadCount) == [1, 2, 1])
        try await computer.say("c", by: "p")
        let upTo: JSONValue = ["all": true, "upTo": .integer(second.sequence)]
        #expect(try await ask("notifications.mark", upTo)["count"] == 1)
        #expect(try await ask("notifications.mark", ["all": true])["count"] == 1)
        #expect(try await ask("notifications.unread") == ["total": 0, "devices": ["owner": 0]])
        #expect(try await ask("notifications.delete", one)["count"] == 1)
        #expect(try await ask("notifications.clear", ["source": "mobile"])["count"] == 0)
        #expect(try await ask("notifications.clear")["count"] == 2)
        #expect(try await computer.titles() == [])
        await computer.skill.close()
    }

    @Test(
        "a question that is wrong is refused by the member's name",
        arguments: [
            ("notifications.list", ["limit": 0], "limit"), ("notifications.list", ["limit": 501], "limit"),
            ("notifications.list", ["limit": "x"], "limit"), ("notifications.mark", [:], "ids"),
            ("notifications.mark", ["ids": []], "ids"), ("notifications.mark", ["ids": [""]], "ids"),
            ("notifications.mark", ["ids": ["a"], "all": true], "ids"), ("notifications.delete", [:], "ids"),
            ("notifications.delete", ["ids": [.string(String(repeating: "x", count: 1000))]], "ids"),
            ("notifications.clear", ["before": 1, "upTo": 1], "upTo"),
            ("notifications.clear", ["before": -1], "before"),
            ("notifications.clear", ["source": "tv"], "source"),
            ("notifications.call", ["method": "notification.sync", "timeout": 0], "timeout"),
            ("notifications.call", ["method": "system.ping"], "system.ping"),
        ] as [(String, JSONValue, String)]
    )
    func wrong(method: String, params: JSONValue, member: String) async throws {
        let error = try await #require(throws: ControlError.self) { try await ask(method, params) }
        #expect("\(error)".contains(member))
        await computer.skill.close()
    }

    @Test("what only a phone has is not served", arguments: ["refresh", "local", "push"])
    func phoneOnly(name: String) async throws {
        await #expect(throws: ControlError.unknownMethod("notifications.\(name)")) {
            try await ask("notifications.\(name)")
        }
        await computer.skill.close()
    }

    @Test("who follows is told of each that comes, changes and goes, with the count after it")
    func follow() async throws {
        let seen = LatestValue<[JSONValue]>([], capacity: 64)
        let listening = Task {
            try await table.call("notifications.follow", [:]) { item in seen.update { $0.append(item) } }
        }
        defer { listening.cancel() }
        // Until its reader is there, nothing is told: a first one is said until one arrives.
        while seen.value.isEmpty {
            // Slowly enough for one program.
            computer.time.advance(by: .seconds(2))
            try await computer.say("first", by: "p", key: "k")
            await Task.yield()
        }
        let before = seen.value.count
        let id = try #require(await computer.say("second", by: "q")).notification.id
        _ = try await ask("notifications.mark", ["ids": [.string(id)]])
        _ = try await ask("notifications.delete", ["ids": [.string(id)]])
        var items: [JSONValue] = []
        for await all in seen.values() {
            guard all.contains(where: { $0["removed"] != nil }), all.last?["unread"] != nil else { continue }
            items = Array(all.dropFirst(before))
            break
        }
        items = Array(items.drop { $0["new"]?["title"] != "second" })
        #expect(
            items.map { $0.objectValue?.keys.sorted() ?? [] } == [
                ["banner", "new"], ["unread"], ["changed"], ["unread"], ["removed"], ["unread"],
            ]
        )
        #expect(items[0]["banner"] == true)
        #expect(items[2]["changed"]?["read"] == true)
        #expect(items[4]["removed"]?["id"] == .string(id))
        #expect(items.compactMap { $0["unread"]?["count"] } == [2, 1, 1])
        await computer.skill.close()
    }

    @Test("of many changes at once, who follows is told that the list has to be read anew")
    func followMany() async throws {
        for number in 0..<100 { try await computer.say("n", by: "p\(number)") }
        let seen = LatestValue<[JSONValue]>([], capacity: 64)
        let listening = Task {
            try await table.call("notifications.follow", [:]) { item in seen.update { $0.append(item) } }
        }
        defer { listening.cancel() }
        while seen.value.isEmpty {
            computer.time.advance(by: .seconds(2))
            try await computer.say("first", by: "p", key: "k")
            await Task.yield()
        }
        let before = seen.value.count
        _ = try await ask("notifications.mark", ["all": true])
        for await all in seen.values() where all.dropFirst(before).contains(where: { $0["missed"] != nil }) { break }
        await computer.skill.close()
    }
}
