extension WebSocketSignalClient {
    public func send(_ message: SignalMessage) async throws {
        try await send(SignalClientFrame.forward(message))
    }

    public func requestPeers() async throws { try await send(SignalClientFrame.getPeers) }

    public func requestStatus(of peer: String) async throws { try await send(SignalClientFrame.peerStatus(peer)) }

    public func sendBinary(_ frame: SignalBinaryFrame, to peer: String) async throws {
        let (channel, presence) = try registeredChannel()
        guard presence.hasBinary, !routes.isRefused(by: peer) else { throw SignalError.binaryUnavailable }
        try check(frame.ciphertext.count + SignalBinaryFrame.headerByteCount)
        let (number, isAnnounced) = routes.number(for: peer)
        if !isAnnounced {
            // Two callers may both announce the route, which does no harm.
            try await channel.send(text: SignalClientFrame.route(to: peer, number: number).text)
            guard isCurrent(channel) else { throw SignalError.notConnected }
            routes.wasAnnounced(number, for: peer)
        }
        try await channel.send(binary: frame.header(route: number), frame.ciphertext)
    }

    private func send(_ frame: SignalClientFrame) async throws {
        let (channel, _) = try registeredChannel()
        let text = frame.text
        try check(text.utf8.count)
        try await channel.send(text: text)
    }

    /// The channel, once it is registered. A message that is sent before would arrive without a sender.
    private func registeredChannel() throws -> (any WebSocketChannel, SignalPresence) {
        guard let channel else { throw SignalError.notConnected }
        guard let presence = state.presence else { throw SignalError.notRegistered }
        return (channel, presence)
    }

    private func check(_ count: Int) throws {
        guard count <= configuration.maximumFrameBytes else {
            throw SignalError.messageTooLong(bytes: count, limit: configuration.maximumFrameBytes)
        }
    }
}
