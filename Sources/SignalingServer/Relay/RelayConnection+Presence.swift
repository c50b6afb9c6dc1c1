import Kernel

/// Presence: which devices are here, as far as the asking one may know.
extension RelayConnection {
    func sendPeers(includesSelf: Bool) {
        let listed = relay.registry.list(for: sender, isOpen: relay.isOpen, includesViewer: includesSelf)
        var peers: [UInt8] = [UInt8(ascii: "[")]
        for (index, peer) in listed.enumerated() {
            if index > 0 { peers.append(UInt8(ascii: ",")) }
            peers += text(of: peer)
        }
        peers.append(UInt8(ascii: "]"))
        var frame = FrameText(type: "peers-list")
        frame.add("peers", raw: peers)
        frame.add("count", number: Int64(listed.count))
        if relay.dialect == .embedded { frame.add("timestamp", number: loop.milliseconds) }
        send(frame.finished())
    }

    private func text(of peer: Registry.Listed) -> [UInt8] {
        var frame = FrameText()
        frame.add("peerId", raw: peer.id.token)
        frame.add("deviceType", raw: peer.deviceType ?? Array("\"unknown\"".utf8))
        frame.add("deviceInfo", raw: peer.deviceInfo ?? Array("{}".utf8))
        frame.add("connectedAt", number: peer.connectedAt)
        if relay.dialect == .embedded {
            frame.add("lastSeen", number: peer.lastSeen)
            frame.add("ipAddress", text: peer.ipAddress)
        }
        return frame.finished()
    }

    /// The embedded dialect's question about one peer; without one it is a list with oneself in it.
    func sendStatus(_ bytes: UnsafeRawBufferPointer) {
        guard let members = try? FrameScanner.members(bytes) else { return answer(error: "Invalid message format") }
        let content = SignalContent(bytes: bytes, members: members)
        guard let range = content.value("peerId") else { return sendPeers(includesSelf: true) }
        guard case .id(let id) = PeerID.parse(bytes, range, limit: relay.limits.idBytes, acceptsNumbers: relay.isOpen)
        else { return answer(error: "peerId must be a string of at most \(relay.limits.idBytes) bytes") }
        let status = relay.registry.status(of: id, for: sender, isOpen: relay.isOpen)
        var frame = FrameText(type: "peer-status-response")
        frame.add("peerId", raw: id.token)
        frame.add("status", text: status == nil ? "offline" : "online")
        if let type = status?.deviceType { frame.add("deviceType", raw: type) }
        if let info = status?.deviceInfo { frame.add("deviceInfo", raw: info) }
        frame.add("timestamp", number: loop.milliseconds)
        send(frame.finished())
    }
}
