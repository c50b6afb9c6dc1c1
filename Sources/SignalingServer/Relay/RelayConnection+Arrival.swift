import NIOCore
import RouteServer
import Synchronization
import Transport

/// Sockets that have not said who they are, and messages that have not arrived whole: both hold memory for nothing in return.
extension RelayConnection {
    // MARK: Registering in time

    /// Starts the time in which a socket must register. An open server forwards for those who never do.
    func awaitRegistration() {
        guard !relay.isOpen, registrationDeadline == nil, phase == .open else { return }
        unregisteredPlace = loop.unregistered.append(self)
        let limit = TimeAmount(relay.limits.registrationTimeout)
        registrationDeadline = loop.eventLoop.assumeIsolated().scheduleTask(in: limit) { [loop, number] in
            loop.beginEvent()
            loop.connections[number]?.endUnregistered()
            loop.finishEvent()
        }
    }

    private func endUnregistered() {
        registrationDeadline = nil
        guard phase == .open else { return }
        // The disk is behind, which is not this socket's doing.
        if isRegistering { return awaitRegistration() }
        relay.counters.idleSocketsClosed.add(1, ordering: .relaxed)
        close(.policyViolation, reason: "Not registered in time")
    }

    /// The socket has an id now.
    func hasRegistered() {
        endAwaiting()
        if let channel = context?.channel { loop.arrived(channel) }
    }

    private func endAwaiting() {
        registrationDeadline?.cancel()
        registrationDeadline = nil
        if let place = unregisteredPlace.take() { loop.unregistered.remove(place) }
    }

    /// Takes one of the places that others than the holders of unmetered keys share; false when all are taken.
    func takePlace(for claim: RegistrationClaim) -> Bool {
        if isUnmetered || claim.proof.map({ relay.configuration.isUnmetered($0.key) }) ?? false {
            leavePlace()
            return true
        }
        guard !isGuest else { return true }
        let places = max(1, relay.limits.connections - relay.limits.reservedConnections)
        // The last ones are for addresses that hold none: a few that stay in all others do not keep out a phone that comes to be paired.
        let allowed = address.enterAsGuest() ? places : max(1, places - relay.limits.newcomerConnections)
        let taken = relay.counters.guestsOpen.add(1, ordering: .relaxed).newValue
        guard taken <= allowed else {
            relay.counters.guestsOpen.subtract(1, ordering: .relaxed)
            address.leaveAsGuest()
            return false
        }
        isGuest = true
        return true
    }

    private func leavePlace() {
        guard isGuest else { return }
        isGuest = false
        address.leaveAsGuest()
        relay.counters.guestsOpen.subtract(1, ordering: .relaxed)
    }

    // MARK: Messages in arrival

    /// Counts what is held of a message that has not arrived whole.
    ///
    /// - Parameter isNew: Whether it began with what was just read.
    func noteArrival(isNew: Bool) {
        // Input that waits unread while a limit or a registration holds the socket up counts too, with all of the memory it keeps.
        let held = reader.unfinishedBytes + (waiting?.storageCapacity ?? 0)
        guard held > 0, !isUnmetered else {
            endMessage()
            return account(arriving: 0)
        }
        account(arriving: held)
        if isNew {
            endMessage()
            unfinished = (loop.unfinished.append(self), loop.nanoseconds)
        }
        while relay.counters.arrivalBytes.load(ordering: .relaxed) > relay.limits.arrivalBytes,
            let oldest = loop.unfinished.oldest()
        {
            oldest.endUnfinished(.tryAgainLater, reason: "Too much is arriving")
        }
    }

    private func endMessage() {
        if let unfinished = unfinished.take() { loop.unfinished.remove(unfinished.place) }
    }

    private func account(arriving size: Int) {
        guard size != arrivalAccounted else { return }
        relay.counters.arrivalBytes.add(size - arrivalAccounted, ordering: .relaxed)
        arrivalAccounted = size
    }

    func hasBegunMessage(before now: UInt64, by limit: UInt64) -> Bool {
        guard let unfinished, now >= unfinished.since else { return false }
        return now - unfinished.since >= limit
    }

    /// Gives up on a message and with it on the socket. Its memory is free at once.
    func endUnfinished(_ code: WebSocketCloseCode, reason: String) {
        relay.counters.idleSocketsClosed.add(1, ordering: .relaxed)
        endMessage()
        close(code, reason: reason)
        discard()
        account(arriving: 0)
    }

    /// The socket is closing: it waits for nothing any more. One that never registered is still the first to give way to another.
    func forgetArrival() {
        endMessage()
        endAwaiting()
    }

    /// The socket is gone.
    func endArrival() {
        forgetArrival()
        account(arriving: 0)
        leavePlace()
    }
}

extension WebSocketEvent {
    /// A whole message; not a control frame, which may come between the parts of one.
    var isMessage: Bool {
        switch self {
        case .small, .large: true
        case .ping, .pong, .close: false
        }
    }
}
