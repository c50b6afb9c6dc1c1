import Clipboard
import ClipboardHost
import FeatureTesting

/// A clipboard in memory, each use of it noted.
final class RecordingClipboard: ClipboardAccess {
    private let clipboard: InMemoryClipboard
    private let log: EffectLog

    init(text: String, log: EffectLog) {
        clipboard = InMemoryClipboard(text: text)
        self.log = log
    }

    func offers() async throws -> [String] {
        log.note("look at the clipboard")
        return try await clipboard.offers()
    }

    func read(_ offer: String, limit: Int) async throws -> [UInt8] {
        log.note("read the clipboard")
        return try await clipboard.read(offer, limit: limit)
    }

    func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws {
        log.note("write the clipboard")
        try await clipboard.write(bytes, as: kind)
    }
}
