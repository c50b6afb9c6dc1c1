import Kernel
import NIOCore
import Synchronization
import Transport

/// The destination of a number that the client uses.
struct OutboundRoute {
    let id: PeerID
    var target: Registry.Target?
    /// The number by which the target knows this sender.
    var inbound: UInt32 = 0
    /// When the client was last told that the route leads nowhere, nanoseconds.
    var toldAt: UInt64 = 0
}

/// Binary frames: four bytes are changed and nothing else. Source: `docs/protocol.md` 2.2.
extension RelayConnection {
    func setRoute(_ bytes: UnsafeRawBufferPointer) {
        guard let members = try? FrameScanner.members(bytes) else { return answer(error: "Invalid message format") }
        let content = SignalContent(bytes: bytes, members: members)
        guard let to = content.range("to"), let digits = content["route"],
            case .id(let id) = PeerID.parse(bytes, to, limit: relay.limits.idBytes, acceptsNumbers: false),
            let route = UInt32(String(decoding: digits, as: UTF8.self)), (1...1023).contains(route)
        else { return answer(error: "A route is a number from 1 to 1023 and an id", code: "invalid-route") }
        guard outboundRoutes[route] != nil || outboundRoutes.count < relay.limits.routes else {
            return answer(error: "A connection has at most \(relay.limits.routes) routes", code: "invalid-route")
        }
        let former = outboundRoutes.updateValue(OutboundRoute(id: id), forKey: route)
        if let former, let target = former.target?.connection, let sender,
            !outboundRoutes.values.contains(where: { $0.target?.connection === target })
        {
            target.freeInboundRoute(of: sender, on: number)
        }
    }

    func forwardBinary(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count >= 6 else { return answer(error: "Invalid message format") }
        let number = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: 2, as: UInt32.self))
        guard let (target, inbound) = resolve(number) else { return }
        withUnsafeBytes(of: (bytes[0], bytes[1], inbound.bigEndian.bytes)) { head in
            let rest = UnsafeRawBufferPointer(rebasing: bytes[6...])
            let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
            loop.send(.binary, UnsafeRawBufferPointer(rebasing: head[..<6]), rest, nothing, to: target)
        }
        loop.countForwarded(bytes.count)
    }

    func forwardBinary(whole message: consuming ByteBuffer) {
        var frame = message
        let start = frame.readerIndex
        guard let number = frame.getInteger(at: start + 2, as: UInt32.self), let (target, inbound) = resolve(number)
        else {
            return
        }
        let size = frame.readableBytes
        let head = WebSocketFrameWriter.headLength(payload: size)
        frame.setInteger(inbound, at: start + 2)
        // A large message has room for a head in front of it.
        frame.moveReaderIndex(to: start - head)
        frame.withUnsafeMutableReadableBytes { memory in
            guard let base = memory.baseAddress else { return }
            WebSocketFrameWriter.writeHead(.binary, payload: size, to: base)
        }
        loop.send(whole: frame, to: target)
        loop.countForwarded(size)
    }

    /// The target of a number and the number there; nil when it leads nowhere, which the client is told once a second.
    private func resolve(_ number: UInt32) -> (RelayConnection, UInt32)? {
        guard let sender, var route = outboundRoutes[number] else {
            answer(error: "Route \(number) was not set", code: "invalid-route")
            return nil
        }
        if let target = route.target, target.generation == target.connection.generation.load(ordering: .acquiring) {
            return (target.connection, route.inbound)
        }
        route.target = nil
        defer { outboundRoutes[number] = route }
        guard !route.id.isAlias || mayLookUpAliases(),
            case .success(let target) = relay.registry.target(route.id, otherwise: {})
        else {
            if route.id.isAlias { noteUnknownAlias() }
            if mayTell(&route) { sendAway(route.id, number) }
            return nil
        }
        guard target.speaksBinary, let inbound = target.connection.inboundRoute(from: sender, on: self.number, by: loop)
        else {
            if mayTell(&route) { sendRefused(route.id, number) }
            return nil
        }
        noteSent(to: route.id, isHere: true)
        route.target = target
        route.inbound = inbound
        return (target.connection, inbound)
    }

    private func mayTell(_ route: inout OutboundRoute) -> Bool {
        guard route.toldAt == 0 || loop.nanoseconds >= route.toldAt + 1_000_000_000 else { return false }
        route.toldAt = loop.nanoseconds
        return true
    }

    private func sendAway(_ id: PeerID, _ number: UInt32) {
        var frame = FrameText(type: "peer-offline")
        frame.add("peerId", raw: id.token)
        frame.add("messageType", text: "binary")
        frame.add("route", number: Int64(number))
        frame.add("timestamp", number: loop.milliseconds)
        send(frame.finished())
    }

    private func sendRefused(_ id: PeerID, _ number: UInt32) {
        var frame = FrameText(type: "route")
        frame.add("to", raw: id.token)
        frame.add("route", number: Int64(number))
        frame.add("refused", flag: true)
        send(frame.finished())
    }

    /// The number this client knows `sender` by, announced to it before its first use. Called from any loop.
    ///
    /// - Parameter number: The number of the sender's connection.
    /// - Returns: Nil when there are too many.
    private func inboundRoute(from sender: PeerID, on number: UInt64, by loop: RelayLoop) -> UInt32? {
        let found = inboundRoutes.withLock { $0.number(for: sender, on: number, limit: relay.limits.routes) }
        guard let found else { return nil }
        if found.isNew {
            var frame = FrameText(type: "route")
            frame.add("from", raw: sender.token)
            frame.add("route", number: Int64(found.number))
            loop.send(frame.finished(), to: self)
        }
        return found.number
    }

    private func freeInboundRoute(of sender: PeerID, on number: UInt64) {
        inboundRoutes.withLock { $0.free(sender, on: number) }
    }

    /// Frees the numbers that others know this connection's id by: it leaves, or speaks for another id now.
    func freeInboundRoutes() {
        guard let sender, !outboundRoutes.isEmpty else { return }
        for (route, outbound) in outboundRoutes {
            guard let target = outbound.target?.connection else { continue }
            target.freeInboundRoute(of: sender, on: number)
            outboundRoutes[route]?.target = nil
        }
    }
}

/// The numbers by which one client knows the senders of binary frames. A number is free again once its sender has left.
struct InboundRoutes {
    private var numbers: [PeerID: (number: UInt32, connection: UInt64)] = [:]
    private var free: [UInt32] = []
    private var highest: UInt32 = 0

    /// - Returns: The sender's number, and whether the client has yet to be told; nil when all are taken.
    mutating func number(for sender: PeerID, on connection: UInt64, limit: Int) -> (number: UInt32, isNew: Bool)? {
        if let known = numbers[sender] {
            // The sender's newer socket goes on with its number, and frees it.
            numbers[sender] = (known.number, connection)
            return (known.number, false)
        }
        guard numbers.count < limit else { return nil }
        let number: UInt32
        if Int(highest) < limit {
            highest += 1
            number = highest
        } else if !free.isEmpty {
            number = free.removeFirst()
        } else {
            return nil
        }
        numbers[sender] = (number, connection)
        return (number, true)
    }

    mutating func free(_ sender: PeerID, on connection: UInt64) {
        guard let known = numbers[sender], known.connection == connection else { return }
        numbers[sender] = nil
        free.append(known.number)
    }
}

extension UInt32 {
    /// In memory order.
    fileprivate var bytes: (UInt8, UInt8, UInt8, UInt8) { unsafeBitCast(self, to: (UInt8, UInt8, UInt8, UInt8).self) }
}
