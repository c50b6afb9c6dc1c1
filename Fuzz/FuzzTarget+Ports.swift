import Commands
import Kernel
import PortForwarding
import RemoteInput

extension FuzzTarget {
    /// A frame of a forwarded port comes back as it was written.
    static let portFrames = FuzzTarget(name: "port-frames") { bytes in
        guard let frame = PortFrame(bytes) else { return }
        guard let again = PortFrame(frame.bytes), again.stream == frame.stream, again.offset == frame.offset else {
            finding("a frame that changes when it is written")
        }
        if case .refused = frame.content { return }  // a reason that is no UTF-8 is mended when it is read
        guard frame.bytes == bytes else { finding("other bytes than were read") }
    }

    /// Frames of one connection in any order, four bytes each: whatever comes, no more than the window is kept.
    static let portStream = FuzzTarget(name: "port-stream") { bytes in
        let stream = PortStream(PortStreamID(instance: 1, number: 1), port: 3000)
        for start in stride(from: 0, to: bytes.count - 3, by: 4) {
            let offset = Int64(bytes[start + 1]) << 8 | Int64(bytes[start + 2])
            let content: PortFrame.Content =
                switch bytes[start] % 16 {
                case 0: .end
                case 1: .window
                case 2: .opened
                default: .data([UInt8](repeating: 1, count: 1 + 256 * Int(bytes[start + 3]))[...])
                }
            stream.take(PortFrame(stream.id, offset: bytes[start] & 16 == 0 ? offset : offset * 4, content))
            guard stream.waitingBytes <= PortLimits.window else { finding("more is kept than the window has") }
        }
    }

    /// What is read as events of the pointer and the keyboard is within bounds, and written so that it is read again.
    static let inputBatch = FuzzTarget(name: "input-batch") { bytes in
        guard let value = try? JSONValue(parsing: bytes), let batch = try? InputBatch(wire: RemoteParameters(value))
        else { return }
        guard batch.events.count <= InputBatch.countLimit, batch.first >= 1 else { finding("a batch out of bounds") }
        guard let again = try? InputBatch(wire: RemoteParameters(batch.wire)),
            again.events == batch.events.filter({ $0 != nil })
        else { finding("a batch that changes when it is written") }
    }
}
