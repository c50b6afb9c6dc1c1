import KernelTesting
import MigrationTransfer
import Synchronization

/// A disk of the new phone that loses, at a cut of power, any part of what was not synchronized, and at whose k-th call the program is killed.
final class SimulatedDisk: Sendable {
    fileprivate struct Contents {
        var durable: [UInt8] = []
        var pending: [(offset: Int, bytes: [UInt8])] = []
        var size: Int?

        /// What a read sees: everything.
        var live: [UInt8] { Self.applied(pending, to: durable, size: size) }

        static func applied(_ writes: [(offset: Int, bytes: [UInt8])], to old: [UInt8], size: Int?) -> [UInt8] {
            var bytes = old
            if let size { bytes = Array(bytes.prefix(size)) }
            for write in writes {
                let end = write.offset + write.bytes.count
                if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
                bytes.replaceSubrange(write.offset..<end, with: write.bytes)
            }
            return bytes
        }
    }

    private struct State {
        var files: [String: Contents] = [:]
        var calls = 0
        var killAt: Int?
        var isDead = false
        var freeBytes = Int64.max / 4
        var failWrites: MigrationTransferError?
        var givesSpaceBack = false
    }

    private let state = Mutex(State())
    private let onKill = Mutex<(@Sendable () -> Void)?>(nil)

    var calls: Int { state.withLock(\.calls) }

    /// The program dies at its k-th call from now on: the call and all after it do nothing.
    func kill(atCall number: Int, _ die: @escaping @Sendable () -> Void) {
        state.withLock { $0.killAt = $0.calls + number }
        onKill.withLock { $0 = die }
    }

    /// Whether the program was killed.
    var isDead: Bool { state.withLock(\.isDead) }

    var freeBytes: Int64 {
        get { state.withLock(\.freeBytes) }
        set { state.withLock { $0.freeBytes = newValue } }
    }

    /// Whether it takes parts of files back.
    var givesSpaceBack: Bool {
        get { state.withLock(\.givesSpaceBack) }
        set { state.withLock { $0.givesSpaceBack = newValue } }
    }

    /// What each write throws from now on.
    func failWrites(_ error: MigrationTransferError?) { state.withLock { $0.failWrites = error } }

    /// The machine comes back after a loss of power: of each file's unsynchronized writes any may be there, whole or torn.
    func powerLoss(_ generator: inout SeededGenerator) {
        var drawn = generator
        state.withLock { state in
            for name in state.files.keys.sorted() {
                guard var file = state.files[name] else { continue }
                var kept: [(offset: Int, bytes: [UInt8])] = []
                for write in file.pending where drawn.chance(0.5) {
                    let isTorn = drawn.chance(0.3)
                    kept.append((write.offset, isTorn ? Array(write.bytes.prefix(write.bytes.count / 2)) : write.bytes))
                }
                file.durable = Contents.applied(kept, to: file.durable, size: file.size)
                (file.pending, file.size) = ([], nil)
                state.files[name] = file
            }
            state.isDead = false
            state.killAt = nil
        }
        generator = drawn
    }

    /// The program is started again on a machine that kept running: what was written is there.
    func restart() {
        state.withLock { state in
            state.isDead = false
            state.killAt = nil
        }
    }

    func contents(of name: String) -> [UInt8] { state.withLock { $0.files[name]?.live ?? [] } }

    func file(_ name: String) -> any SpoolFile { SimulatedFile(disk: self, name: name) }

    fileprivate func call<Value: Sendable>(
        _ name: String,
        _ body: @Sendable (inout Contents) throws -> Value
    ) throws -> Value {
        let (isDead, isKilled) = state.withLock { state in
            state.calls += 1
            let isKilled = !state.isDead && state.calls == state.killAt
            if isKilled { state.isDead = true }
            return (state.isDead, isKilled)
        }
        if isKilled { onKill.withLock { $0 }?() }
        guard !isDead else { throw CancellationError() }
        return try state.withLock { try body(&$0.files[name, default: Contents()]) }
    }

    private struct SimulatedFile: SpoolFile {
        let disk: SimulatedDisk
        let name: String

        func read(at offset: Int64, count: Int) throws -> [UInt8] {
            try disk.call(name) { Array($0.live.dropFirst(Int(offset)).prefix(count)) }
        }

        func write(_ bytes: [UInt8], at offset: Int64) throws {
            if let error = disk.state.withLock(\.failWrites) { throw error }
            try disk.call(name) { $0.pending.append((Int(offset), bytes)) }
        }

        func synchronize() throws {
            try disk.call(name) { file in
                file.durable = file.live
                (file.pending, file.size) = ([], nil)
            }
        }

        /// What is a hole reads as zeros, at once or after a loss of power or not at all.
        func release(_ range: Range<Int64>) throws {
            try disk.call(name) { file in
                let end = min(Int(range.upperBound), file.live.count)
                guard Int(range.lowerBound) < end else { return }
                let zeros = [UInt8](repeating: 0, count: end - Int(range.lowerBound))
                file.pending.append((Int(range.lowerBound), zeros))
            }
        }

        func truncate(to size: Int64) throws {
            try disk.call(name) { file in
                file.durable = Array(file.live.prefix(Int(size)))
                file.pending = []
            }
        }
    }
}
