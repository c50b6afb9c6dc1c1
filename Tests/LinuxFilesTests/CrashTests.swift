import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Files
@testable import Transfers

@Suite("Transfers that crash", .timeLimit(.minutes(5)))
struct CrashTests {
    private static let tuning = TransferTuning(chunkSize: 4096, frameSize: 4096, batchSize: 12_288)

    /// Lives end at random steps until one gets to the end.
    private func run(seed: UInt64, direction: TransferDirection, usesFrames: Bool) async throws {
        var generator = SeededGenerator(seed: seed)
        let scene = try CrashScene()
        let bytes = (0..<Int.random(in: 1...150_000, using: &generator)).map { _ in
            UInt8.random(in: 0...255, using: &generator)
        }
        let (source, target) =
            direction == .upload ? (scene.phoneFolder, scene.desktopFolder) : (scene.desktopFolder, scene.phoneFolder)
        try Data(bytes).write(to: URL(fileURLWithPath: source + "/a b"))
        var lives = 0
        while true {
            lives += 1
            let steps = lives > 12 ? Int.max : Int.random(in: 1...160, using: &generator)
            let life = try Life(scene, steps: steps, usesFrames: usesFrames, tuning: Self.tuning)
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
        "a download that both sides crash in at random arrives with the right bytes and leaves nothing behind: 100 runs"
    )
    func downloads() async throws {
        for seed in 1000..<1100 {
            try await run(seed: UInt64(seed), direction: .download, usesFrames: seed % 3 != 0)
        }
    }
}
