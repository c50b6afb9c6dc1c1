import CommandClient
import CommandServer
import Commands
import Control
import Dispatch
import FeatureTesting
import Files
import FilesHost
import Foundation
import HomeTesting
import Kernel
import Pairing
import Rights
import Synchronization
import SystemInfo
import SystemInfoHost
import TandemDesktop
import TandemPhone
import Testing
import Transfers

/// A disk that does not answer keeps every thread busy that works for phones. What the owner says, and what needs no disk, is done all the same.
@Suite("Nothing starves", .timeLimit(.minutes(4)))
struct StarvingTests {
    /// Shared folders on a disk that answers nothing until it is told to.
    private final class StuckFiles: FileAccess {
        struct GaveUp: Error {}

        let roots: FileRoots
        let begun: AsyncStream<Void>
        private let reader: AsyncStream<Void>.Continuation
        private let semaphore = DispatchSemaphore(value: 0)
        private let hasGivenUp = Mutex(false)

        init() throws {
            roots = try FileRoots(folders: [Array("/home/ada".utf8)], home: Array("/home/ada".utf8))
            (begun, reader) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .unbounded)
        }

        /// Whether a call waited for so long that it ended by itself: then somebody was kept waiting by it.
        var gaveUp: Bool { hasGivenUp.withLock { $0 } }

        func release() { for _ in 0..<1000 { semaphore.signal() } }

        private func stand() throws(FileError) -> Never {
            reader.yield()
            if semaphore.wait(timeout: .now() + 60) == .timedOut { hasGivenUp.withLock { $0 = true } }
            throw .notFound("/home/ada")
        }

        func status(of location: FileLocation, followingLink: Bool) throws(FileError) -> FileStatus { try stand() }
        func openFolder(_ location: FileLocation) throws(FileError) -> any OpenFolder { try stand() }
        func openFile(_ location: FileLocation) throws(FileError) -> any ReadableFile { try stand() }
        func makeFolder(_ location: FileLocation, withParents: Bool, permissions: UInt32?) throws(FileError) -> Bool {
            try stand()
        }
        func move(_ source: FileLocation, to target: FileLocation, replacing: Bool) throws(FileError) { try stand() }
        func trash(_ location: FileLocation) throws(FileError) { try stand() }
        func remove(_ location: FileLocation, recursively: Bool) throws(FileError) { try stand() }
        func checkTarget(_ location: FileLocation) throws(FileError) { try stand() }
        func makePart(_ name: [UInt8], in folder: FileLocation, size: Int64, holes: ByteRanges) throws(FileError)
            -> any PartialFile
        {
            try stand()
        }
        func openPart(_ name: [UInt8], in folder: FileLocation) throws(FileError) -> any PartialFile { try stand() }
        func openArrivals(_ folder: FileLocation) throws(FileError) -> any ArrivalFolder { try stand() }
    }

    @Test("while all calls for a phone wait for a disk, the owner takes a right back, and a ping is answered")
    func denied() async throws {
        let files = try StuckFiles()
        let plan = Home.Plan(host: [.files(files), SystemSkill.maker(information: InMemorySystem())])
        try await Home.run(plan) { home in
            let computer = try await home.pair(allowing: [.fileRead, .fileWrite])
            let peer = try await home.phone.peer(computer)
            let calls: [(method: String, parameters: JSONValue)] = [
                (FileMethods.search.name, ["path": "~", "pattern": "*.jpg"]),
                (FileMethods.list.name, ["path": "~"]),
                (FileMethods.requestDownload.name, ["filePath": "~/a"]),
                (FileMethods.requestUpload.name, ["fileName": "a", "fileSize": 9, "targetDir": "~"]),
            ]
            try await withThrowingDiscardingTaskGroup { group in
                // Released however the test ends: the home is not ended before its calls are.
                defer { files.release() }
                for (method, parameters) in calls {
                    // Together fewer than one phone may have under way, so that its ping is not one too many.
                    for _ in 0..<3 {
                        // Refused by then, or not found: only that they end matters.
                        group.addTask { _ = try? await peer.call(method, parameters, timeout: .seconds(100)) }
                    }
                }
                // At least two of each kind are in a call that blocks, and no core is left for more.
                var begun = files.begun.makeAsyncIterator()
                for _ in 0..<2 * calls.count { _ = await begun.next() }

                #expect(try await SystemClient(peer).ping().version == "1")
                let control = try await home.desktop.control
                let record = try await home.record()
                let list = try await control.handle(ControlRequest(id: 1, method: "devices.list"))
                #expect(list.canonicalText.contains(record.name))
                let denied = try await control.handle(
                    ControlRequest(
                        id: 2,
                        method: "devices.deny",
                        params: ["id": .string(record.name), "skills": ["file.read", "file.write"]]
                    )
                )
                #expect(denied["changed"] == ["file.read", "file.write"])
                #expect(try await home.record().allowedSkills.isDisjoint(with: [.fileRead, .fileWrite]))
                #expect(!files.gaveUp)
            }
        }
    }
}
