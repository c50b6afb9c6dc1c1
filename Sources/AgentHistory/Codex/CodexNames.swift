import Kernel
import Synchronization

/// The names that rollouts note for their threads themselves, in `thread_name_updated`. Both ends of a file are searched for the
/// bytes, and of one that grows only what is new.
final class CodexNames: Sendable {
    private struct Known {
        let identity: FileIdentity
        /// The offset behind the newest whole line that was searched.
        let end: Int64
        let name: String?
    }

    /// The name in one record. A name that was taken back is nil.
    private struct Found {
        let name: String?
    }

    /// Files that are remembered.
    private static let limit = 10_000
    /// Bytes that are searched at either end of a file: names are given behind the first answer, or lately.
    private static let part: Int64 = 1 << 20
    /// The most bytes a compressed file may unpack to; of a larger one, only the beginning is searched.
    private static let unpacking: Int64 = 64 << 20
    private static let type = "thread_name_updated"
    /// In the text of a message its quotation marks would stand behind backslashes.
    private static let pattern = BytePattern("\"\(type)\"", by: "_")

    private let known = Mutex<[String: Known]>([:])

    /// The newest name that a rollout notes for its thread; nil where there is none, and where it is far from both ends and was not
    /// seen coming.
    ///
    /// - Parameter thread: Its id. A fork of earlier versions also holds the records of its parent.
    func name(of thread: String, in file: HistoryFile) throws(AgentHistoryError) -> String? {
        guard let end = try file.end(within: Self.unpacking) else {
            let beginning = try file.bytes(at: 0, count: Int(Self.part))
            return try Self.newest(of: thread, in: beginning, from: 0, of: file)?.name
        }
        let earlier = known.withLock { $0[file.path] }
            .flatMap { known in
                let isSame =
                    known.identity.device == file.identity.device && known.identity.inode == file.identity.inode
                return isSame && known.end <= end ? known : nil
            }
        let start = max(earlier?.end ?? 0, end - Self.part)
        let newest = try file.bytes(at: start, count: Int(end - start))
        let name: String?
        if let found = try Self.newest(of: thread, in: newest, from: start, of: file) {
            name = found.name
        } else if let earlier {
            name = earlier.name
        } else if start > 0 {
            let beginning = try file.bytes(at: 0, count: Int(min(Self.part, start)) + Self.pattern.count - 1)
            name = try Self.newest(of: thread, in: beginning, from: 0, of: file)?.name
        } else {
            name = nil
        }
        // A line that is half written is searched again once it is whole.
        let searched = newest.lastIndex(of: 0x0A).map { start + Int64($0) + 1 } ?? start
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[file.path] = Known(identity: file.identity, end: searched, name: name)
        }
        return name
    }

    /// The name in the last of the records that begin in a part of a file.
    private static func newest(
        of thread: String,
        in bytes: [UInt8],
        from start: Int64,
        of file: HistoryFile
    ) throws(AgentHistoryError) -> Found? {
        for offset in pattern.matches(in: bytes).reversed() {
            guard let record = try HistoryRecord.around(start + Int64(offset), in: file),
                record.value["type"]?.stringValue == "event_msg", let event = record.value["payload"],
                event["type"]?.stringValue == type, event.name("thread_id", limit: 200).map({ $0 == thread }) ?? true
            else { continue }
            return Found(name: event.line("thread_name"))
        }
        return nil
    }
}
