package import Clipboard
import ClipboardHost
package import CommandServer
import Synchronization

/// A clipboard whose owner offers exactly what a test says.
package final class InMemoryClipboard: ClipboardAccess {
    private let offered: Mutex<[(name: String, bytes: [UInt8])]>
    private let failure = Mutex<ToolError?>(nil)

    package init(_ offered: [(name: String, bytes: [UInt8])] = []) { self.offered = Mutex(offered) }

    package convenience init(text: String) { self.init([("UTF8_STRING", Array(text.utf8))]) }

    package var held: [(name: String, bytes: [UInt8])] { offered.withLock(\.self) }

    package func hold(_ contents: [(name: String, bytes: [UInt8])]) { offered.withLock { $0 = contents } }

    package func fail(with error: ToolError?) { failure.withLock { $0 = error } }

    package func offers() async throws -> [String] {
        if let error = failure.withLock(\.self) { throw error }
        return held.map(\.name)
    }

    package func read(_ offer: String, limit: Int) async throws -> [UInt8] {
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
