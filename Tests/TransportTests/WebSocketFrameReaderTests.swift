import Kernel
import NIOCore
import Testing
import Transport

@Suite("Reading frames", .timeLimit(.minutes(4)))
struct WebSocketFrameReaderTests {
    private enum Found: Equatable {
        case message(WebSocketDataKind, [UInt8])
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketCloseCode?, String)
    }

    private func read(
        _ pieces: [[UInt8]],
        role: WebSocketRole = .server,
        limit: Int = 1_000_000
    ) throws(WebSocketViolation) -> [Found] {
        var reader = WebSocketFrameReader(role: role, limit: limit)
        let scratch = WebSocketScratch()
        var found: [Found] = []
        for piece in pieces {
            var input = ByteBuffer(bytes: piece)
            while let event = try reader.next(&input, scratch: scratch) {
                switch event {
                case .small(let kind, let count, _): found.append(.message(kind, Array(scratch.bytes(count))))
                case .large(let kind, _): found.append(.message(kind, Array(reader.takeMessage().readableBytesView)))
                case .ping(let payload): found.append(.ping(payload))
                case .pong(let payload): found.append(.pong(payload))
                case .close(let code, let reason): found.append(.close(code, reason))
                }
            }
        }
        return found
    }

    private func frame(
        _ opcode: WebSocketOpcode,
        _ payload: [UInt8],
        isFinal: Bool = true,
        mask: UInt32? = 0xDEAD_BEEF
    ) -> [UInt8] {
        var buffer = ByteBuffer()
        payload.withUnsafeBytes { bytes in
            if let mask {
                WebSocketFrameWriter.append(opcode, bytes, mask: mask, to: &buffer)
            } else {
                WebSocketFrameWriter.append(opcode, bytes, to: &buffer)
            }
        }
        var frame = Array(buffer.readableBytesView)
        if !isFinal { frame[0] &= 0x7F }
        return frame
    }

    private let long = (0..<20_000).map { UInt8(ascii: "a") + UInt8($0 % 26) }

    @Test(
        "the same messages come out however the bytes were cut",
        arguments: [1, 2, 3, 5, 7, 13, 64, 1000, 8191, 100_000]
    )
    func cuts(size: Int) throws {
        let stream =
            frame(.text, Array("first".utf8)) + frame(.ping, [1]) + frame(.binary, long)
            + frame(.text, Array(long[..<9000]), isFinal: false) + frame(.pong, [])
            + frame(.continuation, Array(long[9000...]), isFinal: false) + frame(.continuation, [])
            + frame(.text, []) + frame(.text, Array(repeating: 0x61, count: 126))
            + frame(.close, [0x03, 0xE8] + Array("bye".utf8))
        let pieces = stride(from: 0, to: stream.count, by: size).map {
            Array(stream[$0..<min($0 + size, stream.count)])
        }
        let expected: [Found] = [
            .message(.text, Array("first".utf8)), .ping([1]), .message(.binary, long), .pong([]), .message(.text, long),
            .message(.text, []), .message(.text, Array(repeating: 0x61, count: 126)), .close(.normal, "bye"),
        ]
        #expect(try read(pieces) == expected)
    }

    @Test("a client reads unmasked frames, and each role refuses the other's")
    func roles() throws {
        let plain = frame(.text, [0x61], mask: nil)
        #expect(try read([plain], role: .client) == [.message(.text, [0x61])])
        #expect(throws: WebSocketViolation.unmaskedFrame) { try read([plain]) }
        #expect(throws: WebSocketViolation.maskedFrame) { try read([frame(.text, [0x61])], role: .client) }
    }

    @Test("a size over the limit is refused at the head, in one frame and over fragments")
    func limits() throws {
        #expect(throws: WebSocketViolation.messageTooBig(limit: 100)) {
            try read([Array(frame(.binary, Array(repeating: 0, count: 101)).prefix(8))], limit: 100)
        }
        let half = Array(repeating: UInt8(0), count: 60)
        #expect(throws: WebSocketViolation.messageTooBig(limit: 100)) {
            try read([frame(.binary, half, isFinal: false), frame(.continuation, half)], limit: 100)
        }
        #expect(throws: WebSocketViolation.messageTooBig(limit: 100)) {
            try read([[0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0]], limit: 100)
        }
    }

    @Test("a message inside a fragmented one, a continuation of nothing and a long ping are refused")
    func order() throws {
        #expect(throws: WebSocketViolation.interruptedMessage) {
            try read([frame(.text, [0x61], isFinal: false), frame(.text, [0x62])])
        }
        #expect(throws: WebSocketViolation.unexpectedContinuation) { try read([frame(.continuation, [0x61])]) }
        #expect(throws: WebSocketViolation.longControl) { try read([frame(.ping, Array(repeating: 0, count: 126))]) }
    }

    @Test("text is UTF-8 as a whole: a character may be cut between fragments and not at the end")
    func text() throws {
        let euro = Array("€".utf8)
        #expect(
            try read([frame(.text, [euro[0]], isFinal: false), frame(.continuation, Array(euro[1...]))])
                == [.message(.text, euro)]
        )
        #expect(throws: WebSocketViolation.invalidUTF8) { try read([frame(.text, [euro[0], euro[1]])]) }
        #expect(throws: WebSocketViolation.invalidUTF8) { try read([frame(.text, long + [0xFF])]) }
        #expect(try read([frame(.binary, [0xFF])]) == [.message(.binary, [0xFF])])
    }

    @Test("a close frame holds nothing, or a code that may be sent and a reason in UTF-8")
    func closes() throws {
        #expect(try read([frame(.close, [])]) == [.close(nil, "")])
        for code in [999, 1004, 1005, 1006, 1015, 2999, 5000] as [UInt16] {
            let payload = [UInt8(code >> 8), UInt8(truncatingIfNeeded: code)]
            #expect(throws: WebSocketViolation.invalidClose) { try read([frame(.close, payload)]) }
        }
        #expect(throws: WebSocketViolation.invalidUTF8) { try read([frame(.close, [0x03, 0xE8, 0xFF])]) }
    }

    @Test("unmasking finds what is in the bytes, wherever it stands", arguments: 0..<40)
    func facts(position: Int) {
        for (byte, expected) in [
            (UInt8(0x80), ByteFacts(hasNonASCII: true)), (0x1F, ByteFacts(hasControl: true)),
            (0x5C, ByteFacts(hasBackslash: true)), (0x20, ByteFacts()), (0x5D, ByteFacts()), (0x7F, ByteFacts()),
        ] {
            var plain = [UInt8](repeating: 0x61, count: 40)
            plain[position] = byte
            for offset in 0..<4 {
                let mask: UInt32 = 0x8142_7F01
                let masked = plain.enumerated().map { index, byte in
                    byte ^ UInt8(truncatingIfNeeded: mask >> UInt32((index + offset) % 4 * 8))
                }
                var result = [UInt8](repeating: 0, count: 40)
                let facts = masked.withUnsafeBytes { from in
                    result.withUnsafeMutableBytes { to in
                        from.baseAddress.flatMap { from in
                            to.baseAddress.map {
                                WebSocketMask.apply(mask, from: from, to: $0, count: 40, offset: offset)
                            }
                        }
                    }
                }
                #expect(result == plain)
                #expect(facts == expected)
            }
        }
    }

    @Test("the handshake's answer is the RFC's example, and a head is read strictly")
    func handshake() {
        #expect(WebSocketHandshake.accept(for: "dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
        #expect(HTTPHead(Array("GET / HTTP/1.1\r\nHost: a\r\n\r\n".utf8))?["host"] == "a")
        #expect(HTTPHead(Array("GET / HTTP/1.1\r\nHost : a\r\n\r\n".utf8)) == nil)
        #expect(HTTPHead(Array("GET / HTTP/1.1\r\n folded: a\r\n\r\n".utf8)) == nil)
        #expect(HTTPHead(Array("GET / HTTP/1.1\r\nHost: a".utf8)) == nil)
    }
}
