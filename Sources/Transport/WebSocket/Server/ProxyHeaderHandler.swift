package import NIOCore

/// Reads the PROXY protocol header (version 2) that a reverse proxy sends before anything else, and keeps whose connection it is.
///
/// Installed only for connections from a proxy that the server trusts; without a well-formed header such a connection is closed.
/// Source: the HAProxy project's "The PROXY protocol", section 2.2.
package final class ProxyHeaderHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer
    package typealias InboundOut = ByteBuffer

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    private static let fixedBytes = 16
    /// Addresses and every extension that proxies send fit in far less.
    private static let maximumBytes = 4 * 1024

    private var received: ByteBuffer?
    private var isComplete = false
    /// The client's address as the proxy tells it; nil for a connection of the proxy's own, such as a health check.
    package private(set) var source: SocketAddress?

    package init() {}

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isComplete else { return context.fireChannelRead(data) }
        var input = unwrapInboundIn(data)
        var bytes = received.take() ?? context.channel.allocator.buffer(capacity: input.readableBytes)
        bytes.writeBuffer(&input)
        switch Self.parse(bytes) {
        case .incomplete: received = bytes
        case .malformed: context.close(promise: nil)
        case .header(let address, let length):
            isComplete = true
            source = address
            bytes.moveReaderIndex(forwardBy: length)
            if bytes.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(bytes)) }
        }
    }

    enum Parsed: Equatable {
        case incomplete
        case malformed
        case header(SocketAddress?, length: Int)
    }

    static func parse(_ bytes: ByteBuffer) -> Parsed {
        let view = bytes.readableBytesView
        guard zip(view, signature).allSatisfy({ $0 == $1 }) else { return .malformed }
        guard view.count >= fixedBytes else { return .incomplete }
        let start = view.startIndex
        let command = view[start + 12]
        let family = view[start + 13]
        let count = Int(view[start + 14]) << 8 | Int(view[start + 15])
        guard command >> 4 == 2, count + fixedBytes <= maximumBytes else { return .malformed }
        guard view.count >= fixedBytes + count else { return .incomplete }
        let length = fixedBytes + count
        let body = view.dropFirst(fixedBytes).prefix(count)
        switch command & 0x0F {
        case 0: return .header(nil, length: length)
        case 1: break
        default: return .malformed
        }
        switch family {
        case 0x11: return address(body, addressBytes: 4, length: length)
        case 0x21: return address(body, addressBytes: 16, length: length)
        // A Unix socket, a datagram, or unspecified: the address is not that of a client on the network.
        default: return .header(nil, length: length)
        }
    }

    private static func address(_ body: ByteBufferView, addressBytes: Int, length: Int) -> Parsed {
        guard body.count >= 2 * addressBytes + 4 else { return .malformed }
        let port = body.dropFirst(2 * addressBytes).prefix(2).reduce(0) { $0 << 8 | Int($1) }
        var packed = ByteBufferAllocator().buffer(capacity: addressBytes)
        packed.writeBytes(body.prefix(addressBytes))
        guard let address = try? SocketAddress(packedIPAddress: packed, port: port) else { return .malformed }
        return .header(address, length: length)
    }
}
