import NIOCore
import NIOPosix

/// A loopback port that was free a moment ago, for a server whose address has to be known before it starts.
enum FreePort {
    static func reserve() async throws -> Int {
        let channel = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = channel.localAddress?.port ?? 0
        try await channel.close()
        return port
    }
}
