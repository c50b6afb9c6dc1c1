import Foundation
import Kernel
import Synchronization

/// Names of sessions in the middle of long files, which a look at both ends does not see. The file is searched for the bytes, once: it only grows.
final class BuriedTitles: Sendable {
    struct Found: Hashable {
        var custom: String?
        var generated: String?
    }

    private struct Known {
        let identity: FileIdentity
        let end: Int64
        let found: Found
    }

    /// Files that are remembered.
    private static let limit = 10_000
    /// Bytes of one search, the newest of a file.
    private static let budget: Int64 = 64 << 20
    private static let chunk: Int64 = 1 << 20

    private let known = Mutex<[String: Known]>([:])

    /// - Parameter range: What was not read otherwise.
    func titles(in file: HistoryFile, _ range: Range<Int64>) throws(AgentHistoryError) -> Found {
        let earlier = known.withLock { $0[file.path] }
            .flatMap { known in
                let isSame =
                    known.identity.device == file.identity.device && known.identity.inode == file.identity.inode
                return isSame && known.end <= range.upperBound ? known : nil
            }
        let start = max(range.lowerBound, earlier?.end ?? 0, range.upperBound - Self.budget)
        var found = Found()
        if start < range.upperBound {
            found.custom = try Self.last("custom-title", "customTitle", in: file, start..<range.upperBound)
            if found.custom == nil {
                found.generated = try Self.last("ai-title", "aiTitle", in: file, start..<range.upperBound)
            }
        }
        found.custom = found.custom ?? earlier?.found.custom
        found.generated = found.generated ?? earlier?.found.generated
        let result = found
        known.withLock { known in
            if known.count >= Self.limit { known = [:] }
            known[file.path] = Known(identity: file.identity, end: range.upperBound, found: result)
        }
        return found
    }

    /// The text of the last record of a type, found from the end.
    private static func last(
        _ type: String,
        _ key: String,
        in file: HistoryFile,
        _ range: Range<Int64>
    ) throws(AgentHistoryError) -> String? {
        // The hyphen is rarer in such files than the other bytes.
        let pattern = BytePattern("\"\(type)\"", by: "-")
        var end = range.upperBound
        while end > range.lowerBound {
            let start = max(range.lowerBound, end - chunk)
            // A match may begin before the end of a chunk and end behind it.
            let count = Int(min(end + Int64(pattern.count) - 1, range.upperBound) - start)
            let bytes = try file.bytes(at: start, count: count)
            for offset in pattern.matches(in: bytes).reversed() {
                if let title = try title(type, key, in: file, at: start + Int64(offset)) { return title }
            }
            end = start
        }
        return nil
    }

    /// The title of the record around an offset; nil where the words stand in another record.
    private static func title(
        _ type: String,
        _ key: String,
        in file: HistoryFile,
        at offset: Int64
    ) throws(AgentHistoryError) -> String? {
        guard let record = try HistoryRecord.around(offset, in: file),
            record.value["type"]?.stringValue == type
        else { return nil }
        return record.value.line(key)
    }
}
