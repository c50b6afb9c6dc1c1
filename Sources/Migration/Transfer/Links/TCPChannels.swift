import NIOCore
import NIOPosix

/// How the sockets of migrations are made.
enum TCPChannels {
    /// The kernel's buffer for a connection; left to itself it hides megabytes that the peer has not taken.
    private static let bufferBytes: SocketOptionValue = 1 << 20

    static var client: ClientBootstrap {
        ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connectTimeout(.seconds(5))
            .channelOption(.autoRead, value: false)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_sndbuf), value: bufferBytes)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 256 << 10))
    }

    static var server: ServerBootstrap {
        ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 8)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.autoRead, value: false)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.socketOption(.so_sndbuf), value: bufferBytes)
            .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 256 << 10))
    }
}
