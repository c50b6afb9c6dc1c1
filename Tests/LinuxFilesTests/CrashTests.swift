import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Files
@testable import Transfers

@Suite("Transfers that crash", .timeLimit(.minutes(5)))
struct CrashTests {
    private static let tuning = TransferTuning(chunkSize: 4096, frameSize: 4096, batchSize: 12_288)

    /// For files that are worth a connection of their own.
    private static let largeTuning = TransferTuning(chunkSize: 32_768, frameSize: 32_768, batchSize: 131_072)

    /// Lives end at random steps until one gets to the end.
    ///
    /// - Parameter isNear: Whether parts go directly as well, once a connection is open; then the file is large enough for one.
    /// - Returns: The bytes that went each way, over all lives.
    @discardableResult
    private func run(
        seed: UInt64,
        direction: TransferDirection,
        usesFrames: Bool,
        isNear: Bool = false
    ) async throws -> ChosenByteLink.Moved {
        var generator = SeededGenerator(seed: seed)
        let scene = try CrashScene()
        let sizes = isNear ? (1 << 20)...(2 << 20) : 1...150_000
        let bytes = (0..<Int.random(in: sizes, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        var moved = ChosenByteLink.Moved()
        let (source, target) =
            direction == .upload ? (scene.phoneFolder, scene.desktopFolder) : (scene.desktopFolder, scene.phoneFolder)
        try Data(bytes).write(to: URL(fileURLWithPath: source + "/a b"))
        var lives = 0
        while true {
            lives += 1
            let steps = lives > 12 ? Int.max : Int.random(in: 1...160, using: &generator)
            let life = try Life(
                scene,
                steps: steps,
                usesFrames: usesFrames,
                isNear: isNear,
                tuning: isNear ? Self.largeTuning : Self.tuning
            )
            defer {
                moved.direct += life.client.moved.direct
                moved.session += life.client.moved.session
            }
            do {
                switch direction {
                case .upload: _ = try await life.client.upload(source + "/a b", to: scene.desktopFolder)
                case .download: _ = try await life.client.download(source + "/a b", to: scene.phoneFolder)
                }
                await life.end()
                break
            } catch {
                await life.end()
                // An answer that was lost after the last step: the file is there, and asking again says so.
                if case .exists = error as? FileError, Self.content(target) == bytes { break }
                try #require(life.isOver, "seed \(seed), life \(lives): \(error)")
            }
        }
        #expect(Self.content(target) == bytes, "seed \(seed)")
        #expect(try scene.parts() == [], "seed \(seed)")
        return moved
    }

    private static func content(_ folder: String) -> [UInt8]? {
        // Nil says it: it is not there.
        (try? Data(contentsOf: URL(fileURLWithPath: folder + "/a b"))).map(Array.init)
    }

    @Test(
        "an upload that both sides crash in at random arrives with the right bytes and leaves nothing behind: 100 runs"
    )
    func uploads() async throws {
        for seed in 0..<100 {
            try await run(seed: UInt64(seed), direction: .upload, usesFrames: seed % 3 != 0)
        }
    }

    @Test(
        "a transfer whose parts go directly and through the session, and that both sides crash in at random, arrives with the right bytes: 40 runs"
    )
    func bothWays() async throws {
        var moved = ChosenByteLink.Moved()
        for seed in 2000..<2040 {
            let run = try await run(
                seed: UInt64(seed),
                direction: seed.isMultiple(of: 2) ? .upload : .download,
                usesFrames: true,
                isNear: true
            )
            moved.direct += run.direct
            moved.session += run.session
        }
        // Otherwise it were a test of something else.
        #expect(moved.direct > 0 && moved.session > 0, "\(moved)")
    }

    @Test(
        "a download that both sides crash in at random arrives with the right bytes and leaves nothing behind: 100 runs"
    )
    func downloads() async throws {
        for seed in 1000..<1100 {
            try await run(seed: UInt64(seed), direction: .download, usesFrames: seed % 3 != 0)
        }
    }
}
