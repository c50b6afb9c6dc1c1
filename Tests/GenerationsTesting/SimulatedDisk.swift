package import Foundation
package import Generations
import KernelTesting
import Synchronization

/// A disk in memory whose calls are counted, and which loses what was not synchronized when the power goes: bytes by sectors, names one by
/// one, some of the sectors torn. The same seed loses the same.
package final class SimulatedDisk: FileSystemPort {
    struct State: Sendable {
        /// By their numbers; the root is the first.
        var nodes = [SimulatedNode(isFolder: true)]
        /// In order, since they were synchronized.
        var namings: [SimulatedNaming] = []
        var keychain: [String: [UInt8]] = [:]
        var room = DiskRoom(free: 1 << 40, total: 1 << 41)
        var faults: [SimulatedFault] = []
        var calls = 0
        var synchronizations: [String] = []
        var struck = 0
        var writtenBytes = 0
        var isOver = false
    }

    let state: Mutex<State>

    package init() { state = Mutex(State()) }

    private init(_ state: State) { self.state = Mutex(state) }

    // MARK: Faults

    /// Calls since the disk was made, copied or restarted.
    package var calls: Int { state.withLock(\.calls) }
    /// What was synchronized since then, in order.
    package var synchronizations: [String] { state.withLock(\.synchronizations) }
    /// Bytes that were written since then.
    package var writtenBytes: Int { state.withLock(\.writtenBytes) }
    /// Whether the program has ended.
    package var isOver: Bool { state.withLock(\.isOver) }
    /// How often a fault struck.
    package var struck: Int { state.withLock(\.struck) }

    /// The same disk, with what is not synchronized, and with faults to come.
    package func copy(_ faults: [SimulatedFault] = []) -> SimulatedDisk {
        var copy = state.withLock(\.self)
        copy.faults = faults
        copy.calls = 0
        copy.synchronizations = []
        copy.struck = 0
        copy.writtenBytes = 0
        copy.isOver = false
        return SimulatedDisk(copy)
    }

    /// The space that ``room()`` answers.
    package func set(room: DiskRoom) { state.withLock { $0.room = room } }

    /// The disk as the next run of the program finds it.
    package func restarted(after end: SimulatedEnd) -> SimulatedDisk {
        let disk = copy()
        guard case .powerLoss(let seed) = end else { return disk }
        var generator = SeededGenerator(seed: seed)
        disk.state.withLock { $0.losePower(&generator) }
        return disk
    }

    enum Kind: Hashable { case read, write, names, synchronize }

    /// Counts a call. A fault that strikes it is its error.
    func strike(_ kind: Kind, _ path: String, _ state: inout State) throws(GenerationsError) {
        state.calls += 1
        let over = GenerationsError.failed(operation: "reach", path: path, code: EIO)
        guard !state.isOver else { throw over }
        for fault in state.faults {
            switch fault {
            case .end(atCall: state.calls):
                state.isOver = true
                state.struck += 1
                throw over
            case .fail(let first, let times, let error) where state.calls >= first && state.struck < times:
                // A full disk does not keep anybody from reading.
                if kind == .read || kind == .synchronize {
                    guard case .failed = error else { continue }
                }
                state.struck += 1
                throw error
            default: continue
            }
        }
    }

    /// - Returns: Whether the synchronization takes place.
    func synchronizes(_ path: String, _ state: inout State) throws(GenerationsError) -> Bool {
        try strike(.synchronize, path, &state)
        state.synchronizations.append(path)
        guard state.faults.contains(.loseSynchronization(state.synchronizations.count)) else { return true }
        state.struck += 1
        return false
    }

    private func call<Result: Sendable>(
        _ kind: Kind,
        _ path: StorePath,
        _ body: (inout State) throws(GenerationsError) -> Result
    ) throws(GenerationsError) -> Result {
        try state.withLock { state throws(GenerationsError) in
            try strike(kind, path.text, &state)
            return try body(&state)
        }
    }

    // MARK: The port

    package func url(of path: StorePath) -> URL { URL(fileURLWithPath: "/simulated/" + path.text) }

    package func open(_ path: StorePath, _ opening: FileOpening) throws(GenerationsError) -> any StoreFile {
        let node = try call(opening == .create ? .names : .read, path) { state throws(GenerationsError) in
            let found = state.node(path)
            guard opening == .create else {
                guard let found else { throw .notFound(path: path.text) }
                return found
            }
            guard found == nil else { throw .exists(path: path.text) }
            return try state.add(SimulatedNode(isFolder: false), at: path)
        }
        return SimulatedFile(disk: self, node: node, path: path.text)
    }

    package func makeFolder(_ path: StorePath) throws(GenerationsError) {
        try call(.names, path) { state throws(GenerationsError) in
            guard state.node(path) == nil else { throw .exists(path: path.text) }
            _ = try state.add(SimulatedNode(isFolder: true), at: path)
        }
    }

    package func rename(_ path: StorePath, to target: StorePath) throws(GenerationsError) {
        try call(.names, path) { state throws(GenerationsError) in
            guard let node = state.node(path) else { throw .notFound(path: path.text) }
            if let taken = state.node(target), state.nodes[taken].isFolder { throw .exists(path: target.text) }
            let keys = (try state.key(path), try state.key(target))
            state.apply(SimulatedNaming(names: [(keys.0, nil), (keys.1, node)]))
        }
    }

    package func removeFile(_ path: StorePath) throws(GenerationsError) {
        try call(.names, path) { state throws(GenerationsError) in
            guard state.node(path) != nil else { throw .notFound(path: path.text) }
            state.apply(SimulatedNaming(names: [(try state.key(path), nil)]))
        }
    }

    package func removeFolder(_ path: StorePath) throws(GenerationsError) {
        try call(.names, path) { state throws(GenerationsError) in
            guard let node = state.node(path) else { throw .notFound(path: path.text) }
            guard state.nodes[node].entries.isEmpty else { throw .notEmpty(path: path.text) }
            state.apply(SimulatedNaming(names: [(try state.key(path), nil)]))
        }
    }

    package func synchronizeFolder(_ path: StorePath) throws(GenerationsError) {
        try state.withLock { state throws(GenerationsError) in
            guard try synchronizes(path.text, &state) else { return }
            guard let node = state.node(path) else { throw .notFound(path: path.text) }
            state.synchronizeFolder(node)
        }
    }

    package func synchronizeTree(_ path: StorePath) throws(GenerationsError) {
        try state.withLock { state throws(GenerationsError) in
            guard try synchronizes(path.text, &state) else { return }
            guard let node = state.node(path) else { throw .notFound(path: path.text) }
            state.synchronizeTree(node)
        }
    }

    package func names(in path: StorePath, limit: Int) throws(GenerationsError) -> [String] {
        try call(.read, path) { state throws(GenerationsError) in
            guard let node = state.node(path) else { throw .notFound(path: path.text) }
            return Array(state.nodes[node].entries.keys.sorted().prefix(limit))
        }
    }

    package func status(of path: StorePath) throws(GenerationsError) -> EntryStatus? {
        try call(.read, path) { state throws(GenerationsError) in
            guard let node = state.node(path).map({ state.nodes[$0] }) else { return nil }
            return EntryStatus(kind: node.isFolder ? .folder : .file, size: UInt64(node.bytes.count))
        }
    }

    package func room() throws(GenerationsError) -> DiskRoom { try call(.read, .root) { state in state.room } }
}
