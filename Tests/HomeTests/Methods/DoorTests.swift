import Files
import Foundation
import Kernel
import Notifications
import Pairing
import Rights
import SystemInfo
import Testing
import Threads

@testable import CommandServer
@testable import Commands

/// Every method that is served, times everybody who may not: the first recorded request of each method, and one in every dialect, through every
/// door.
@Suite("Doors", .timeLimit(.minutes(5)))
struct DoorTests {
    /// The recorded requests name the paired phone, whoever sends them.
    @Test(
        "nobody who is not paired, or comes past the session, gets anything done",
        arguments: [(Caller.Proof.stranger, "not-paired: "), (.unsealed, "e2e-required: ")]
    )
    func outsiders(proof: Caller.Proof, sentence: String) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(proof, allowed: home.everything)
            for line in try Dialect.doorLines() {
                let failure = try await phone.refusal(of: line)
                #expect(failure?.code == -32008)
                #expect(failure?.message.hasPrefix(sentence) == true)
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    @Test(
        "a paired phone without a skill's permission gets nothing of it done, and hears how to allow it",
        arguments: [Caller.Proof.session, .clear],
        [true, false]
    )
    func withoutPermission(proof: Caller.Proof, hasOthers: Bool) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(proof)
            let lines = try Dialect.doorLines()
            for (permission, lines) in try Dictionary(grouping: lines, by: { try home.method(of: $0).permission }) {
                guard let permission else { continue }
                #expect(home.rights.named(permission.name) == permission.rights, "\(permission.name) is no right")
                if hasOthers { try await home.allow(home.everything.subtracting(permission.rights), to: phone) }
                let advice = "tandem devices allow \(TerminalText.name(phone.record?.name ?? "")) \(permission.name)"
                for line in lines {
                    let failure = try await phone.refusal(of: line)
                    #expect(failure?.code == -32010, "\(permission.name)")
                    #expect(failure?.message.hasSuffix(advice) == true)
                }
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    @Test(
        "each right opens its own methods: reading files or conversations changes none, writing shows the content of none"
    )
    func rightsOfMethods() async throws {
        try await MethodHome.run { home in
            func opened(by right: Right) -> Set<String> {
                let caller = home.caller(.session, allowed: [right])
                return Set(home.methods.values.filter { $0.permission.map { caller.may($0) } ?? false }.map(\.name))
            }
            let either = [
                "file.getFileInfo", "file.getInfo", "file.exists", "file.cancelTransfer", "file.listTransfers",
            ]
            #expect(
                opened(by: .fileRead).subtracting(either) == [
                    "file.listDirectory", "file.list", "file.readFile", "file.read", "file.search",
                    "file.requestDownload", "file.downloadChunk", "file.completeDownload", "file.downloadFiles",
                    "file.getThumbnails",
                ]
            )
            #expect(
                opened(by: .fileWrite).subtracting(either) == [
                    "file.createDirectory", "file.rename", "file.move", "file.delete", "file.requestUpload",
                    "file.uploadChunk", "file.completeUpload", "file.uploadFiles",
                ]
            )
            #expect(
                opened(by: .threadsRead) == [
                    "threads.list", "threads.folders", "threads.agents", "threads.get", "threads.item",
                    "threads.subscribe", "threads.unsubscribe", "threads.search", "threads.approvals",
                ]
            )
            #expect(
                opened(by: .threadsWrite) == ["threads.post", "threads.start", "threads.cancel", "threads.approve"]
            )
            let direct = Set(home.rights.declarations.filter(\.needsDirectWay).map(\.right))
            #expect(direct.isSuperset(of: [.threadsRead, .threadsWrite]))
            #expect(opened(by: .systemLogs) == ["sysinfo.getLogs"])
            #expect(opened(by: .notificationAct) == ["notification.act"])
            let ofNotifications = Set(NotificationMethods.all.map(\.name) + ["system.notify"])
            let ofAll: Set<String> = [
                "notification.clearAll", "notification.clearHistory", "notification.updateSettings",
                "notification.sources", "notification.setSource",
            ]
            #expect(opened(by: .notificationAll) == ofAll)
            #expect(opened(by: .notification) == ofNotifications.subtracting(ofAll).subtracting(["notification.act"]))
            for declaration in home.rights.declarations {
                let methods = home.methods.values.filter { opened(by: declaration.right).contains($0.name) }
                #expect(methods.map(\.risk).max() ?? .safe <= declaration.risk, "\(declaration.right)")
            }
        }
    }

    @Test(
        "what every paired phone may is to ask whether the computer is there, for its page, for what it offers and for a right"
    )
    func openToAll() async throws {
        try await MethodHome.run { home in
            let open = home.methods.values.filter { $0.permission == nil }
            #expect(
                Set(open.map(\.name)) == ["system.ping", "system.getPage", "registry.list", "skill.list", "rights.ask"]
            )
            #expect(open.allSatisfy { $0.risk == .safe })
        }
    }

    @Test(
        "in the clear and unsigned nothing privileged is done, whatever is allowed",
        arguments: [Dialect.documented, .signaling]
    )
    func unsigned(dialect: Dialect) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(.clear, allowed: home.everything)
            for line in try dialect.firstLines() where try home.method(of: line).risk == .privileged {
                let failure = try await phone.refusal(of: line)
                #expect(failure?.code == -32010)
                #expect(failure?.message.contains("neither seals nor signs") == true)
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    // MARK: Signatures

    enum Flaw: CaseIterable, Sendable {
        case foreignSignature, damagedSignature, noText, otherMethod, otherTime, otherNonce, otherDevice
        case noDevice, noTime, noNonce

        var code: Int {
            switch self {
            case .noDevice, .noTime, .noNonce: -32600
            default: -32001
            }
        }

        func apply(to auth: inout CommandAuth, foreign: CommandAuth) {
            switch self {
            case .foreignSignature: auth.signature = foreign.signature
            case .damagedSignature: auth.signature = auth.signature.map { "AAAA" + $0.dropFirst(4) }
            case .noText: auth.signature = "!"
            case .otherMethod: break
            case .otherTime: auth.timestamp? += 1
            case .otherNonce: auth.nonce? += "0"
            case .otherDevice: auth.did = "did:key:z6MkStranger"
            case .noDevice: auth.did = nil
            case .noTime: auth.timestamp = nil
            case .noNonce: auth.nonce = nil
            }
        }
    }

    @Test("a signature that does not hold opens no method, and uses up no nonce", arguments: Flaw.allCases)
    func wrongSignature(flaw: Flaw) async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(.clear, allowed: home.everything)
            let requests = try Self.signedRequests()
            for (index, written) in requests.enumerated() {
                var request = written
                var auth = try #require(written.auth)
                let foreign = requests[(index + 1) % requests.count]
                flaw.apply(to: &auth, foreign: try #require(foreign.auth))
                request.auth = auth
                if flaw == .otherMethod {
                    request.method = try #require(home.methods.keys.sorted().first { $0 != written.method })
                }
                #expect(Self.code(await home.answer(inTheClear: request)) == flaw.code, "\(request.method)")
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    @Test(
        "what was signed more than five minutes before or after now opens no method",
        arguments: [-301, 301] as [TimeInterval]
    )
    func notFresh(offset: TimeInterval) async throws {
        try await MethodHome.run(date: MethodHome.date.addingTimeInterval(offset)) { home in
            let phone = try await home.phone(.clear, allowed: home.everything)
            for line in try [Dialect.jsonRPC, .signaling].flatMap({ try $0.firstLines() }) {
                #expect(try await phone.refusal(of: line)?.code == -32001)
            }
            #expect(try await home.effects() == [])
            await phone.end()
        }
    }

    @Test("a signed request that is sent again under another id, or with other parameters, is not done again")
    func replayed() async throws {
        try await MethodHome.run { home in
            let phone = try await home.phone(.clear, allowed: home.everything)
            let requests = try Self.signedRequests()
            for line in try Dialect.jsonRPC.firstLines() { _ = try await phone.answer(to: line) }
            home.log.clear()
            for (index, written) in requests.enumerated() {
                var request = written
                request.id = "again \(index)"
                #expect(Self.code(await home.answer(inTheClear: request)) == -32001, "\(request.method)")
                request.id = "otherwise \(index)"
                request.params = ["path": "~", "recursive": true, "force": true]
                #expect(Self.code(await home.answer(inTheClear: request)) == -32001, "\(request.method)")
            }
            #expect(home.log.effects == [])
            await phone.end()
        }
    }

    private static func signedRequests() throws -> [CommandRequest] {
        try Dialect.jsonRPC.firstLines().map { try CommandRequest(envelope: JSONValue(parsing: $0)) }
    }

    private static func code(_ response: CommandResponse) -> Int? {
        if case .failure(let failure) = response.outcome { failure.code } else { nil }
    }
}

extension MethodHome {
    fileprivate func method(of line: [UInt8]) throws -> RemoteMethod {
        try #require(methods[try CommandRequest(envelope: JSONValue(parsing: line)).method])
    }
}
