import Kernel
import Synchronization
import Terminal

/// Input for an open terminal, typed by a person or given by a script. Bytes of a character that is not complete yet
/// wait for the rest.
struct TypedKeys: Sendable {
    /// `~.` at the start of a line leaves the shell running, as ssh's does. Only where a person types.
    let watchesEscape: Bool

    /// - Parameter output: Told of what the terminal shows, so that the end of a script waits for a quiet moment.
    func inputs(beside output: TerminalActivity) -> AsyncStream<TerminalControl.Input> {
        let keys = KeyReader(scanner: KeyScanner(watchesEscape: watchesEscape), output: output)
        return AsyncStream { await keys.next() }
    }
}

/// When a terminal last showed something.
final class TerminalActivity: Sendable {
    private let last = Mutex(ContinuousClock.now)

    func note() { last.withLock { $0 = .now } }

    /// Returns once nothing was shown for so long.
    ///
    /// - Throws: `CancellationError`.
    func quiet(for duration: Duration) async throws {
        while true {
            let left = duration - (ContinuousClock.now - last.withLock(\.self))
            guard left > .zero else { return }
            try await Task.sleep(for: left)
        }
    }
}

/// Reads stdin for one consumer.
private actor KeyReader {
    private var scanner: KeyScanner
    private var bytes = StandardInput().makeAsyncIterator()
    private var waiting: [TerminalControl.Input] = []
    private var isAtEnd = false
    private let output: TerminalActivity
    private var pauses = Backoff(steps: [300, 600, 1200, 2500, 5000, 10_000].map(Duration.milliseconds), jitter: 0)

    init(scanner: KeyScanner, output: TerminalActivity) {
        self.scanner = scanner
        self.output = output
    }

    func next() async -> TerminalControl.Input? {
        while waiting.isEmpty {
            var reader = bytes
            if isAtEnd {
                guard await isTimeToEnd() else { return nil }
                return KeyScanner.endOfInput
            } else if let typed = await reader.next() {
                waiting = scanner.inputs(for: typed)
            } else {
                isAtEnd = true
                output.note()
                waiting = scanner.end()
            }
        }
        return waiting.removeFirst()
    }

    /// Ctrl-D is said when the terminal is quiet, and again until the shell has ended: a shell that sets up its line editor
    /// takes one that came before its prompt for a character, and a program that the script started takes one for itself.
    private func isTimeToEnd() async -> Bool {
        guard !scanner.watchesEscape else { return false }
        do {
            let pause = pauses.next()
            try await Task.sleep(for: pause)
            try await output.quiet(for: min(pause, .seconds(1)))
            return true
        } catch {
            return false  // the shell has ended
        }
    }
}

/// Finds whole characters and the escape in what is typed.
struct KeyScanner: Sendable {
    /// Ctrl-D: how a terminal says that nothing more is typed.
    static let endOfInput = TerminalControl.Input.text("\u{4}")

    let watchesEscape: Bool
    private var tail: [UInt8] = []
    private var last: UInt8?
    private var isAtLineStart = true
    private var hasTilde = false

    init(watchesEscape: Bool) { self.watchesEscape = watchesEscape }

    mutating func inputs(for typed: [UInt8]) -> [TerminalControl.Input] {
        last = typed.last ?? last
        var text = tail
        tail = []
        for byte in typed {
            if watchesEscape {
                if hasTilde {
                    hasTilde = false
                    if byte == UInt8(ascii: ".") { return Self.input(text) + [.detach] }
                    // Two tildes are one.
                    text.append(UInt8(ascii: "~"))
                    if byte == UInt8(ascii: "~") { continue }
                } else if isAtLineStart, byte == UInt8(ascii: "~") {
                    hasTilde = true
                    isAtLineStart = false
                    continue
                }
                isAtLineStart = byte == 0x0D || byte == 0x0A
            }
            text.append(byte)
        }
        let cut = Self.incompleteTail(of: text)
        tail = Array(text.suffix(cut))
        return Self.input(Array(text.dropLast(cut)))
    }

    /// The last line of a script is finished, as a shell that reads a file does. The end of a person's terminal, whose
    /// window was closed, leaves the shell running.
    mutating func end() -> [TerminalControl.Input] {
        defer { tail = [] }
        guard !watchesEscape else { return [.detach] }
        let isInLine = last != nil && last != UInt8(ascii: "\n")
        return Self.input(tail + (isInLine ? [UInt8(ascii: "\n")] : []))
    }

    private static func input(_ bytes: [UInt8]) -> [TerminalControl.Input] {
        bytes.isEmpty ? [] : [.text(String(decoding: bytes, as: UTF8.self))]
    }

    /// How many bytes at the end begin a character that is not whole.
    private static func incompleteTail(of bytes: [UInt8]) -> Int {
        for back in 1...3 where back <= bytes.count {
            let byte = bytes[bytes.count - back]
            if byte & 0xC0 == 0x80 { continue }
            let needed = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
            return needed > back ? back : 0
        }
        return 0
    }
}
