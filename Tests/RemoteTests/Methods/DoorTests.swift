import Files
import Foundation
import Kernel
import Rights
import SystemInfo
import Testing

@testable import CommandServer
@testable import Commands

/// Every method that is served, times everybody who may not: each written request, in every dialect, through every door.
@Suite("Doors", .timeLimit(.minutes(5)))
struct DoorTests {
    /// Those without a record of their own, or who come past the session that theirs asks for.
    enum Outsider: CaseIterable, Sendable {
        case stranger
        /// With the name and the permissions of a paired phone, as far as it says.
        case impostor
        /// Paired with sealing; this came without.
        case unsealed

        func caller(_ scene: MethodScene) -> Caller {
            switch self {
            case .stranger: .stranger("did:key:z6MkStranger")
            case .impostor: scene.caller(.stranger, allowed: scene.everything)
            case .unsealed: scene.caller(.unsealed, allowed: scene.everything)
            }
        }

        var sentence: String { self == .unsealed ? "e2e-required: " : "not-paired: " }
    }

    @Test("nobody who is not paired, or comes past the session, gets anything done", arguments: Outsider.allCases)
    func outsiders(outsider: Outsider) async throws {
        let scene = try MethodScene()
        let caller = outsider.caller(scene)
        for dialect in Dialect.allCases {
            for line in try dialect.lines() {
                let failure = try await refusal(of: line, scene, caller)
                #expect(failure?.code == -32008)
                #expect(failure?.message.hasPrefix(outsider.sentence) == true)
            }
        }
        #expect(scene.log.effects == [])
    }

