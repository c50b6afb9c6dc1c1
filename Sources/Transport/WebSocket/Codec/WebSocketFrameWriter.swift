package import NIOCore

/// Writes frames, each whole and final.
package enum WebSocketFrameWriter {
    /// Bytes of the head of an unmasked frame.
    @inlinable
    package static func headLength(payload count: Int) -> Int {
        count < 126 ? 2 : count <= 0xFFFF ? 4 : 10
    }

    /// Writes the head of an unmasked frame at `memory`, which has room for ``headLength(payload:)`` bytes.
    package static func writeHead(_ opcode: WebSocketOpcode, payload count: Int, to memory: UnsafeMutableRawPointer) {
        memory.storeBytes(of: 0x80 | opcode.rawValue, as: UInt8.self)
        if count < 126 {
            memory.storeBytes(of: UInt8(count), toByteOffset: 1, as: UInt8.self)
        } else if count <= 0xFFFF {
            memory.storeBytes(of: 126, toByteOffset: 1, as: UInt8.self)
            memory.storeBytes(of: UInt16(count).bigEndian, toByteOffset: 2, as: UInt16.self)
        } else {
            memory.storeBytes(of: 127, toByteOffset: 1, as: UInt8.self)
            memory.storeBytes(of: UInt64(count).bigEndian, toByteOffset: 2, as: UInt64.self)
        }
    }

    /// Appends an unmasked frame of two parts, which are not joined first.
    package static func append(
        _ opcode: WebSocketOpcode,
        _ payload: UnsafeRawBufferPointer,
        after start: UnsafeRawBufferPointer,
        to buffer: inout ByteBuffer
    ) {
        let head = headLength(payload: start.count + payload.count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: head) { memory in
            guard let base = memory.baseAddress else { return 0 }
            writeHead(opcode, payload: start.count + payload.count, to: base)
            return head
        }
        buffer.writeBytes(start)
        buffer.writeBytes(payload)
    }

    /// Appends an unmasked frame: a server's.
    package static func append(
        _ opcode: WebSocketOpcode,
        _ payload: UnsafeRawBufferPointer,
        to buffer: inout ByteBuffer
    ) {
        let head = headLength(payload: payload.count)
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: head + payload.count) { memory in
            guard let base = memory.baseAddress else { return 0 }
            writeHead(opcode, payload: payload.count, to: base)
            UnsafeMutableRawBufferPointer(rebasing: memory[head...]).copyMemory(from: payload)
            return head + payload.count
        }
    }

    /// Appends a masked frame: a client's.
    ///
    /// - Parameters:
    ///   - start: Bytes that go before `payload`, so that no caller has to join the two first.
    ///   - mask: Fresh random bits for each frame.
    package static func append(
        _ opcode: WebSocketOpcode,
        _ payload: UnsafeRawBufferPointer,
        after start: UnsafeRawBufferPointer = UnsafeRawBufferPointer(start: nil, count: 0),
        mask: UInt32,
        to buffer: inout ByteBuffer
    ) {
        let count = start.count + payload.count
        let head = headLength(payload: count) + 4
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: head + count) { memory in
            guard let base = memory.baseAddress else { return 0 }
            writeHead(opcode, payload: count, to: base)
            memory[1] |= 0x80
            base.storeBytes(of: mask.littleEndian, toByteOffset: head - 4, as: UInt32.self)
            var offset = 0
            for piece in [start, payload] {
                guard let from = piece.baseAddress else { continue }
                let to = base + head + offset
                _ = WebSocketMask.apply(mask, from: from, to: to, count: piece.count, offset: offset)
                offset += piece.count
            }
            return head + count
        }
    }

    /// The payload of a close frame. The reason is cut to what a control frame holds, at a character's end.
    package static func closePayload(_ code: WebSocketCloseCode?, reason: String) -> [UInt8] {
        guard let code else { return [] }
        var payload = [UInt8(code.rawValue >> 8), UInt8(truncatingIfNeeded: code.rawValue)]
        for character in reason {
            guard payload.count + character.utf8.count <= 125 else { break }
            payload += Array(character.utf8)
        }
        return payload
    }
}
