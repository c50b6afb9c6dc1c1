import Generations
import Synchronization

/// A file of a simulated disk. It stays readable when its name is gone.
final class SimulatedFile: StoreFile {
    private let disk: SimulatedDisk
    private let node: Int
    private let path: String

    init(disk: SimulatedDisk, node: Int, path: String) {
        self.disk = disk
        self.node = node
        self.path = path
    }

    func read(_ count: Int, at offset: UInt64) throws(GenerationsError) -> [UInt8] {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.read, path, &state)
            return Array(state.nodes[node].bytes.dropFirst(Int(clamping: offset)).prefix(count))
        }
    }

    func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(GenerationsError) {
        try change(
            .write(offset: Int(offset), bytes: Array(bytes)),
            half: .write(offset: Int(offset), bytes: Array(bytes.prefix(bytes.count / 2)))
        )
    }

    func truncate(to size: UInt64) throws(GenerationsError) { try change(.truncate(size: Int(size)), half: nil) }

    private func change(_ change: SimulatedNode.Change, half: SimulatedNode.Change?) throws(GenerationsError) {
        try disk.state.withLock { state throws(GenerationsError) in
            let wasOver = state.isOver
            do throws(GenerationsError) {
                try disk.strike(.write, path, &state)
            } catch {
                if let half, !wasOver { state.nodes[node].change(half) }
                throw error
            }
            state.nodes[node].change(change)
            if case .write(_, let bytes) = change { state.writtenBytes += bytes.count }
        }
    }

    func synchronize() throws(GenerationsError) {
        try disk.state.withLock { state throws(GenerationsError) in
            let wasOver = state.isOver
            do throws(GenerationsError) {
                guard try disk.synchronizes(path, &state) else { return }
            } catch {
                // The system reports the loss once and counts the bytes as written.
                if !wasOver, !state.isOver { state.nodes[node].changes = [] }
                throw error
            }
            state.nodes[node].synchronize()
        }
    }

    func size() throws(GenerationsError) -> UInt64 {
        try disk.state.withLock { state throws(GenerationsError) in
            try disk.strike(.read, path, &state)
            return UInt64(state.nodes[node].bytes.count)
        }
    }

    func close() {}
}
