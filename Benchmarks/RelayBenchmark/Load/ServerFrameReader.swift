/// Counts the frames a server sends. Looks at heads only, so that the load costs as little as can be.
struct ServerFrameReader {
    private enum Expected { case opcode, length, extendedLength(bytes: Int), payload }

    private var expected = Expected.opcode
    private var opcode: UInt8 = 0
    private var remaining = 0
    private var control: [UInt8] = []
    /// What pings asked to have back.
    private(set) var pings: [[UInt8]] = []
    private(set) var isClosed = false

    /// - Returns: How many text and binary frames ended in these bytes.
    mutating func read(_ bytes: UnsafeRawBufferPointer) -> Int {
        var index = 0
        var completed = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch expected {
            case .opcode:
                opcode = byte & 0x0f
                expected = .length
                index += 1
            case .length:
                index += 1
                remaining = Int(byte & 0x7f)
                switch remaining {
                case 126: (expected, remaining) = (.extendedLength(bytes: 2), 0)
                case 127: (expected, remaining) = (.extendedLength(bytes: 8), 0)
                case 0: completed += finish()
                default: expected = .payload
                }
            case .extendedLength(let count):
                index += 1
                remaining = remaining << 8 | Int(byte)
                expected = count > 1 ? .extendedLength(bytes: count - 1) : .payload
            case .payload:
                let taken = min(remaining, bytes.count - index)
                if opcode >= 8 { control += bytes[index..<index + taken] }
                index += taken
                remaining -= taken
                if remaining == 0 { completed += finish() }
            }
        }
        return completed
    }

    private mutating func finish() -> Int {
        expected = .opcode
        guard opcode >= 8 else { return 1 }
        if opcode == 9 { pings.append(control) }
        if opcode == 8 { isClosed = true }
        control = []
        return 0
    }

    mutating func takePings() -> [[UInt8]] {
        defer { pings = [] }
        return pings
    }
}
