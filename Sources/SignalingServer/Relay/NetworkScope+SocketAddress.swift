import NIOCore
import Transport

extension NetworkScope {
    init(_ address: SocketAddress) {
        // A Unix socket has no address, and no other machine is at its other end.
        guard let text = address.ipAddress else {
            self.init(.loopback)
            return
        }
        self = NetworkScope(literal: text) ?? NetworkScope(.everywhere)
    }
}
