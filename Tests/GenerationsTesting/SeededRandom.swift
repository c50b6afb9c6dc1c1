import Generations
import KernelTesting
import Synchronization

/// The same bytes for the same seed.
package final class SeededRandom: RandomPort {
    private let generator: Mutex<SeededGenerator>

    package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    package func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in
            var bytes: [UInt8] = []
            for _ in 0..<count { bytes.append(UInt8(truncatingIfNeeded: generator.next())) }
            return bytes
        }
    }
}
