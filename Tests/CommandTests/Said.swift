import Synchronization

/// What a command said, in order.
final class Said: TextOutputStream, Sendable {
    private let parts = Mutex<[String]>([])

    var all: [String] { parts.withLock(\.self) }

    func write(_ text: String) { parts.withLock { $0.append(text) } }
}
