import NIOCore
import Transport

/// One client of the load: opens, registers, then counts frames and sends prepared ones. As little work as can be, because it shares
/// the machine with what it measures.
///
/// Sendable because everything is touched on the one event loop of the load.
final class LoadConnection: ChannelInboundHandler, @unchecked Sendable {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private enum State {
        case opening([UInt8])
        case registering
        case ready
    }

    private let id: String
    private let ready: EventLoopPromise<Void>
    private var state = State.opening([])
    private var context: ChannelHandlerContext?
    /// Bytes of the frame that is arriving which are still to come.
    private var skipping = 0
    private var head: [UInt8] = []
    /// Called with the number of messages of one read.
    var received: ((Int) -> Void)?

    /// Succeeds once the server answered the registration.
    var registered: EventLoopFuture<Void> { ready.futureResult }

    init(id: String, ready: EventLoopPromise<Void>) {
        self.id = id
        self.ready = ready
    }

    func channelActive(context: ChannelHandlerContext) {
        self.context = context
        let request =
            "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: request)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var input = unwrapInboundIn(data)
        if case .opening(let start) = state {
            var head = start
            while let byte = input.readInteger(as: UInt8.self) {
                head.append(byte)
                guard head.suffix(4) == [13, 10, 13, 10] else { continue }
                state = .registering
                write(Self.frame(#"{"type":"register","peerId":"\#(id)","deviceType":"mobile"}"#))
                break
            }
            guard case .registering = state else {
                state = .opening(head)
                return
            }
        }
        let count = countMessages(&input)
        guard count > 0 else { return }
        if case .registering = state {
            state = .ready
            ready.succeed()
            return
        }
        received?(count)
    }

    /// Steps over frames without looking into them.
    private func countMessages(_ input: inout ByteBuffer) -> Int {
        var count = 0
        while input.readableBytes > 0 {
            if skipping > 0 {
                let step = min(skipping, input.readableBytes)
                input.moveReaderIndex(forwardBy: step)
                skipping -= step
                if skipping == 0, head.isEmpty { count += 1 }
                continue
            }
            guard let byte = input.readInteger(as: UInt8.self) else { break }
            head.append(byte)
            guard head.count >= 2 else { continue }
            let length = Int(head[1] & 0x7F)
            let size = 2 + (length == 126 ? 2 : length == 127 ? 8 : 0)
            guard head.count == size else { continue }
            skipping = size == 2 ? length : head[2...].reduce(0) { $0 << 8 | Int($1) }
            let isPing = head[0] & 0x0F == 9
            head = []
            if isPing {
                write(Self.frame("", opcode: .pong))
                count -= skipping == 0 ? 0 : 1
            } else if skipping == 0 {
                count += 1
            }
        }
        return count
    }

    func write(_ bytes: ByteBuffer) {
        context?.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
    }

    func close() { context?.close(promise: nil) }

    func channelInactive(context: ChannelHandlerContext) {
        ready.fail(BenchmarkError.lost)
        self.context = nil
    }

    static func frame(_ text: String, opcode: WebSocketOpcode = .text) -> ByteBuffer {
        var buffer = ByteBuffer()
        var text = text
        text.withUTF8 { bytes in
            WebSocketFrameWriter.append(opcode, UnsafeRawBufferPointer(bytes), mask: 0x1234_5678, to: &buffer)
        }
        return buffer
    }
}
