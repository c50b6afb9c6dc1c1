import NIOCore

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

extension WebSocketConnection {
    /// How long ago the peer's system last acknowledged something that was sent: what is slow and what is dead look alike from above.
    /// Nil where the system does not say.
    public func acknowledgementAge() async -> Duration? {
        #if os(Linux)
            guard let options = channel as? any SocketOptionProvider,
                let information = try? await options.getTCPInfo().get()  // the socket is gone
            else { return nil }
            return .milliseconds(Int64(information.tcpi_last_ack_recv))
        #else
            return nil
        #endif
    }
}
