import Clipboard
import CommandClient
import CommandServer
import Commands
import Control
import FilesHost
import Foundation
import Kernel
import LinuxFiles
import LinuxTerminal
import Notifications
import Pairing
import Power
import Rights
import SavedCommands
import Screen
import Synchronization
import SystemInfo
import TandemDesktop
import Terminal
import TerminalHost
import Testing
import Threads
import Transport

@testable import Files
@testable import TandemPhone

@Suite("A phone of ours, and a computer that speaks only the documented wire", .timeLimit(.minutes(4)))
struct DocumentedComputerTests {
    private static let unsealed = PairingOptions(allowsDocumentedPeers: true)

    private static let noTerminal = ClearRefusal.notAllowed(
        computer: "old-pc",
        right: .terminal,
        meaning: RightDeclaration.terminal.meaning
    )

    /// The phone scanned the computer's code; the hub plays the computer's own server or a relay.
    private func pair(_ home: Household, lan: URL?, relay: URL?) async throws -> PairedDesktop {
        let code = DocumentedComputer.code(signalingURL: lan, relayURL: relay)
        return try await home.phone.pairing.pair(with: home.phone.pairing.read(code), options: Self.unsealed)
    }

    private func control(_ home: Household, _ method: String, _ params: JSONValue) async throws -> JSONValue {
        try await home.phone.control.handle(ControlRequest(id: 1, method: method, params: params)) { _ in }
    }

    @Test("a command goes out in the documented form, and every observed shape of its answer is read")
    func shapes() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            let answers: [(JSONValue) -> JSONValue] = [
                { ["id": $0, "result": ["n": 1]] },
                {
                    .string(
                        JSONValue.object(["jsonrpc": "2.0", "id": $0, "result": ["n": 1], "error": .null]).canonicalText
                    )
                },
                { .string(JSONValue.object(["jsonrpc": "2.0", "id": $0, "result": ["n": 1]]).canonicalText) },
            ]
            for answer in answers {
                let call = Task { try await home.phone.call("clipboard.get", ["type": "text"], on: paired) }
                let (from, request) = try await computer.request()
                #expect(from == home.phone.identity.did)
                #expect(request["method"] == "clipboard.get")
                #expect(request["params"] == ["type": "text"])
                #expect(request["auth"]?["mobileDid"] == .string(from))
                try await computer.program.say(
                    ["type": "chainlesschain:command:response", "payload": answer(try #require(request["id"]))],
                    to: from
                )
                #expect(try await call.value == ["n": 1])
            }
            let call = Task { try await home.phone.call("clipboard.get", [:], on: paired) }
            let (from, request) = try await computer.request()
            let refusal: JSONValue = ["id": request["id"] ?? .null, "error": "Unknown command namespace: clipboard"]
            try await computer.program.say(["type": "chainlesschain:command:response", "payload": refusal], to: from)
            let failure = RemoteFailure(code: -32603, message: "Unknown command namespace: clipboard")
            await #expect(throws: failure) { try await call.value }
        }
    }

