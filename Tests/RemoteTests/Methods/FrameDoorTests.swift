import Files
import Foundation
import Kernel
import KernelTesting
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

    /// A phone's two transfers that are under way.
    private func transfers(_ scene: MethodScene) async throws -> Transfers {
        let owner = scene.caller(.session, allowed: ["file.read", "file.write"])
        func begin(_ method: String, _ params: JSONValue) async throws -> TransferID {
            let request = CommandRequest(id: method, method: method, params: params)
            let answer = try await scene.router.answer(request, from: owner).outcome.get()
            return try #require(answer["transferId"]?.stringValue.flatMap(TransferID.init(text:)))
        }
        return Transfers(
            upload: try await begin("file.requestUpload", ["fileName": "new.txt", "fileSize": 5]),
            download: try await begin("file.requestDownload", ["filePath": "report.txt"])
        )
    }

    @Test(
        "outside of a session frames do nothing and are not answered, whatever their sender says it may",
        arguments: [Caller.Proof.stranger, .unsealed, .clear]
    )
    func outside(proof: Caller.Proof) async throws {
        let scene = try MethodScene()
        let transfers = try await transfers(scene)
        scene.log.clear()
        for frame in transfers.frames {
            scene.receive(frame: frame.bytes, from: scene.caller(proof, allowed: scene.everything))
        }
        await scene.shutDown()
        #expect(scene.log.effects == [])
        #expect(scene.frames.count == 0)
    }

    @Test("in a session frames do nothing without the permission, and their sender hears how to allow it")
    func withoutPermission() async throws {
        let scene = try MethodScene()
        let transfers = try await transfers(scene)
        scene.log.clear()
        for (index, frame) in transfers.frames.enumerated() {
            let right: Right = if case .want = frame.content { .fileRead } else { .fileWrite }
            // Every other right, the other one over files among them.
            let caller = scene.caller(.session, allowed: scene.everything.subtracting([right]))
            scene.receive(frame: frame.bytes, from: caller)
            let answer = try #require(await scene.frames.frames(index + 1, to: caller.id).last)
            guard case .refused(let code, let reason) = answer.content else {
                Issue.record("it was done")
                continue
            }
            #expect(answer.transfer == frame.transfer)
            #expect(code == -32010)
            #expect(reason.hasSuffix("tandem devices allow \(caller.id) \(right)"))
        }
        await scene.shutDown()
        #expect(scene.log.effects == [])
    }

    @Test("frames of another paired phone do nothing to a transfer, and tell it nothing of it")
    func otherPhone() async throws {
        let scene = try MethodScene()
        let transfers = try await transfers(scene)
        scene.log.clear()
        let other = scene.caller(.session, id: "did:key:z6MkOther", allowed: ["file.read", "file.write"])
        for (index, frame) in transfers.frames.enumerated() {
            scene.receive(frame: frame.bytes, from: other)
            let answer = try #require(await scene.frames.frames(index + 1, to: other.id).last)
            guard case .refused(let code, _) = answer.content else {
                Issue.record("it was done")
                continue
            }
            #expect(code == FailureCode.unknownTransfer)
        }
        await scene.shutDown()
        #expect(scene.log.effects == [])
    }

    @Test(
        "garbage instead of frames does nothing for whoever may not",
        arguments: [Caller.Proof.session, .clear, .unsealed, .stranger]
    )
    func garbage(proof: Caller.Proof) async throws {
        let scene = try MethodScene()
        let transfers = try await transfers(scene)
        scene.log.clear()
        var fuzz = FuzzedJSON(seed: 41, names: [])
        let allowed = proof == .session ? [] : scene.everything
        for _ in 0..<1000 {
            for frame in transfers.frames {
                scene.receive(
                    frame: fuzz.variation(of: frame.bytes),
                    from: scene.caller(proof, allowed: allowed)
                )
            }
        }
        await scene.shutDown()
        #expect(scene.log.effects == [])
    }

    @Test("garbage from the phone whose transfers they are reaches these two files and no other")
    func garbageFromOwner() async throws {
        let scene = try MethodScene()
        let transfers = try await transfers(scene)
        let paths = scene.files.paths
        scene.log.clear()
        var fuzz = FuzzedJSON(seed: 42, names: [])
        for _ in 0..<1000 {
            for frame in transfers.frames {
                scene.receive(
                    frame: fuzz.variation(of: frame.bytes),
                    from: scene.caller(.session, allowed: ["file.read", "file.write"])
                )
            }
        }
        await scene.shutDown()
        #expect(Set(scene.log.effects).isSubset(of: ["write a file", "read a file", "note an upload"]))
        #expect(scene.files.paths == paths)
        #expect(try scene.files.node("report.txt").bytes == Array("Quarterly figures\n".utf8))
        #expect(try scene.files.node("notes/todo.txt").bytes == Array("Call Bo at nine.\n".utf8))
    }
}
