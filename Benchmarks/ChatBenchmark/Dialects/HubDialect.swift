/// A hub's socket: frames 1003 and 2001. Source: `docs/protocol.md`, "The socket".
struct HubDialect: Dialect {
    private static let message = Array(#""reqIdentifier":1003"#.utf8)
    private static let increment = Array(#""msgIncr":""#.utf8)
    private static let success = Array(#""errCode":0,"#.utf8)
    private static let push = Array(#""reqIdentifier":2001"#.utf8)
    private static let clientID = Array(#""clientMsgID":""#.utf8)
    /// Any key will do, as long as none of its bytes is zero: the server must do the work.
    private static let mask: [UInt8] = [0x37, 0xfa, 0x21, 0x3d]

    private let line: Line
    private let run: String

    init(line: Line, run: String) {
        self.line = line
        self.run = run
    }

    func open(port: UInt16) throws {
        try line.exchange(
            "GET /chat/socket HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\ntoken: \(line.person.secret)\r\n\r\n",
            until: "HTTP/1.1 101"
        )
        try line.exchange("", until: "\r\n\r\n")
    }

    func send(_ number: Int, to person: Person, body: String) {
        let text =
            #"{"reqIdentifier":1003,"msgIncr":"\#(number)","operationID":"b","data":{"sendID":"\#(line.person.id)","#
            + #""recvID":"\#(person.id)","sessionType":1,"contentType":101,"content":{"content":"\#(body)"},"#
            + #""clientMsgID":"\#(run)-\#(number)"}}"#
        line.put(Self.frame(0x81, Array(text.utf8)))
    }

    private static func frame(_ first: UInt8, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] =
            payload.count < 126
            ? [first, 0x80 | UInt8(payload.count)]
            : [first, 0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 0xff)]
        bytes += mask
        bytes.reserveCapacity(bytes.count + payload.count)
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ mask[index & 3]) }
        return bytes
    }

    func read(_ found: (Event) -> Void) throws {
        while let (opcode, payload, size) = next() {
            switch opcode {
            case 1: try read(payload, found)
            case 8: throw LoadError.closed(person: line.person.id)
            case 9: line.put(Self.frame(0x8a, Array(payload)))
            default: break
            }
            line.take(size)
        }
    }

    /// The next whole frame, and its bytes with its head.
    private func next() -> (opcode: UInt8, payload: ArraySlice<UInt8>, size: Int)? {
        let bytes = line.unread
        let start = bytes.startIndex
        guard bytes.count >= 2 else { return nil }
        var (count, head) = (Int(bytes[start + 1] & 0x7f), 2)
        if count >= 126 {
            let width = count == 126 ? 2 : 8
            guard bytes.count >= 2 + width else { return nil }
            count = bytes[start + 2..<start + 2 + width].reduce(0) { $0 << 8 | Int($1) }
            head += width
        }
        guard bytes.count >= head + count else { return nil }
        return (bytes[start] & 0x0f, bytes[start + head..<start + head + count], head + count)
    }

    private func read(_ text: ArraySlice<UInt8>, _ found: (Event) -> Void) throws {
        if text.first(Self.message) != nil {
            guard text.first(Self.success) != nil, let at = text.first(Self.increment),
                let number = text.number(at: at + Self.increment.count)
            else {
                throw LoadError.refused(
                    person: line.person.id,
                    answer: String(decoding: text.prefix(400), as: UTF8.self)
                )
            }
            found(.acknowledged(through: number))
        } else if text.first(Self.push) != nil, let at = text.first(Self.clientID) {
            // The digits behind the run and its hyphen; other pushes are of other runs.
            let id = at + Self.clientID.count
            let prefix = Array("\(run)-".utf8)
            guard text[id...].starts(with: prefix), let number = text.number(at: id + prefix.count) else { return }
            found(.delivered(number))
        }
    }
}
