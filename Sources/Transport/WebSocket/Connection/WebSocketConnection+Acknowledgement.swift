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
            return await tcpInformation().map { .milliseconds(Int64($0.tcpi_last_ack_recv)) }
        #else
            return nil
        #endif
    }

    /// How often in a row this system sent something again without an acknowledgement, each time after twice the wait; 0 where it does
    /// not say.
    public func retransmissions() async -> Int {
        #if os(Linux)
            return await tcpInformation().map { Int($0.tcpi_retransmits) } ?? 0
        #else
            return 0
        #endif
    }

    #if os(Linux)
        private func tcpInformation() async -> tcp_info? {
            guard let options = channel as? any SocketOptionProvider else { return nil }
            return try? await options.getTCPInfo().get()  // the socket is gone
        }
    #endif
}
