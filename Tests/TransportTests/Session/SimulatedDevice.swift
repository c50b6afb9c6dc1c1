import Sealing

@testable import Transport

/// One end of a simulation: an engine, and the disk that outlives it.
struct SimulatedDevice {
    struct Disk {
        var ticket: ResumptionTicket?
        var counter: Int64 = 0
        var lastOutbound: UInt64 = 0
        var outbound: [DurableMessage] = []
        var cursor: UInt64 = 0
    }

    let identity: Identity
    let peer: SessionPeer
    let role: NoiseHandshake.Role
    var disk = Disk()
    var engine: SessionEngine
    var received: [[UInt8]] = []
    var receivedDurable: [UInt64] = []
    var isTicketRefused = false
    var handshakes = 0
    var isReading = true

    private let timing: SessionTiming

    init(identity: Identity, peer: Identity, role: NoiseHandshake.Role, timing: SessionTiming) {
        self.identity = identity
        self.timing = timing
        self.peer = SessionPeer(did: peer.did, agreementKey: peer.agreementKey)
        self.role = role
        engine = SessionEngine(identity: identity, peer: self.peer, role: role, timing: timing)
    }

    /// The process dies and another one starts.
    mutating func restart() {
        engine = SessionEngine(
            identity: identity,
            peer: peer,
            role: role,
            outbound: disk.outbound,
            inboundCursor: disk.cursor,
            timing: timing
        )
        isTicketRefused = false
    }

    mutating func send(_ bytes: [UInt8], durable: Bool, now: ContinuousClock.Instant) -> UInt64? {
        guard engine.hasRoom(for: bytes.count) else { return nil }
        var number: UInt64 = 0
        if durable {
            disk.lastOutbound += 1
            number = disk.lastOutbound
            disk.outbound.append(DurableMessage(number: number, bytes: bytes))
        }
        engine.send(bytes, durable: number, now: now)
        return number
    }

    mutating func receive(_ frame: LinkFrame, on link: LinkID, now: ContinuousClock.Instant) {
        if case .handshake(let id, let pattern, 1, let resumption, let message) = frame {
            guard role == .responder, engine.links[link] != nil else { return }
            if let resumption, disk.ticket?.id != resumption {
                engine.links[link]?.answer = .notice(id, .noResumption)
                return
            }
            let ticket = resumption == nil ? nil : disk.ticket
            guard
                let handshake = try? ReceivedHandshake(
                    message,
                    session: id,
                    pattern: pattern,
                    ticket: ticket,
                    identity: identity
                ), handshake.peer == peer, handshake.counter > disk.counter
            else { return }
            disk.counter = handshake.counter
            try? engine.accept(handshake, on: link, now: now)
        } else {
            engine.receive(frame, on: link, now: now)
        }
    }

    /// What the shell does after every step.
    mutating func settle(now: ContinuousClock.Instant, milliseconds: Int64) {
        engine.tick(now: now)
        for event in engine.takeEvents() {
            switch event {
            case .established(let ticket):
                disk.ticket = ticket
                isTicketRefused = false
                handshakes += 1
            case .ticketRefused: isTicketRefused = true
            case .durableArrived(let number): disk.outbound.removeAll { $0.number <= number }
            case .messageArrived, .roomMade, .stateChanged, .peerRestarted, .linkUnanswered: break
            }
        }
        while isReading, let message = engine.takeMessage() {
            received.append(message.bytes)
            if let durable = message.durable {
                receivedDurable.append(durable)
                disk.cursor = max(disk.cursor, durable)
            }
            engine.finishMessage(now: now)
        }
        if engine.wantsHandshake(now: now) {
            disk.counter = max(milliseconds, disk.counter + 1)
            try? engine.beginHandshake(counter: disk.counter, ticket: isTicketRefused ? nil : disk.ticket, now: now)
        }
    }
}
