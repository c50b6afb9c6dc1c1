import Control
import Foundation
import Kernel
import LinuxTerminal
import NotificationsHost
import Pairing
import Sealing
import TerminalHost
import Testing
import Transport

@testable import TandemDesktop

@Suite("A phone that speaks only the documented wire, at a real computer", .timeLimit(.minutes(4)))
struct DocumentedPhoneTests {
    private static let did = "did:key:z6MkExampleDocumentedPhone"
    private static let terminals = [TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile)]

    private func lanURL(_ home: Household) throws -> URL {
        try #require(URL(string: "ws://127.0.0.1:\(home.desktopPort)"))
    }

    /// Pairs it by the code on the computer's screen.
    private func pair(_ home: Household, at url: URL) async throws -> DocumentedProgram {
        let phone = try await DocumentedProgram(Self.did, as: "mobile", at: url)
        let shown = try await home.desktop.pairing.makeCode(options: PairingOptions(allowsDocumentedPeers: true))
        try await phone.say(
            [
                "type": "pair-ack", "pairingCode": .string(shown.qr.code.digits), "mobileDid": .string(Self.did),
                "deviceInfo": ["deviceId": "b1d6", "name": "Old iPhone", "platform": "ios"],
                "timestamp": .integer(Date().millisecondsSince1970),
            ],
            to: home.desktop.device.deviceID
        )
        _ = try await phone.payload { $0["type"] == "pairing:confirmation" }
        return phone
    }

    @discardableResult
    private func allow(_ home: Household, _ rights: [JSONValue], unsigned: Bool) async throws -> JSONValue {
        try await home.desktop.control.handle(
            ControlRequest(
                id: 1,
                method: "devices.allow",
                params: ["id": .string(Self.did), "skills": .array(rights), "unsigned": .bool(unsigned)]
            )
        ) { _ in }
    }

    @Test(
        "allowed unsigned on the LAN, it types a hundred keys into a shell in their order, and sees what the shell writes"
    )
    func terminal() async throws {
        try await Household.run(features: Self.terminals) { home in
            let phone = try await pair(home, at: lanURL(home))
            try await allow(home, ["terminal"], unsigned: true)
            let computer = home.desktop.device.deviceID
            let created = try await phone.ask("terminal.create", ["shell": "sh"], id: 7, of: computer)
            let session = try #require(created["result"]?["sessionId"])
            let keys = "echo " + String(repeating: "a", count: 90) + "-$((6*7))\n"
            for (index, key) in keys.enumerated() {
                try await phone.say(
                    DocumentedProgram.request(
                        "terminal.stdin",
                        ["sessionId": session, "data": .string(String(key))],
                        id: .integer(Int64(100 + index)),
                        from: Self.did
                    ),
                    to: computer
                )
            }
            var seen = ""
            let wanted = String(repeating: "a", count: 90) + "-42"
            while !seen.contains(wanted) {
                let event = try await phone.payload { $0["type"] == "chainlesschain:event" }
                #expect(event["payload"]?["event"] == "terminal.stdout")
                #expect(event["payload"]?["sessionId"] == session)
                seen += event["payload"]?["data"]?.stringValue ?? ""
            }
            for index in keys.indices.enumerated().map(\.offset) {
                let id = JSONValue.integer(Int64(100 + index))
                let answer = try await phone.payload { $0["payload"]?["id"] == id }
                #expect(answer["payload"]?["result"] == ["ok": true])
            }
        }
    }

    @Test("a notification reaches it as the documented event, once, and its marks by the documented methods count")
    func notifications() async throws {
        let feature = NotificationsSkill.maker { _ in .init() }
        try await Household.run(features: [feature]) { home in
            let phone = try await pair(home, at: lanURL(home))
            try await allow(home, ["notification.all"], unsigned: true)
            let computer = home.desktop.device.deviceID
            let params: JSONValue = ["title": "Build", "body": "finished", "priority": "high", "data": ["job": "7"]]
            let sent = try await home.desktop.control.handle(
                ControlRequest(
                    id: 2,
                    method: "notifications.call",
                    params: ["method": "notification.send", "params": params]
                )
            ) { _ in }
            let event = try await phone.payload { $0["payload"]?["event"] == "notification.received" }
            #expect(event["type"] == "chainlesschain:event")
            let members = try #require(event["payload"])
            #expect(members["notificationId"] == sent["notificationId"])
            #expect(members["title"] == "Build" && members["body"] == "finished")
            #expect(members["priority"] == "high" && members["source"] == "pc")
            #expect(members["silenced"] == false && members["data"] == ["job": "7"])
            #expect(members["timestamp"]?.integerValue != nil)
            let id: JSONValue = ["notificationId": members["notificationId"] ?? .null]
            let marked = try await phone.ask("notification.markAsRead", id, id: 3, of: computer)
            #expect(marked["result"]?["success"] == true && marked["result"]?["markedCount"] == 1)
            let history = try await phone.ask("notification.getHistory", ["limit": 50], id: 4, of: computer)
            #expect(history["result"]?["unreadCount"] == 0 && history["result"]?["total"] == 1)
            #expect(history["result"]?["notifications"]?.arrayValue?.first?["read"] == true)
            let deleted = try await phone.ask("notification.delete", id, id: 5, of: computer)
            #expect(deleted["result"]?["success"] == true)
        }
    }

    @Test("what asks with a JSON text is answered and told with JSON texts")
    func texts() async throws {
        try await Household.run(features: Self.terminals) { home in
            let phone = try await pair(home, at: lanURL(home))
            try await allow(home, ["terminal"], unsigned: true)
            let request: JSONValue = [
                "jsonrpc": "2.0", "id": "t-1", "method": "terminal.create", "params": ["shell": "sh"],
                "auth": ["did": .string(Self.did)],
            ]
            try await phone.say(
                ["type": "chainlesschain:command:request", "payload": .string(request.canonicalText)],
                to: home.desktop.device.deviceID
            )
            let answer = try await phone.payload { $0["type"] == "chainlesschain:command:response" }
            let result = try JSONValue(parsing: try #require(answer["payload"]?.stringValue).utf8)
            #expect(result["id"] == "t-1")
            #expect(result["error"] == .null)
            let event = try await phone.payload { $0["type"] == "chainlesschain:event" }
            let told = try JSONValue(parsing: try #require(event["payload"]?.stringValue).utf8)
            #expect(told["event"] == "terminal.stdout")
            #expect(told["sessionId"] == result["result"]?["sessionId"])
        }
    }

    @Test("an envelope that is one JSON text is answered as one")
    func wholeText() async throws {
        try await Household.run { home in
            let phone = try await pair(home, at: lanURL(home))
            let request = DocumentedProgram.request("system.ping", [:], id: "p-1", from: Self.did)
            try await phone.say(.string(request.canonicalText), to: home.desktop.device.deviceID)
            let text = try await phone.payload { $0.stringValue != nil }
            let answer = try JSONValue(parsing: try #require(text.stringValue).utf8)
            #expect(answer["payload"]?["id"] == "p-1")
            #expect(answer["payload"]?["result"]?["pong"] == true)
        }
    }

    @Test(
        "allowed but not unsigned, it is refused what is privileged, the owner is told so, and the refusal names the command"
    )
    func notUnsigned() async throws {
        try await Household.run(features: Self.terminals) { home in
            let phone = try await pair(home, at: lanURL(home))
            #expect(try await allow(home, ["terminal"], unsigned: false)["stillRefused"] == ["terminal"])
            let answer = try await phone.ask("terminal.create", id: 1, of: home.desktop.device.deviceID)
            #expect(answer["code"] == -32010)
            #expect(
                answer["error"]?.stringValue?.contains("tandem devices allow 'Old iPhone' terminal --unsigned") == true
            )
        }
    }

    @Test("allowed unsigned, it is refused all the same through a hub")
    func throughTheHub() async throws {
        try await Household.run(features: Self.terminals) { home in
            let phone = try await pair(home, at: home.hubURL)
            #expect(try await allow(home, ["terminal"], unsigned: true)["stillRefused"] == [])
            let answer = try await phone.ask("terminal.create", id: 1, of: home.desktop.device.deviceID)
            #expect(answer["code"] == -32010)
            #expect(
                try await phone.ask("system.ping", id: 2, of: home.desktop.device.deviceID)["result"]?["pong"] == true
            )
        }
    }

    @Test("taking the right back ends what it is told at once")
    func takenBack() async throws {
        try await Household.run(features: Self.terminals) { home in
            let phone = try await pair(home, at: lanURL(home))
            try await allow(home, ["terminal"], unsigned: true)
            let computer = home.desktop.device.deviceID
            let created = try await phone.ask("terminal.create", ["shell": "sh"], id: 1, of: computer)
            let session = try #require(created["result"]?["sessionId"])
            _ = try await phone.payload { $0["type"] == "chainlesschain:event" }
            _ = try await home.desktop.control.handle(
                ControlRequest(
                    id: 1,
                    method: "devices.deny",
                    params: ["id": .string(Self.did), "skills": ["terminal"]]
                )
            ) { _ in }
            let answer = try await phone.ask(
                "terminal.stdin",
                ["sessionId": session, "data": "x"],
                id: 2,
                of: computer
            )
            #expect(answer["code"] == -32010)
            #expect(home.desktop.pairedPhones().first?.unsignedRights == [])
        }
    }

    @Test("a phone that is here is listed as here, and away once it has left")
    func presence() async throws {
        try await Household.run { home in
            let phone = try await pair(home, at: lanURL(home))
            let did = try DID(Self.did)
            while await home.desktop.path(to: did) != .lan {
                try Task.checkCancellation()
                await Task.yield()
            }
            // The server shows them to each other once their frames are noted on its disk.
            while true {
                try await phone.send(["type": "peer-status", "peerId": .string(home.desktop.device.deviceID)])
                let answer = try await phone.frame { $0["type"] == "peer-status-response" }
                if answer["status"] == "online" { break }
            }
            await phone.leave()
            while await home.desktop.path(to: did) != nil {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }
}
