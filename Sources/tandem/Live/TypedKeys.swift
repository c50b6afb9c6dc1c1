import Kernel

/// What the person types, as input for an open terminal. Bytes of a character that is not complete yet wait for the rest.
struct TypedKeys: Sendable {
    /// `~.` at the start of a line leaves the shell running, as ssh's does. Only where a person types.
    let watchesEscape: Bool

    func inputs() -> AsyncStream<JSONValue> {
        let scanner = KeyScanner(watchesEscape: watchesEscape)
        let keys = KeyReader(scanner: scanner)
        return AsyncStream { await keys.next() }
    }
}

/// Reads stdin for one consumer.
private actor KeyReader {
    private var scanner: KeyScanner
    private var bytes = StandardInput().makeAsyncIterator()
    private var waiting: [JSONValue] = []
    private var isAtEnd = false

    init(scanner: KeyScanner) { self.scanner = scanner }

    func next() async -> JSONValue? {
        while waiting.isEmpty {
            var reader = bytes
            guard !isAtEnd else { return nil }
            if let typed = await reader.next() {
                waiting = scanner.inputs(for: typed)
            } else {
                isAtEnd = true
                waiting = scanner.end()
            }
        }
        return waiting.removeFirst()
    }
}

/// Finds whole characters and the escape in what is typed.
struct KeyScanner: Sendable {
    private let watchesEscape: Bool
    private var tail: [UInt8] = []
    private var isAtLineStart = true
    private var hasTilde = false

    init(watchesEscape: Bool) { self.watchesEscape = watchesEscape }

    mutating func inputs(for typed: [UInt8]) -> [JSONValue] {
        var text = tail
        tail = []
        for byte in typed {
            if watchesEscape {
                if hasTilde {
                    hasTilde = false
                    if byte == UInt8(ascii: ".") { return Self.input(text) + [["detach": true]] }
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

    /// A script's end is told to the shell as a person would: with Ctrl-D.
    mutating func end() -> [JSONValue] {
        defer { tail = [] }
        return Self.input(tail + (watchesEscape ? [] : [0x04]))
    }

    private static func input(_ bytes: [UInt8]) -> [JSONValue] {
        bytes.isEmpty ? [] : [["text": .string(String(decoding: bytes, as: UTF8.self))]]
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
