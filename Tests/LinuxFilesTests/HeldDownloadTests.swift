import CommandClient
import FeatureTesting
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing
import Transport

@testable import Commands
@testable import Files
@testable import Transfers

@Suite("What the program holds for the browser's downloads, and for how long", .timeLimit(.minutes(2)))
struct HeldDownloadTests {
    /// A computer over a real disk that can go away, and files of a page that asks it.
    private struct Scene {
        let files: FileScene
        let clock = ManualClock()
        let isReached = LatestValue(true)
        let client: FileTransferClient
        let computers: ScriptedComputers

        init() throws {
            files = try FileScene()
            let peer = ScriptedPeer(files.skill, as: files.caller)
            client = FileTransferClient(desktop: peer.id, journal: NoJournal(), time: clock) {
                [isReached] method, params, timeout in
                guard isReached.value else { throw RemoteError.notConnected }
                return try await peer.call(method, params, timeout: timeout)
            }
            computers = ScriptedComputers(peer, part: client)
        }

        func held(_ name: String) async throws -> (HeldDownload, RemoteTransfer) {
            let transfer = try await client.requestDownload(name, version: nil)
            return (HeldDownload(transfer, name, device: "did:key:z6MkHome", time: clock), transfer)
        }

        func body(_ held: HeldDownload, _ transfer: RemoteTransfer, from offset: Int64 = 0) throws -> HeldBody {
            try held.open(transfer, at: offset)
            return HeldBody(held, transfer, offset..<transfer.size, client: client, computers: computers, time: clock)
        }
    }

    private struct NoJournal: TransferJournal {
        func records() throws -> [TransferRecord] { [] }
        func save(_ record: TransferRecord) throws {}
        func remove(_ id: String) throws {}
        func saveAll(_ records: [TransferRecord]) throws {}
        func removeAll(_ ids: [String]) throws {}
    }

    private static func transfer() throws -> RemoteTransfer {
        let wire: JSONValue = ["transferId": "t", "chunkSize": 1024, "fileSize": 5, "version": "1"]
        return RemoteTransfer(try DownloadBegun(wire: wire), checksumKey: ChecksumMethod.newKey(), frameSize: 1024)
    }

    @Test("those that ended are forgotten first when there are many, and each after ten minutes")
    func forgetting() async throws {
        let clock = ManualClock()
        let table = HeldDownloads(time: clock)
        let open = try await table.enter("open", Self.transfer(), "a", device: "d")
        try open.open(Self.transfer(), at: 0)
        for index in 1..<HeldDownloads.limit {
            clock.advance(by: .seconds(1))
            try await table.enter("\(index)", Self.transfer(), "a", device: "d").cancel()
        }
        clock.advance(by: .seconds(1))
        _ = try await table.enter("new", Self.transfer(), "a", device: "d")
        #expect(await table["1"] == nil, "the oldest of those that ended")
        #expect(await table["2"] != nil)
        #expect(await table["open"] === open)
        clock.advance(by: HeldDownloads.lifetime - .seconds(1))
        #expect(await table["63"] == nil)
        #expect(await table["new"] != nil)
        clock.advance(by: .seconds(1))
        // The browser never came for it.
        #expect(await table["new"] == nil)
        #expect(await table["open"] === open, "a response is open")
        await #expect(throws: HeldDownloadError.unknown) { try await table.known("2") }
    }

    @Test("as many as may be open are, whether the browser has come or not")
    func room() async throws {
        let table = HeldDownloads(time: ManualClock())
        var held: [HeldDownload] = []
        for index in 0..<HeldDownloads.openLimit {
            held.append(try await table.enter("\(index)", Self.transfer(), "a", device: "d"))
        }
        let full = HeldDownloadError.tooMany(limit: HeldDownloads.openLimit)
        await #expect(throws: full) { try await table.enter("more", Self.transfer(), "a", device: "d") }
        #expect(try await table.enter("0", Self.transfer(), "a", device: "d") === held[0])
        // Over for the page, and its connection is still there.
        try held[0].open(Self.transfer(), at: 0)
        held[0].cancel()
        await #expect(throws: full) { try await table.checkRoom(for: "more") }
        held[0].closed()
        try await table.checkRoom(for: "more")
    }

    @Test("a computer that is away for ten minutes is waited for no more, and the browser may come back for the rest")
    func patience() async throws {
        let scene = try Scene()
        let content = (0..<1_500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try scene.files.write("a.bin", content)
        let (held, transfer) = try await scene.held("a.bin")
        var body: HeldBody? = try scene.body(held, transfer)
        var had: [UInt8] = try #require(try await body?.next())
        scene.isReached.set(false)
        // What was asked for ahead is given.
        let reading = Task { [body] in
            var rest: [UInt8] = []
            do {
                while let piece = try await body?.next() { rest += piece }
                return (rest, nil as (any Error)?)
            } catch {
                return (rest, error)
            }
        }
        let begun = scene.clock.now
        while !Task.isCancelled, held.status.state == .running, held.status.done < transfer.size { await Task.yield() }
        try #require(held.status.state == .away)
        while scene.clock.now - begun < HeldBody.patience {
            await scene.clock.sleeper(for: .seconds(1))
            #expect(held.status.state == .away)
            scene.clock.advance(by: .seconds(1))
        }
        let (rest, failure) = await reading.value
        had += rest
        // Its checksum could not be asked for, so its last part was not given.
        #expect(failure as? RemoteError == .notConnected)
        #expect(had.count < content.count)
        #expect(held.status.state == .failed)
        #expect(held.status.error?.kind == .away)
        body = nil
        scene.isReached.set(true)
        // The response is over when nothing holds its body any more.
        while !Task.isCancelled, (try? held.check()) == nil { await Task.yield() }
        let again = try await scene.client.requestDownload("a.bin", version: held.version)
        let second = try scene.body(held, again, from: Int64(had.count))
        #expect(held.status.state == .running)
        while let piece = try await second.next() { had += piece }
        #expect(had == content)
        #expect(held.status.state == .done)
    }

    @Test("a whole file has the computer's checksum also where the computer had forgotten it meanwhile")
    func checksum() async throws {
        let scene = try Scene()
        let content = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 5) }
        try scene.files.write("a.bin", content)
        let (held, transfer) = try await scene.held("a.bin")
        let body = try scene.body(held, transfer)
        var had = try #require(try await body.next())
        // As after a pause that was longer than the computer waits.
        _ = try await scene.client.call(FileMethods.cancelTransfer, NamedTransfer(transfer.text))
        while let piece = try await body.next() { had += piece }
        #expect(had == content)
        #expect(held.status.state == .done)
    }
}
