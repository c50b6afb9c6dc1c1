import Conversations
import Foundation
import Kernel
import Synchronization

/// Finds what forks begin with. Since 0.149 a fork's file names its parent and where the parent's text ends for it, and holds only what is new.
final class CodexForks: Sendable {
    /// Parents of parents.
    private static let depth = 32
    private static let limit = 20_000
    /// How long it is believed that a parent is gone.
    private static let patience = Duration.seconds(30)

    private struct Known {
        let identity: FileIdentity
        let base: CodexHead.Base?
    }

    private struct State {
        /// The known bases by path: the first line of a file never changes.
        var bases: [String: Known] = [:]
        var paths: [String: String] = [:]
        var missing: [String: ContinuousClock.Instant] = [:]
    }

    private let state = Mutex(State())

    /// Opens a rollout with what it begins with.
    ///
    /// - Parameter find: The path of a thread's file, looked for on the disk.
    func open(_ path: String, find: (String) -> String?) throws(AgentHistoryError) -> HistoryFile {
        try open(path, ids: [], find)
    }

    private func open(
        _ path: String,
        ids: Set<String>,
        _ find: (String) -> String?
    ) throws(AgentHistoryError) -> HistoryFile {
        let file = try HistoryFile.open(path)
        guard !file.path.hasSuffix(".json"), let base = try base(of: file) else { return file }
        guard ids.count < Self.depth, !ids.contains(base.thread), let parent = self.path(of: base.thread, find),
            let opened = try? open(parent, ids: ids.union([base.thread]), find)
        else {
            file.missingBase = base.thread
            return file
        }
        file.begin(with: opened, upTo: try Self.lineEnd(base.end, in: parent))
        return file
    }

    /// Where the line ends that a parent's text ends in: its last record counts whole.
    private static func lineEnd(_ end: Int64, in parent: String) throws(AgentHistoryError) -> Int64 {
        let file = try HistoryFile.open(parent)
        // In a compressed file, the line's end could only be found by unpacking everything before it.
        guard !file.isCompressed else { return end }
        let rest = try file.bytes(at: end - 1, count: 1)
        guard let last = rest.first, last != 0x0A else { return end }
        let more = try file.bytes(at: end, count: 1 << 20)
        return more.firstIndex(of: 0x0A).map { end + Int64($0) + 1 } ?? end
    }

    private func base(of file: HistoryFile) throws(AgentHistoryError) -> CodexHead.Base? {
        let known = state.withLock { $0.bases[file.path] }
        if let known, known.identity.device == file.identity.device, known.identity.inode == file.identity.inode {
            return known.base
        }
        // A file may be anything, of any size: only what begins like a record is read to a record's end.
        let start = HistoryLine.text(of: try file.bytes(at: 0, count: 4096))
        guard start.first == UInt8(ascii: "{") else { return nil }
        let head = try CodexHead.meta(file)
        // A file whose first line is not written yet has none that could be remembered.
        guard head.hasMeta else { return nil }
        state.withLock { state in
            if state.bases.count >= Self.limit { state.bases = [:] }
            state.bases[file.path] = Known(identity: file.identity, base: head.base)
        }
        return head.base
    }

    private func path(of thread: String, _ find: (String) -> String?) -> String? {
        let now = ContinuousClock.now
        let (known, missing) = state.withLock { ($0.paths[thread], $0.missing[thread]) }
        if let known, (try? HistoryFile.open(known)) != nil { return known }
        if let missing, now - missing < Self.patience { return nil }
        let found = find(thread)
        state.withLock { state in
            if state.paths.count >= Self.limit { state.paths = [:] }
            if state.missing.count >= Self.limit { state.missing = [:] }
            state.paths[thread] = found
            state.missing[thread] = found == nil ? now : nil
        }
        return found
    }
}