    @Test("the list says that it is not sealed, where it is reached, and what may be used")
    func listed() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            let serving = Task { try await computer.serve { _, _ in ["pong": true] } }
            defer { serving.cancel() }
            _ = try await home.phone.call("system.ping", [:], on: paired)
            let entry = try #require(try await control(home, "devices.list", [:])["devices"]?.arrayValue?.first)
            #expect(entry["endToEnd"] == false)
            #expect(entry["confirmed"] == false)
            #expect(entry["path"] == "lan")
            #expect(
                entry["skills"] == [
                    "system.info", "notification", "clipboard", "notification.all", "display", "file.read",
                ]
            )
        }
    }

    @Test("a terminal needs a second yes, and then its output and its end arrive in both dialects of events")
    func terminal() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            await #expect(throws: Self.noTerminal) {
                try await home.phone.call("terminal.create", [:], on: paired)
            }
            let allowed = try await control(
                home,
                "devices.allow",
                ["id": .string(paired.pcPeerID), "skills": ["terminal"]]
            )
            #expect(allowed["changed"] == ["terminal"])
            let again = try await home.phone.desktop(named: nil)
            let serving = Task { try await computer.serve { _, _ in ["sessionId": "s-1", "sessions": []] } }
            defer { serving.cancel() }
            let size = try TerminalSize(columns: 80, rows: 24)
            let created = try await TerminalsClient(home.phone.peer(again)).create(
                TerminalRequest(shell: nil, environment: [:], folder: nil, size: size)
            )
            #expect(created.sessionID == "s-1")
            let events = try await home.phone.events(of: again)
            let output: JSONValue = ["event": "terminal.stdout", "sessionId": "s-1", "data": "hello", "seq": 1]
            try await computer.program.say(
                ["type": "chainlesschain:event", "payload": .string(output.canonicalText)],
                to: home.phone.identity.did
            )
            try await computer.program.say(
                [
                    "type": "chainlesschain:event:notification",
                    "payload": [
                        "jsonrpc": "2.0", "method": "terminal.exit", "params": ["sessionId": "s-1", "exitCode": 3],
                    ],
                ],
                to: home.phone.identity.did
            )
            var seen: [RemoteEvent] = []
            for await event in events {
                seen.append(event)
                if seen.count == 2 { break }
            }
            #expect(seen.map(\.name) == ["terminal.stdout", "terminal.exit"])
            #expect(seen.first?.members["data"] == "hello")
            _ = try await control(home, "devices.deny", ["id": .string(paired.pcPeerID), "skills": ["terminal"]])
            await #expect(throws: Self.noTerminal) {
                try await home.phone.call("terminal.stdin", ["sessionId": "s-1", "data": "x"], on: again)
            }
        }
    }

    @Test("what it pushes, in each of its forms, is kept and counted once; it is asked nothing before a person asks")
    func notifications() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            let asked = Mutex<[String]>([])
            let serving = Task {
                try await computer.serve { method, _ in
                    if method.hasPrefix("notification.") { asked.withLock { $0.append(method) } }
                    return method == "notification.markAsRead"
                        ? ["success": true, "markedCount": 1]
                        : ["success": true, "notifications": [], "total": 0, "unreadCount": 0]
                }
            }
            defer { serving.cancel() }
            let inbox = try await home.phone.part(NotificationInbox.self, of: paired)
            var news = inbox.phone.news().makeAsyncIterator()
            let members: JSONValue = [
                "event": "notification.received", "notificationId": "n-1", "title": "Build", "body": "finished",
                "priority": "high", "source": "pc", "timestamp": 1_790_000_100_000, "data": ["job": "7"],
                "silenced": false,
            ]
            let other: JSONValue = ["notificationId": "n-2", "title": "Backup", "body": "done", "silenced": true]
            let without: JSONValue = ["event": "notification.received", "notificationId": "n-0", "body": "no title"]
            let forms: [JSONValue] = [
                ["type": "chainlesschain:event", "payload": members],
                // Again, as a program does that has no acknowledgement.
                ["type": "chainlesschain:event", "payload": .string(members.canonicalText)],
                ["type": "chainlesschain:event", "payload": without],
                [
                    "type": "chainlesschain:event:notification",
                    "payload": ["jsonrpc": "2.0", "method": "notification.received", "params": other],
                ],
            ]
            for form in forms { try await computer.program.say(form, to: home.phone.identity.did) }
            let first = try #require(await news.next())
            #expect(first.new.map(\.notification.title) == ["Build"])
            #expect(first.new.first?.notification.data == ["job": "7"])
            #expect(first.new.first?.notification.priority == .high)
            #expect(first.banners == ["n-1"] && first.unread == 1)
            let second = try #require(await news.next())
            #expect(second.new.map(\.notification.id) == ["n-2"])
            #expect(second.banners == [] && second.unread == 2)
            #expect(asked.withLock(\.self) == [])
            // A mark goes at once, as the documented method.
            #expect(try await inbox.mark(.read(["n-1"])) == .done(count: 1))
            #expect(asked.withLock(\.self) == ["notification.markAsRead"])
            #expect(inbox.phone.unread == [paired.pcPeerID: 1])
            await computer.program.leave()
        }
    }

    @Test("through a relay a terminal and what writes are refused here, and nothing of them is sent")
    func relay() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: nil, relay: home.hubURL)
            _ = try await control(
                home,
                "devices.allow",
                ["id": .string(paired.pcPeerID), "skills": ["terminal", "file"]]
            )
            let again = try await home.phone.desktop(named: nil)
            let methods = Mutex<[String]>([])
            let serving = Task {
                try await computer.serve { method, _ in
                    methods.withLock { $0.append(method) }
                    return ["pong": true]
                }
            }
            defer { serving.cancel() }
            #expect(try await home.phone.call("system.ping", [:], on: again)["pong"] == true)
            for method in ["terminal.create", "file.requestUpload", "file.delete", "desktop.startSession"] {
                await #expect(throws: ClearRefusal.overRelay(computer: "old-pc", method: method)) {
                    try await home.phone.call(method, [:], on: again)
                }
            }
            #expect(try await home.phone.call("file.readFile", ["path": "a"], on: again)["pong"] == true)
            #expect(methods.withLock(\.self) == ["system.ping", "file.readFile"])
        }
    }

    @Test("files come and go in the documented chunks")
    func files() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "tc-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = Data((0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        try content.write(to: folder.appending(path: "up.bin"))
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            _ = try await control(home, "devices.allow", ["id": .string(paired.pcPeerID), "skills": ["file.write"]])
            let again = try await home.phone.desktop(named: nil)
            let sent = Mutex<[Int64: Data]>([:])
            let chunk = 65_536
            let serving = Task {
                try await computer.serve { method, params in
                    switch method {
                    case "file.getFileInfo":
                        return [
                            "success": true, "exists": true,
                            "file": [
                                "name": "down.bin", "path": "/home/ada/down.bin", "type": "file", "size": 150_000,
                            ],
                        ]
                    case "file.requestDownload":
                        return [
                            "transferId": "dn_1", "fileName": "down.bin", "fileSize": 150_000, "chunkSize": 65_536,
                            "totalChunks": 3, "checksum": .null,
                        ]
                    case "file.downloadChunk":
                        let start = Int(params["chunkIndex"]?.integerValue ?? 0) * chunk
                        let piece = content[start..<min(start + chunk, content.count)]
                        return [
                            "chunkData": .string(piece.base64EncodedString()),
                            "isLastChunk": .bool(piece.count < chunk),
                        ]
                    case "file.requestUpload":
                        return ["transferId": "up_1", "chunkSize": 65_536, "totalChunks": 3, "resumeSupported": false]
                    case "file.uploadChunk":
                        let data = params["chunkData"]?.stringValue.flatMap { Data(base64Encoded: $0) } ?? Data()
                        sent.withLock { $0[params["chunkIndex"]?.integerValue ?? -1] = data }
                        return ["received": 1, "progress": 1, "remainingChunks": 0]
                    default: return ["success": true]
                    }
                }
            }
            defer { serving.cancel() }
            let files = try await home.phone.part(FileTransferClient.self, of: again)
            _ = try await files.download("/home/ada/down.bin", to: folder.path)
            #expect(try Data(contentsOf: folder.appending(path: "down.bin")) == content)
            _ = try await files.upload(folder.appending(path: "up.bin").path, to: "")
            #expect(sent.withLock { Data($0.sorted { $0.key < $1.key }.map(\.value).joined()) } == content)
        }
    }

    @Test("a computer that has left fails the call at once, and is asked again when it is back")
    func away() async throws {
        try await Household.run { home in
            let first = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            await first.program.leave()
            await #expect(throws: ClearRefusal.away(computer: "old-pc")) {
                try await home.phone.call("system.ping", [:], on: paired)
            }
            let second = try await DocumentedComputer(at: home.hubURL)
            let serving = Task { try await second.serve { _, _ in ["pong": true] } }
            defer { serving.cancel() }
            // Its server tells who comes only to those it has met, so that it may still count as away for some seconds.
            while true {
                do {
                    #expect(try await home.phone.call("system.ping", [:], on: paired)["pong"] == true)
                    break
                } catch is ClearRefusal {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
        }
    }

    @Test("a computer that is only at the relay is asked there, under the same id and once")
    func otherWay() async throws {
        try await Household.run { home in
            // The computer's own server is the household's; it comes to the hub alone.
            let lan = try #require(URL(string: "ws://127.0.0.1:\(home.desktopPort)"))
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: lan, relay: home.hubURL)
            #expect(paired.lanSignalingURL == lan)
            let ids = Mutex<[JSONValue]>([])
            let serving = Task {
                while true {
                    let (from, request) = try await computer.request()
                    ids.withLock { $0.append(request["id"] ?? .null) }
                    let payload: JSONValue = ["id": request["id"] ?? .null, "result": ["pong": true]]
                    try await computer.program.say(
                        ["type": "chainlesschain:command:response", "payload": payload],
                        to: from
                    )
                }
            }
            defer { serving.cancel() }
            #expect(try await home.phone.call("system.ping", [:], on: paired)["pong"] == true)
            #expect(ids.withLock(\.count) == 1)
            while await home.phone.path(to: paired.pcPeerID) != .relay {
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test("its commands do not wait on disk, because it would do a repeated one twice")
    func queue() async throws {
        try await Household.run { home in
            let computer = try await DocumentedComputer(at: home.hubURL)
            let paired = try await pair(home, lan: home.hubURL, relay: nil)
            await #expect(throws: ClearRefusal.cannotWait(computer: "old-pc")) {
                try await home.phone.enqueue("clipboard.set", ["content": "x"], for: paired)
            }
            await computer.program.leave()
        }
    }

    @Test("a phone asks before the same right that a computer of ours demands")
    func rightsOfMethods() async throws {
        let home = FileManager.default.temporaryDirectory.path
        let features: [CommandFeatureMaker] = [
            TerminalSkill.maker(factory: LinuxPseudoTerminalFactory.withoutProfile),
            .files(try LinuxFileAccess(folders: [home], home: home, trash: home)),
        ]
        try await Household.run(features: features) { home in
            let (rights, clearRights) = (home.phone.features.rights, home.phone.features.clearMethods)
            let computer = try await home.pair()
            let skills = try await home.phone.call("registry.list", [:], on: computer)["skills"]?.arrayValue ?? []
            let methods = skills.flatMap { $0["methods"]?.arrayValue ?? [] }
            var checked = 0
            for method in methods {
                guard let name = method["name"]?.stringValue else { continue }
                let demanded = method["permission"]?.stringValue.flatMap(rights.named) ?? []
                if let right = clearRights.right(for: name) {
                    #expect(demanded.contains(right), "\(name)")
                } else {
                    #expect(demanded.isEmpty, "\(name)")
                }
                checked += 1
            }
            #expect(checked > 20)
        }
    }

    /// What each version of ours has asked before; nil for what every computer answers.
    private static let table: [(methods: [String], right: Right?)] = [
        (["system.ping", "registry.list", "skill.list"], nil),
        (["system.info", "system.getStatus", "system.getInfo", "sysinfo.getCPU", "sysinfo.other"], .systemInformation),
        (["sysinfo.getLogs"], .systemLogs),
        (["system.notify", "notification.list", "notification.clearAll"], .notification),
        (["clipboard.get", "clipboard.set", "clipboard.other"], .clipboard),
        (["display.screenshot", "display.other", "screen.capture"], .display),
        (
            [
                "file.listDirectory", "file.list", "file.readFile", "file.read", "file.getFileInfo", "file.getInfo",
                "file.exists", "file.search", "file.requestDownload", "file.downloadChunk", "file.completeDownload",
                "file.listTransfers", "file.cancelTransfer", "file.downloadFiles", "file.getThumbnails",
            ],
            .fileRead
        ),
        (
            [
                "file.createDirectory", "file.rename", "file.move", "file.delete", "file.requestUpload",
                "file.uploadChunk", "file.completeUpload", "file.uploadFiles", "file.other",
            ],
            .fileWrite
        ),
        (
            [
                "terminal.create", "terminal.stdin", "terminal.other", "system.other", "system.exec", "desktop.start",
                "file.trash.empty", "anything", "", ".", "file.", ".file", "FILE.list", "process.list",
            ],
            .terminal
        ),
    ]

    @Test("what a method needs in the clear, by our own name, by another program's and by one that nobody knows")
    func table() {
        let rights = [PeerFeatureMaker].standard.rights
        let methods =
            [MethodDeclaration.registryList] + SystemMethods.all + ClipboardMethods.all + ScreenMethods.all
            + FileMethods.all + TerminalMethods.all + ThreadMethods.all
        let clearRights = ClearMethodRights(methods: MethodCatalogue(methods), rights: rights)
        for (methods, right) in Self.table {
            for method in methods { #expect(clearRights.right(for: method) == right, "\(method)") }
        }
        let direct = rights.all.filter(clearRights.needsDirectWay)
        #expect(
            direct == [
                .fileWrite, .notificationAct, "ports.open", .systemLogs, .terminal, .threadsRead, .threadsWrite,
                .savedCommands, .power, .powerWake, "screen.control",
            ]
        )
        #expect(clearRights.needsDirectWay("unknown"))
    }
}
