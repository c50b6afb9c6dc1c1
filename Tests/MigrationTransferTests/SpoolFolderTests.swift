import Foundation
import Kernel
import KernelTesting
import MigrationTransfer
import Testing

@Suite("Packages in a folder of the new phone")
struct SpoolFolderTests {
    private let root = FileManager.default.temporaryDirectory
        .appending(path: "spool-\(UUID().uuidString)", directoryHint: .isDirectory)
    private let work = BlockingWork("test.spool", width: 2)

    private func inFolder(_ body: (SpoolFolder) async throws -> Void) async throws {
        try await body(SpoolFolder(root, on: work, time: .system))
        // A test that wrote nothing has no folder.
        try? FileManager.default.removeItem(at: root)
    }

    private func mode(_ path: String) throws -> Int? {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue
    }

    @Test("a package that was begun is found again, and another one is opened beside it")
    func reopen() async throws {
        try await inFolder { folder in
            #expect(try await folder.unfinished() == nil)
            #expect(try await folder.availableBytes() > 0)
            let meta = PatternPackage(size: 5000, chunkSize: 1024).meta
            _ = try await folder.open(meta)
            #expect(try await folder.unfinished()?.meta == meta)
            let file = folder.packageFile(of: meta).path(percentEncoded: false)
            #expect(try mode(file) == 0o600)
            let other = PatternPackage(size: 5000, chunkSize: 1024, transferID: "../../evil").meta
            _ = try await folder.open(other)
            let names = try FileManager.default.contentsOfDirectory(atPath: root.path(percentEncoded: false))
            #expect(names.count == 2)
            #expect(names.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
            try await folder.remove(other)
            try await folder.remove(other)
            #expect(try await folder.unfinished()?.meta == meta)
        }
    }

    @Test("a journal that is damaged from its first record on begins the package anew")
    func damaged() async throws {
        try await inFolder { folder in
            let meta = PatternPackage(size: 5000, chunkSize: 1024).meta
            _ = try await folder.open(meta)
            let journal = folder.packageFile(of: meta).deletingLastPathComponent().appending(path: "transfer.journal")
            try Data([1, 2, 3]).write(to: journal)
            #expect(try await folder.unfinished() == nil)
            #expect(try await folder.open(meta).meta == meta)
            #expect(try await folder.unfinished()?.meta == meta)
        }
    }

    @Test("a package that nothing was added to for seven days goes when another one is opened")
    func retention() async throws {
        let clock = ManualClock(date: Date())
        let folder = SpoolFolder(root, on: work, time: clock)
        let old = PatternPackage(size: 5000, chunkSize: 1024, transferID: "old").meta
        _ = try await folder.open(old)
        clock.advance(by: .seconds(6 * 24 * 3600))
        _ = try await folder.open(PatternPackage(size: 5000, chunkSize: 1024, transferID: "second").meta)
        let file = folder.packageFile(of: old).path(percentEncoded: false)
        #expect(FileManager.default.fileExists(atPath: file))
        clock.advance(by: .seconds(2 * 24 * 3600))
        _ = try await folder.open(PatternPackage(size: 5000, chunkSize: 1024, transferID: "third").meta)
        #expect(!FileManager.default.fileExists(atPath: file))
        try FileManager.default.removeItem(at: root)
    }

    @Test("#3 over TCP on this machine a package arrives in a file, whichever side dials", arguments: [true, false])
    func overTCP(sourceDials: Bool) async throws {
        let listener = try await TCPLinkListener.bind(host: "127.0.0.1", port: 0)
        let dialer = try TCPLinkDialer(["127.0.0.1:\(listener.port)"])
        let target = MigrationCredentials(time: .system) { _ in }
        let shown = await target.show(addresses: ["127.0.0.1:\(listener.port)"])
        let source = MigrationCredentials(time: .system, keep: { _ in }) { .code(try MigrationCode(shown.code.text)) }
        let package = PatternPackage(size: 20_000_000, chunkSize: 1 << 20)
        let sender = PackageSender(transferID: package.meta.transferID, time: .system)
        try await sender.offer(package.meta, from: package)
        let folder = SpoolFolder(root, on: work, time: .system)
        let receiver = PackageReceiver(store: folder, time: .system) { _ in .accept }
        let sending = MigrationSessionManager(
            sending: sender,
            as: TwoPhones.profile(.source),
            credentials: source,
            over: sourceDials ? dialer : listener,
            time: .system
        )
        let receiving = MigrationSessionManager(
            receiving: receiver,
            as: TwoPhones.profile(.target),
            credentials: target,
            over: sourceDials ? listener : dialer,
            time: .system
        )
        let ends = try await withTimeout(TwoPhones.limit, on: .system, throwing: TimedOut()) {
            async let restoring: Void = TwoPhones.restoring(receiver)
            async let first = sending.run()
            async let second = receiving.run()
            let both = try await (first, second)
            try await restoring
            return both
        }
        #expect(ends == (.restored, .restored))
        #expect(try Data(contentsOf: folder.packageFile(of: package.meta)) == Data(package.whole))
        #expect(package.readBytes == package.meta.encSize)
        await receiver.close()
        await listener.close()
        try FileManager.default.removeItem(at: root)
    }

    @Test("an address that nobody listens at is a lost link, and the next attempt tries the next address")
    func addresses() async throws {
        let listener = try await TCPLinkListener.bind(host: "127.0.0.1", port: 0)
        let closed = try await TCPLinkListener.bind(host: "127.0.0.1", port: 0)
        let port = closed.port
        await closed.close()
        let dialer = try TCPLinkDialer(["127.0.0.1:\(port)", "127.0.0.1:\(listener.port)"])
        await #expect(throws: MigrationTransferError.linkLost) { try await dialer.next() }
        let link = try await dialer.next()
        let accepted = try await listener.next()
        try await link.send([1, 2, 3])
        #expect(try await accepted.receive() == [1, 2, 3])
        #expect(accepted.bytesHeard == 7)
        link.close()
        #expect(try await accepted.receive() == nil)
        // Whoever listens there was not the other phone: the address before it is tried again, and then this one.
        await dialer.passOver()
        await #expect(throws: MigrationTransferError.linkLost) { try await dialer.next() }
        try await dialer.next().close()
        await listener.close()
        await #expect(throws: MigrationTransferError.linkLost) { try await listener.next() }
        await #expect(throws: MigrationTransferError.badAddress(what: "not-an-address:1")) {
            try await TCPLinkListener.bind(host: "not-an-address", port: 1)
        }
    }
}
