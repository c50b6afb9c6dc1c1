import Kernel
import Logging

extension PeerConnection {
    /// Begins a handshake when the engine wants one: its counter is on disk before it is sent.
    func prepareHandshakeIfWanted(now: ContinuousClock.Instant) {
        guard handshake == nil, inPlace({ $0.wantsHandshake(now: now) }) else { return }
        handshake = Task { [weak self] in await self?.beginHandshake() }
    }

    private func beginHandshake() async {
        defer { handshake = nil }
        do {
            let ticket = isTicketRefused ? nil : try await store.ticket(for: peer.agreementKey)
            let counter = try await store.nextCounter(
                to: peer.agreementKey,
                clock: time.date.millisecondsSince1970
            )
            try engine.beginHandshake(counter: counter, ticket: ticket, now: time.now)
        } catch {
            logger.error("no handshake", metadata: ["error": "\(error)"])
            engine.postponeHandshake(until: time.now + .seconds(5))
        }
        // This task must not count as running any more when the engine is asked what it wants.
        handshake = nil
        settle()
    }

    /// Writes down what need not be waited for, one thing after the other.
    func keepBooks() {
        guard bookkeeping == nil else { return }
        bookkeeping = Task { await self.writeBooks() }
    }

    private func writeBooks() async {
        while true {
            do {
                if let ticket = ticketToSave {
                    ticketToSave = nil
                    try await store.save(ticket)
                } else if durableToRemove > 0 {
                    let number = durableToRemove
                    durableToRemove = 0
                    try await store.removeOutbound(through: number, to: peer.agreementKey)
                } else {
                    bookkeeping = nil
                    return
                }
            } catch {
                // A full handshake works without the ticket, and what is sent again is dropped by the peer.
                logger.error("session not saved", metadata: ["error": "\(error)"])
            }
        }
    }
}