    @Test(
        "a paired phone without a skill's permission gets nothing of it done, and hears how to allow it",
        arguments: [Caller.Proof.session, .clear],
        [true, false]
    )
    func withoutPermission(proof: Caller.Proof, hasOthers: Bool) async throws {
        let scene = try MethodScene()
        for dialect in Dialect.allCases {
            for line in try dialect.lines() {
                let method = try method(of: line, scene)
                guard let permission = method.permission else { continue }
                #expect(
                    scene.rights.named(permission.name) == permission.rights,
                    "\(method.name) asks for no right there is"
                )
                let others = hasOthers ? scene.everything.subtracting(permission.rights) : []
                let failure = try await refusal(of: line, scene, scene.caller(proof, allowed: others))
                #expect(failure?.code == -32010, "\(method.name)")
                #expect(
                    failure?.message.hasSuffix("tandem devices allow \(MethodScene.phone) \(permission.name)") == true
                )
            }
        }
        #expect(scene.log.effects == [])
    }

    @Test("each right opens its own methods: reading files changes none, writing shows the content of none")
    func rightsOfMethods() throws {
        let scene = try MethodScene()
        func opened(by right: Right) -> Set<String> {
            let caller = scene.caller(.session, allowed: [right])
            return Set(scene.methods.values.filter { $0.permission.map { caller.may($0) } ?? false }.map(\.name))
        }
        let either = ["file.getFileInfo", "file.getInfo", "file.exists", "file.cancelTransfer", "file.listTransfers"]
        #expect(
            opened(by: .fileRead).subtracting(either) == [
                "file.listDirectory", "file.list", "file.readFile", "file.read", "file.search", "file.requestDownload",
                "file.downloadChunk", "file.completeDownload",
            ]
        )
        #expect(
            opened(by: .fileWrite).subtracting(either) == [
                "file.createDirectory", "file.rename", "file.move", "file.delete", "file.requestUpload",
                "file.uploadChunk", "file.completeUpload",
            ]
        )
        #expect(opened(by: .systemLogs) == ["sysinfo.getLogs"])
        #expect(opened(by: .notification) == [])
        for declaration in scene.rights.declarations {
            let methods = scene.methods.values.filter { opened(by: declaration.right).contains($0.name) }
            #expect(methods.map(\.risk).max() ?? .safe <= declaration.risk, "\(declaration.right)")
        }
    }

    @Test("what every paired phone may is that the computer is there, and what it offers")
    func openToAll() throws {
        let open = try MethodScene().methods.values.filter { $0.permission == nil }
        #expect(Set(open.map(\.name)) == ["system.ping", "registry.list", "skill.list"])
        #expect(open.allSatisfy { $0.risk == .safe })
    }

    @Test(
        "in the clear and unsigned nothing privileged is done, whatever is allowed",
        arguments: [Dialect.documented, .signaling]
    )
    func unsigned(dialect: Dialect) async throws {
        let scene = try MethodScene()
        let caller = scene.caller(.clear, allowed: scene.everything)
        for line in try dialect.lines() where try method(of: line, scene).risk == .privileged {
            let failure = try await refusal(of: line, scene, caller)
            #expect(failure?.code == -32010)
            #expect(failure?.message.contains("neither seals nor signs") == true)
        }
        #expect(scene.log.effects == [])
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
        let scene = try MethodScene()
        let caller = scene.caller(.clear, allowed: scene.everything)
        let requests = try Dialect.jsonRPC.lines().map { try CommandRequest(envelope: JSONValue(parsing: $0)) }
        for (index, written) in requests.enumerated() {
            var request = written
            var auth = try #require(written.auth)
            let foreign = requests[(index + 1) % requests.count]
            flaw.apply(to: &auth, foreign: try #require(foreign.auth))
            request.auth = auth
            if flaw == .otherMethod {
                request.method = try #require(scene.methods.keys.sorted().first { $0 != written.method })
            }
            #expect(code(await scene.router.answer(request, from: caller)) == flaw.code, "\(request.method)")
        }
        #expect(scene.log.effects == [])
    }

    @Test(
        "what was signed more than five minutes before or after now opens no method",
        arguments: [-301, 301] as [TimeInterval]
    )
    func notFresh(offset: TimeInterval) async throws {
        let written = Date(millisecondsSince1970: 1_790_000_000_000)
        let scene = try MethodScene(date: written.addingTimeInterval(offset))
        let caller = scene.caller(.clear, allowed: scene.everything)
        for dialect in [Dialect.jsonRPC, .signaling] {
            for line in try dialect.lines() {
                #expect(try await refusal(of: line, scene, caller)?.code == -32001)
            }
        }
        #expect(scene.log.effects == [])
    }

    @Test("a signed request that is sent again under another id, or with other parameters, is not done again")
    func replayed() async throws {
        let scene = try MethodScene()
        let caller = scene.caller(.clear, allowed: scene.everything)
        let requests = try Dialect.jsonRPC.lines().map { try CommandRequest(envelope: JSONValue(parsing: $0)) }
        for request in requests { _ = await scene.router.answer(request, from: caller) }
        scene.log.clear()
        for (index, written) in requests.enumerated() {
            var request = written
            request.id = "again \(index)"
            #expect(code(await scene.router.answer(request, from: caller)) == -32001, "\(request.method)")
            request.id = "otherwise \(index)"
            request.params = ["path": "~", "recursive": true, "force": true]
            #expect(code(await scene.router.answer(request, from: caller)) == -32001, "\(request.method)")
        }
        #expect(Set(scene.log.effects) == ["use a nonce"])
        await scene.shutDown()
    }

    // MARK: -

    private func method(of line: [UInt8], _ scene: MethodScene) throws -> RemoteMethod {
        try #require(scene.methods[try CommandRequest(envelope: JSONValue(parsing: line)).method])
    }

    private func refusal(of line: [UInt8], _ scene: MethodScene, _ caller: Caller) async throws -> RemoteFailure? {
        let outcome = try CommandResponse(envelope: try await scene.answer(line, from: caller)).outcome
        return if case .failure(let failure) = outcome { failure } else { nil }
    }

    private func code(_ response: CommandResponse) -> Int? {
        if case .failure(let failure) = response.outcome { failure.code } else { nil }
    }
}
