import Capabilities
import FeatureTesting
import Foundation
import Kernel
import Synchronization
import Testing

@testable import CommandServer
@testable import Commands
@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("Files over direct connections", .timeLimit(.minutes(4)))
struct DirectTests {
    private static let size = 12 << 20

    /// Made once, and compared in one go: a connection on which nothing moves for five seconds is gone.
    private static let large = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 11) })

    private func large() -> Data { Self.large }

    private func write(_ bytes: Data, _ path: String) throws { try bytes.write(to: URL(fileURLWithPath: path)) }

    private func read(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    /// Every byte went one way, and some of them directly. On a machine that has no time for them a connection may be idle in between, and
    /// the parts that find it gone go through the session.
    private func wentDirectly(_ client: FileTransferClient, _ count: Int64) -> Bool {
        client.moved.direct > 0 && client.moved.direct + client.moved.session == count
    }

    @Test(
        "a file goes to the computer and back over a connection of its own"
    )
    func bothWays() async throws {
        let scene = try DirectScene()
        let phone = try scene.phone("phone")
        try write(large(), scene.home + "/large")
        try await scene.connect(phone)
        #expect(phone.client.way == .direct(address: "127.0.0.1"))
        _ = try await phone.client.download(scene.home + "/large", to: phone.folder)
        #expect(try read(phone.folder + "/large") == large())
        #expect(wentDirectly(phone.client, Int64(Self.size)))
        let before = phone.client.moved.direct
        try await scene.connect(phone)
        _ = try await phone.client.upload(phone.folder + "/large", to: scene.home, replacing: true)
        #expect(try read(scene.home + "/large") == large())
        #expect(wentDirectly(phone.client, 2 * Int64(Self.size)))
        #expect(phone.client.moved.direct > before)
        #expect(try await scene.skill.checks().first?.reason == "directOpen")
        try await scene.end()
    }

    @Test("a transfer waits for no connection: it begins through the session, and goes on directly")
    func unawaited() async throws {
        let scene = try DirectScene()
        let phone = try scene.phone("phone")
        try write(large(), scene.home + "/large")
        _ = try await phone.client.download(scene.home + "/large", to: phone.folder)
        #expect(try read(phone.folder + "/large") == large())
        let moved = phone.client.moved
        #expect(moved.direct + moved.session == Int64(Self.size))
        #expect(moved.session > 0)
        try await scene.end()
    }

    @Test("a small file is through before a connection would be open, so none is opened for it")
    func small() async throws {
        let scene = try DirectScene()
        let phone = try scene.phone("phone")
        try write(Data([1, 2, 3]), scene.home + "/small")
        _ = try await phone.client.download(scene.home + "/small", to: phone.folder)
        #expect(scene.offers == 0)
        #expect(try await scene.skill.checks().first?.reason == "directWaits")
        try await scene.end()
    }

    @Test(
        "many small files go together, their contents in parts over the way that there is, and each arrives as it is",
        arguments: [TransferDirection.upload, .download],
        [true, false]
    )
    func smallFiles(direction: TransferDirection, isConnected: Bool) async throws {
        let scene = try DirectScene(settings: isConnected ? [:] : ["directFiles": false])
        let phone = try scene.phone("phone")
        let (count, size) = (300, 3000)
        let (source, target) = direction == .upload ? (phone.folder, scene.home) : (scene.home, phone.folder)
        try FileManager.default.createDirectory(atPath: source + "/many", withIntermediateDirectories: true)
        for number in 0..<count {
            try write(Data(repeating: UInt8(truncatingIfNeeded: number), count: size), source + "/many/\(number)")
        }
        if isConnected {
            try write(large(), scene.home + "/large")
            try await scene.connect(phone)
        }
        let report =
            switch direction {
            case .upload: try await phone.client.upload(source + "/many", to: target)
            case .download: try await phone.client.download(source + "/many", to: target)
            }
        #expect((report.files, report.skipped, report.bytes) == (count, [], Int64(count * size)))
        for number in 0..<count {
            let bytes = Data(repeating: UInt8(truncatingIfNeeded: number), count: size)
            #expect(try read(target + "/many/\(number)") == bytes)
        }
        // A batch has 256 files; the contents of the few that are left are within their exchange.
        let moved = phone.client.moved
        #expect(moved.direct + moved.session == Int64(256 * size))
        #expect(moved.direct == 0 || isConnected)
        #expect(isConnected || scene.offers == 0)
        // Nothing of it is left among the transfers.
        #expect(try scene.skill.batches.all.isEmpty)
        try await scene.end()
    }

    /// A scene whose computer ends the phone's connections once, on the thread that is about to read or write the second half of a file.
    private static func cutOnce() throws -> DirectScene {
        let scene = Mutex<DirectScene?>(nil)
        let cuts = Atomic(0)
        let made = try DirectScene(hook: { offset in
            guard offset >= Int64(size / 2), cuts.compareExchange(expected: 0, desired: 1, ordering: .relaxed).exchanged
            else { return }
            try? scene.withLock { $0 }?.skill.direct.revoke("did:key:phone")
        })
        scene.withLock { $0 = made }
        return made
    }

    @Test("a download that is cut in the middle goes on through the session, with what it has")
    func cutDownload() async throws {
        let made = try Self.cutOnce()
        let phone = try made.phone("phone")
        try write(large(), made.home + "/large")
        try await made.connect(phone)
        _ = try await phone.client.download(made.home + "/large", to: phone.folder)
        #expect(try read(phone.folder + "/large") == large())
        let moved = phone.client.moved
        #expect(moved.direct > 0 && moved.session > 0)
        #expect(moved.direct + moved.session == Int64(Self.size))
        guard case .session(let reason?) = phone.client.way else { return #expect(Bool(false), "\(phone.client.way)") }
        #expect(reason == .truncated)
        try await made.end()
    }

    @Test("an upload that is cut in the middle goes on through the session, and arrives whole")
    func cutUpload() async throws {
        let made = try Self.cutOnce()
        let phone = try made.phone("phone")
        try write(large(), made.home + "/large")
        try await made.connect(phone)
        try write(large(), phone.folder + "/mine")
        _ = try await phone.client.upload(phone.folder + "/mine", to: made.home)
        #expect(try read(made.home + "/mine") == large())
        let moved = phone.client.moved
        #expect(moved.direct > 0 && moved.session > 0)
        #expect(moved.direct + moved.session == Int64(Self.size))
        try await made.end()
    }

    @Test("where the port is not reached, or the computer gives no tickets any more, files go through the session")
    func refused() async throws {
        for closes in [true, false] {
            let scene = try DirectScene(port: closes ? nil : 1)
            let phone = try scene.phone("phone")
            try write(large(), scene.home + "/large")
            if closes { try scene.skill.direct.close() }
            try await scene.connect(phone)
            _ = try await phone.client.download(scene.home + "/large", to: phone.folder)
            #expect(try read(phone.folder + "/large") == large())
            #expect((phone.client.moved.direct, phone.client.moved.session) == (0, Int64(Self.size)))
            try await scene.end()
        }
    }

    @Test("a port that cannot be had is said to the computer's owner, and files go through the session")
    func unusablePort() async throws {
        let scene = try DirectScene(settings: ["directFilesPort": 70_000])
        let phone = try scene.phone("phone")
        try write(large(), scene.home + "/large")
        try await scene.connect(phone)
        _ = try await phone.client.download(scene.home + "/large", to: phone.folder)
        #expect(phone.client.moved.direct == 0)
        let check = try #require(try await scene.skill.checks().first)
        #expect(!check.works && check.detail.contains("70000 is no port"))
        try await scene.end()
    }

    @Test("turned off at the computer, no phone asks")
    func off() async throws {
        let scene = try DirectScene(settings: ["directFiles": false])
        let phone = try scene.phone("phone")
        try write(large(), scene.home + "/large")
        _ = try await phone.client.download(scene.home + "/large", to: phone.folder)
        #expect((phone.client.moved.direct, scene.offers) == (0, 0))
        #expect(try await scene.skill.checks().first?.reason == "directOff")
        try await scene.end()
    }

    @Test("two phones move files at the same time, and neither reaches the other's transfer")
    func secondPhone() async throws {
        let scene = try DirectScene()
        let (phone, tablet) = (try scene.phone("phone"), try scene.phone("tablet"))
        try write(large(), scene.home + "/large")
        try await scene.connect(phone)
        try await scene.connect(tablet)
        try await withThrowingTaskGroup { group in
            for each in [phone, tablet] {
                group.addTask { _ = try await each.client.download(scene.home + "/large", to: each.folder) }
            }
            try await group.waitForAll()
        }
        for each in [phone, tablet] {
            #expect(try read(each.folder + "/large") == large())
            #expect(wentDirectly(each.client, Int64(Self.size)))
        }
        let transfer = try await phone.client.requestDownload(scene.home + "/large", version: nil)
        try await scene.connect(tablet)
        await #expect {
            try await tablet.client.link?.fetch(4, at: 0, of: transfer.id) { _, _ in }
        } throws: { $0.transferCode == FailureCode.unknownTransfer }
        try await phone.client.link?.fetch(4, at: 0, of: transfer.id) { _, _ in }
        // The end of one phone's right is not the other's.
        try await scene.skill.revoke([.fileRead, .fileWrite], of: phone.caller.id, keeping: [])
        #expect(tablet.client.way == .direct(address: "127.0.0.1"))
        let other = try await tablet.client.requestDownload(scene.home + "/large", version: nil)
        try await tablet.client.link?.fetch(4, at: 0, of: other.id) { _, _ in }
        try await scene.end()
    }

    @Test(
        "a right that is taken away in the middle ends connection and transfer at both ends while the disk still answers nothing"
    )
    func revoked() async throws {
        let gate = HeldGate()
        let reached = AsyncStream<Void>.makeStream()
        let half = Int64(Self.size / 2)
        let scene = try DirectScene(hook: { offset in
            guard offset >= half else { return }
            reached.continuation.yield()
            gate.wait()
        })
        let phone = try scene.phone("phone")
        try write(large(), scene.home + "/large")
        try await scene.connect(phone)
        let download = Task { try await phone.client.download(scene.home + "/large", to: phone.folder) }
        for await _ in reached.stream { break }
        scene.deny(phone)
        try await scene.skill.revoke([.fileRead, .fileWrite], of: phone.caller.id, keeping: [])
        // The gate is shut: nothing that the phone is told now comes from that disk.
        await #expect { try await download.value } throws: { $0.transferCode == FailureCode.notAllowed }
        #expect(phone.client.way != .direct(address: "127.0.0.1"))
        gate.open()
        try await scene.end()
        #expect(!FileManager.default.fileExists(atPath: phone.folder + "/large"))
    }
}
