import CommandClient
import CommandServer
import Control
import Foundation
import Kernel
import Pairing
import TandemDesktop
import TandemHub
import TandemPhone
import Testing

/// The names are a contract with the programs that read `--json` and with other versions of the running process.
@Suite("The JSON of control methods", .timeLimit(.minutes(4)))
struct ControlShapeTests {
    /// Some JSON, and what this version makes of it after reading it.
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let type: any (Codable & Sendable).Type
        let json: JSONValue
        let again: @Sendable () throws -> JSONValue
        /// Like ``again``, by Foundation's coders.
        let againByFoundation: @Sendable () throws -> JSONValue

        init<Value: Codable & Sendable>(_ type: Value.Type, _ json: JSONValue) {
            testDescription = "\(type)"
            self.type = type
            self.json = json
            again = { try JSONValue(encoding: json.decode(as: Value.self)) }
            againByFoundation = {
                let read = try JSONDecoder().decode(Value.self, from: Data(json.canonicalBytes))
                return try JSONValue(parsing: JSONEncoder().encode(read))
            }
        }
    }

    private static let activity: JSONValue = [
        "id": "terminal:1", "kind": "terminal", "device": "did:key:z6MkA", "right": "terminal", "detail": "bash",
        "since": .null, "name": "Ada's phone", "words": "has a shell open",
    ]
    private static let phone: JSONValue = [
        "id": "did:key:z6MkA", "did": "did:key:z6MkA", "deviceId": "p", "fingerprint": "ABCD", "ownFingerprint": "EFGH",
        "name": "Ada's phone", "platform": "android", "endToEnd": true, "path": .null, "skills": ["system.info"],
        "unsigned": [], "stillRefused": ["terminal"], "pairedAt": 1, "lastSeenAt": 2,
    ]
    private static let computer: JSONValue = [
        "id": "pc-1", "pcPeerId": "pc-1", "name": "Desk", "platform": "beos", "did": .null, "fingerprint": .null,
        "endToEnd": false, "confirmed": true, "skills": ["clipboard"], "ownFingerprint": "ABCD", "path": "lan",
        "lanSignalingUrl": "ws://10.0.0.2:9001", "relayUrl": .null, "pairedAt": 1, "lastSeenAt": 2,
    ]
    private static let code: JSONValue = ["payload": "{}", "code": "4829137306", "typed": true, "expiresAt": 3]
    private static let phoneCode: JSONValue = [
        "payload": "{}", "code": "482913", "expiresAt": 3, "ownFingerprint": "ABCD",
    ]
    private static let request: JSONValue = [
        "id": "7", "name": "Ada's phone", "platform": "ios", "did": "did:key:z6MkA", "fingerprint": "ABCD",
        "endToEnd": true, "number": false, "identityChanged": false, "knownName": .null, "knownFingerprint": .null,
        "offers": [["name": "terminal", "meaning": "run any program as you"]], "arrivedAt": 1, "expiresAt": 2,
    ]
    private static let refusal: JSONValue = [
        "name": "x", "platform": "win32", "sender": "s", "reason": "cannotSeal", "message": "No.", "at": 1,
    ]
    private static let command: JSONValue = [
        "id": "1", "desktopId": "pc-1", "method": "clipboard.set", "timestamp": 1, "status": "pending", "retries": 0,
        "errorMessage": .null, "expiresAt": 2, "parameters": "{}",
    ]

    static let shapes =
        [
            Shape(
                DesktopStatus.self,
                [
                    "role": "desktop", "deviceId": "d", "did": "did:key:z6MkB", "fingerprint": "EFGH", "name": "Desk",
                    "version": "1", "port": 9001, "hub": .null, "activities": [activity],
                    "servers": [
                        ["name": "own", "registered": true],
                        ["name": "hub", "registered": false, "reason": "away", "since": 1],
                    ],
                ]
            ),
            Shape(
                PhoneStatus.self,
                [
                    "role": "phone", "did": "did:key:z6MkA", "deviceId": "p", "fingerprint": "ABCD", "name": "Phone",
                    "version": "1",
                    "servers": [
                        ["url": "ws://a", "state": "registered"],
                        ["url": "ws://b", "state": "waiting", "reason": "away", "since": 1],
                    ],
                ]
            ),
            Shape(PhoneStandingReport.self, ["state": "active", "isResting": false]),
            Shape(
                PhoneStandingReport.self,
                ["state": "retired", "isResting": true, "newPhone": "New phone", "undoUntil": 1]
            ),
            Shape(
                HubStatus.self,
                [
                    "role": "hub", "version": "1", "address": "::", "port": 9001, "url": "ws://a", "urls": ["ws://a"],
                    "dialect": "strict", "legacyOpen": false, "trustedProxies": [],
                ]
            ),
            Shape(
                HubControl.PeerList.self,
                ["peers": [["peerId": "p", "proven": true, "address": "a", "connectedAt": 1, "lastSeen": 2]]]
            ),
            Shape(
                HubControl.LimitList.self,
                ["limits": [["name": "n", "value": 1, "default": 2, "unit": "bytes", "summary": "s"]]]
            ),
            Shape(NoControlAnswer.self, .null), Shape(DeviceList.self, ["devices": [phone, computer]]),
            Shape(DeviceEntry.self, phone.adding("changed", ["terminal"]).adding("ended", [activity])),
            Shape(ForgottenDevice.self, ["id": "pc-1", "name": "Desk"]),
            Shape(ForgottenDevice.self, ["id": "pc-1", "name": "Desk", "untold": "tandem devices forget x"]),
            Shape(ForgottenDevice.self, ["id": "a", "name": "b", "ended": [activity]]),
            Shape(ActivityList.self, ["activities": [activity.adding("since", 1)]]),
            Shape(EndedActivities.self, ["ended": [activity], "notEnded": ["x"]]), Shape(CodeEntry.self, code),
            Shape(CodeEntry.self, phoneCode), Shape(RequestList.self, ["requests": [request], "refused": [refusal]]),
            Shape(RequestList.self, ["requests": [request.adding("knownName", "Old")], "refused": []]),
            Shape(EndedRequest.self, ["id": "7", "name": "Ada's phone"]),
            Shape(QueueControl.CommandList.self, ["commands": [command.adding("errorMessage", "No.")]]),
            Shape(QueueControl.Removed.self, ["removed": 2]),
            Shape(QueueControl.Outcome.self, ["queued": true, "command": command, "evicted": command]),
            Shape(QueueControl.Outcome.self, ["queued": false, "result": ["success": true]]),
            Shape(CallControl.Event.self, ["event": "a.b", "members": ["x": 1]]),
            Shape(
                MethodCall.self,
                ["method": "a.b", "params": ["x": 1], "device": "Desk", "timeout": 7]
            ),
        ]
        + events.map { Shape(PairingEvent.self, $1.adding("event", .string($0))) }

    private static let events: [(String, JSONValue)] = [
        ("code", code), ("code", phoneCode), ("digits-replaced", code), ("digits-locked", code.adding("until", 4)),
        ("digits-unlocked", code), ("interference", [:]), ("refused", refusal), ("request", request),
        ("request-over", request), ("paired", phone), ("paired", computer), ("used-up", [:]), ("expired", [:]),
        ("failed", ["message": "No."]),
        ("failed", ["message": "No.", "reason": "codeExpired", "values": ["ageSeconds": 512]]),
        ("sending", ["message": "Told Desk.", "key": "ABCD"]),
        ("key", ["message": "This.", "key": "ABCD"]), ("waiting", ["message": "Waiting.", "until": 5]),
        ("compare", ["message": "Type.", "number": "482913"]), ("from-a-newer-version", [:]),
    ]

    @Test("every answer and item has the names that it had", arguments: shapes)
    func names(shape: Shape) throws {
        #expect(try shape.again() == shape.json)
    }

    @Test("Foundation's coders read and write every answer and item as ours do", arguments: shapes)
    func foundation(shape: Shape) throws {
        #expect(try shape.againByFoundation() == shape.again())
    }

    @Test("an audit's page has the names that it had, with what was done and what was refused")
    func audit() throws {
        let entry: JSONValue = [
            "device": "did:key:z6MkA", "name": "a", "method": "b.c", "risk": "Safe", "at": 1, "count": 2,
            "outcome": "done", "by": "owner", "detail": "d",
        ]
        let refused = entry.adding("outcome", "refused").adding("code", -32001)
        let read = try JSONValue.object(["entries": [entry, refused], "next": .null]).decode(as: AuditPage.self)
        let reason = try #require(read.entries.last?.reason)
        #expect(
            try JSONValue(encoding: read)
                == ["entries": [entry, refused.adding("reason", .string(reason))], "next": .null]
        )
    }

    @Test("a member that may be null is also read where it is missing")
    func missing() throws {
        var members = try #require(Self.computer.objectValue)
        for key in ["did", "path", "lanSignalingUrl"] { members[key] = nil }
        let device = try JSONValue.object(members).decode(as: DeviceEntry.self)
        #expect(device.did == nil)
        #expect(device.path == nil)
        #expect(device.lanSignalingUrl == nil)
    }

    @Test("an answer that does not fit is an error that says what to do")
    func unreadable() async throws {
        try await PreparedRole.run({ _ in ["removed": "two"] }) { state, _ in
            let console = TestConsole()
            #expect(await console.run("queue", "clear", "--state", state) == 1)
            #expect(console.error == "Error: \(ControlError.unreadableAnswer)\n")
        }
    }
}
