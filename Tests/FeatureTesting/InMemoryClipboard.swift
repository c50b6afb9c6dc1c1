package import Clipboard
import ClipboardHost
package import CommandServer
import Synchronization

/// A clipboard whose owner offers exactly what a test says.
package final class InMemoryClipboard: ClipboardAccess {
    private let offered: Mutex<[(name: String, bytes: [UInt8])]>
    private let failure = Mutex<ToolError?>(nil)
    private let notice = Mutex<AsyncStream<Void>.Continuation?>(nil)
    private let counted = Mutex<[String: Int]>([:])
    /// Whether it says itself that something was copied.
    private let tells: Bool

    package init(_ offered: [(name: String, bytes: [UInt8])] = [], tells: Bool = false) {
        self.offered = Mutex(offered)
        self.tells = tells
    }

    package convenience init(text: String) { self.init([("UTF8_STRING", Array(text.utf8))]) }

    package var held: [(name: String, bytes: [UInt8])] { offered.withLock(\.self) }

    package func hold(_ contents: [(name: String, bytes: [UInt8])]) {
        offered.withLock { $0 = contents }
        _ = notice.withLock(\.self)?.yield()
    }

    /// How often this was read.
    package func reads(of offer: String) -> Int { counted.withLock { $0[offer] ?? 0 } }

    package func notices() async -> (any AsyncSequence<Void, Never> & Sendable)? {
        guard tells else { return nil }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        notice.withLock { $0 = continuation }
        return stream
    }

    package func fail(with error: ToolError?) { failure.withLock { $0 = error } }

    package func offers() async throws -> [String] {
        if let error = failure.withLock(\.self) { throw error }
        return held.map(\.name)
    }

    package func read(_ offer: String, limit: Int) async throws -> [UInt8] {
        counted.withLock { $0[offer, default: 0] += 1 }
        let bytes = held.first { $0.name == offer }?.bytes ?? []
        guard bytes.count <= limit else { throw ToolError.outputTooLarge(tool: "memory", limit: limit) }
        return bytes
    }

    package func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws {
        if let error = failure.withLock(\.self) { throw error }
        let names: [ClipboardKind: String] = [.text: "UTF8_STRING", .html: "text/html", .image: "image/png"]
        hold([(names[kind] ?? "", bytes)])
    }
}
