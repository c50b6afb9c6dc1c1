import Files
import Foundation
import Kernel
import KernelTesting
import Pairing
import Rights
import Testing

@testable import CommandServer
@testable import Commands
@testable import FilesHost
@testable import Transfers

/// The one way to files beside the methods: binary messages.
@Suite("The door for frames", .timeLimit(.minutes(5)))
struct FrameDoorTests {
    private struct Transfers {
        let upload: TransferID
        let download: TransferID

        /// Frames that would do something if they came from the phone whose transfers they name.
        var frames: [TransferFrame] {
            [
                TransferFrame(transfer: upload, offset: 0, content: .data(Array("evil!".utf8)[...])),
                TransferFrame(transfer: upload, offset: 2, content: .data([0x21])),
                TransferFrame(transfer: download, offset: 0, content: .want(count: 18)),
            ]
        }
    }

    /// A phone with two transfers that are under way.
    private func begin(_ home: MethodHome) async throws -> (owner: RawPhone, transfers: Transfers) {
        let owner = try await home.phone(.session, allowed: [.fileRead, .fileWrite])
        func begin(_ method: String, _ params: JSONValue) async throws -> TransferID {
            let request = CommandRequest(id: method, method: method, params: params).envelope(mobileDID: owner.id)
            let answer = try CommandResponse(envelope: await owner.answer(to: request.canonicalBytes)).outcome.get()
            return try #require(answer["transferId"]?.stringValue.flatMap(TransferID.init(text:)))
        }
        let transfers = Transfers(
            upload: try await begin("file.requestUpload", ["fileName": "new.txt", "fileSize": 5]),
            download: try await begin("file.requestDownload", ["filePath": "report.txt"])
        )
        home.log.clear()
        return (owner, transfers)
    }

    /// Sends what does nothing, and returns once the computer has taken it and is stopped.
    private func send(_ frames: [[UInt8]], from phone: RawPhone, in home: MethodHome) async throws {
        for frame in frames { try await phone.send(frame: frame) }
        // Messages are taken in their order, so that the answer says that the frames were.
        let ping = CommandRequest(id: "last", method: "system.ping").envelope(mobileDID: phone.id)
        _ = try await phone.answer(to: ping.canonicalBytes)
        await home.stop()
        await phone.end()
    }

    @Test(
        "outside of a session frames do nothing, whatever their sender is allowed",
        arguments: [Caller.Proof.stranger, .unsealed, .clear]
    )
    func outside(proof: Caller.Proof) async throws {
        try await MethodHome.run { home in
            let (owner, transfers) = try await begin(home)
            let phone = try await home.phone(proof, allowed: home.everything)
            try await send(transfers.frames.map(\.bytes), from: phone, in: home)
            #expect(home.log.effects.filter { $0 != "run system.ping" } == [])
            await owner.end()
        }
    }

    @Test("in a session frames do nothing without the permission, and their sender hears how to allow it")
    func withoutPermission() async throws {
        try await MethodHome.run { home in
            let (owner, transfers) = try await begin(home)
            let phone = try await home.phone(.session)
            for frame in transfers.frames {
                let right: Right = if case .want = frame.content { .fileRead } else { .fileWrite }
                // Every other right, the other one over files among them.
                try await home.allow(home.everything.subtracting([right]), to: phone)
                try await phone.send(frame: frame.bytes)
                let answer = try await phone.frame()
                guard case .refused(let code, let reason) = answer.content else {
                    Issue.record("it was done")
                    continue
                }
                #expect(answer.transfer == frame.transfer)
                #expect(code == -32010)
                #expect(
                    reason.hasSuffix("tandem devices allow \(TerminalText.name(phone.record?.name ?? "")) \(right)")
                )
            }
            await home.stop()
            #expect(home.log.effects == [])
            for phone in [owner, phone] { await phone.end() }
        }
    }

    @Test("frames of another paired phone do nothing to a transfer, and tell it nothing of it")
    func otherPhone() async throws {
        try await MethodHome.run { home in
            let (owner, transfers) = try await begin(home)
            let other = try await home.phone(.session, allowed: [.fileRead, .fileWrite])
            for frame in transfers.frames {
                try await other.send(frame: frame.bytes)
                guard case .refused(let code, _) = try await other.frame().content else {
                    Issue.record("it was done")
                    continue
                }
                #expect(code == FailureCode.unknownTransfer)
            }
            await home.stop()
            #expect(home.log.effects == [])
            for phone in [owner, other] { await phone.end() }
        }
    }

    @Test(
        "garbage instead of frames does nothing for whoever may not",
        arguments: [Caller.Proof.session, .clear, .unsealed, .stranger]
    )
    func garbage(proof: Caller.Proof) async throws {
        try await MethodHome.run { home in
            let (owner, transfers) = try await begin(home)
            let phone = try await home.phone(proof, allowed: proof == .session ? [] : home.everything)
            try await send(Self.damaged(transfers, seed: 41), from: phone, in: home)
            #expect(home.log.effects.filter { $0 != "run system.ping" } == [])
            await owner.end()
        }
    }

    @Test("garbage from the phone whose transfers they are reaches these two files and no other")
    func garbageFromOwner() async throws {
        try await MethodHome.run { home in
            let (owner, transfers) = try await begin(home)
            let paths = home.files.paths
            try await send(Self.damaged(transfers, seed: 42), from: owner, in: home)
            #expect(Set(home.log.effects).isSubset(of: ["write a file", "read a file", "run system.ping"]))
            #expect(home.files.paths == paths)
            #expect(try home.files.node("report.txt").bytes == Array("Quarterly figures\n".utf8))
            #expect(try home.files.node("notes/todo.txt").bytes == Array("Call Bo at nine.\n".utf8))
        }
    }

    private static func damaged(_ transfers: Transfers, seed: UInt64) -> [[UInt8]] {
        var fuzz = FuzzedJSON(seed: seed, names: [])
        return (0..<1000).flatMap { _ in transfers.frames.map { fuzz.variation(of: $0.bytes) } }
    }
}
