import Kernel
import NIOCore
import Synchronization
import Transport

/// The record of one address, kept while sockets of it are open, and for as long as a limit is used up.
final class AddressRecord: Sendable {
    struct State {
        /// Sockets of every kind.
        var sockets = 0
        /// WebSockets.
        var connections = 0
        /// WebSockets that registered, without a key that is not metered.
        var guests = 0
        var messages: TokenBucket
        var aliases: TokenBucket
        var registrations: TokenBucket
        var newIDs: TokenBucket
        var newContacts: TokenBucket
        var mailBytes: TokenBucket

        init(_ limits: SignalingLimits, now: UInt64) {
            messages = limits.addressMessages.bucket(now: now)
            aliases = limits.addressAliases.bucket(now: now)
            registrations = limits.addressRegistrations.bucket(now: now)
            newIDs = limits.addressNewIDs.bucket(now: now)
            newContacts = limits.addressNewContacts.bucket(now: now)
            mailBytes = limits.addressMailBytes.bucket(now: now)
        }

        /// Whether forgetting it changes nothing.
        func isIdle(now: UInt64) -> Bool {
            sockets == 0 && connections == 0
                && [messages, aliases, registrations, newIDs, newContacts, mailBytes].allSatisfy { $0.isFull(now: now) }
        }
    }

    /// Loopback has no limits on sockets and rates, since a proxy on this machine speaks for all its clients; on guessing codes, and on
    /// what stays on disk, it has.
    let isLoopback: Bool
    let text: String
    let state: Mutex<State>

    init(text: String, isLoopback: Bool, limits: SignalingLimits, now: UInt64) {
        self.text = text
        self.isLoopback = isLoopback
        state = Mutex(State(limits, now: now))
    }

    /// - Returns: Whether it is the first of this address.
    func enterAsGuest() -> Bool {
        state.withLock { state in
            state.guests += 1
            return state.guests == 1
        }
    }

    func leaveAsGuest() { state.withLock { $0.guests -= 1 } }

    /// The debt is one burst at most: devices that share the address with a flood wait seconds for its end, and not hours.
    ///
    /// - Returns: Nanoseconds until this address may be read again.
    func spend(_ messages: Int, now: UInt64) -> UInt64 {
        guard !isLoopback else { return 0 }
        return state.withLock { state in
            let burst = state.messages.capacity
            return state.messages.spend(Double(messages), now: now, deepest: burst)
        }
    }

    /// Like ``spend(_:now:)``, for registering, each of which costs a signature's check and a look at the disk.
    func spendRegistration(now: UInt64) -> UInt64 {
        guard !isLoopback else { return 0 }
        return state.withLock { state in
            let burst = state.registrations.capacity
            return state.registrations.spend(1, now: now, deepest: burst)
        }
    }

    /// Whether this address may still ask for aliases it might be guessing. Asking costs nothing, only being wrong does.
    func mayLookUpAliases(now: UInt64) -> Bool {
        state.withLock { $0.aliases.holds(1, now: now) }
    }

    /// A wrong alias was asked for, or one registered. False when none was left.
    @discardableResult
    func takeAlias(now: UInt64) -> Bool { state.withLock { $0.aliases.take(1, now: now) } }

    /// Nanoseconds until an alias may be registered from here and looked up, too: the phone is often in the same network.
    func waitForAlias(now: UInt64) -> UInt64 {
        state.withLock { $0.aliases.wait(for: min(2, $0.aliases.capacity), now: now) }
    }

    func takeNewID(now: UInt64) -> Bool { state.withLock { $0.newIDs.take(1, now: now) } }

    func takeNewContact(now: UInt64) -> Bool { state.withLock { $0.newContacts.take(1, now: now) } }

    func takeMail(_ bytes: Int, now: UInt64) -> Bool { state.withLock { $0.mailBytes.take(Double(bytes), now: now) } }
}

/// The addresses that are connected or were lately.
final class AddressLimiter: Sendable {
    /// Addresses beyond those that are remembered each share this record.
    private static let crowd = "others"

    private let records = Mutex<[String: AddressRecord]>([:])
    private let limits: SignalingLimits

    init(limits: SignalingLimits) { self.limits = limits }

    /// Counts a socket in, whatever it will speak; nil when its address has too many.
    func enter(_ address: NetworkAddress?, limit: Int, now: UInt64) -> AddressRecord? {
        records.withLock { records in
            let record = record(of: address, in: &records, now: now)
            return record.state.withLock { state in
                guard state.sockets < limit else { return nil }
                state.sockets += 1
                return record
            }
        }
    }

    func leave(_ record: AddressRecord) { record.state.withLock { $0.sockets -= 1 } }

    /// Counts a WebSocket in; nil when its address has too many.
    func open(_ address: NetworkAddress?, now: UInt64) -> AddressRecord? {
        records.withLock { records in
            let record = record(of: address, in: &records, now: now)
            return record.state.withLock { state in
                guard record.isLoopback || state.connections < limits.connectionsPerAddress else { return nil }
                state.connections += 1
                return record
            }
        }
    }

    func close(_ record: AddressRecord) { record.state.withLock { $0.connections -= 1 } }

    private func record(
        of address: NetworkAddress?,
        in records: inout [String: AddressRecord],
        now: UInt64
    ) -> AddressRecord {
        // A Unix socket has no address, and no other machine is at its other end.
        var key = address?.limitKey ?? ""
        if let known = records[key] { return known }
        if records.count >= limits.addresses {
            key = Self.crowd
            if let known = records[key] { return known }
        }
        let record = AddressRecord(
            text: key,
            isLoopback: address?.isLoopback ?? true,
            limits: limits,
            now: now
        )
        records[key] = record
        return record
    }

    /// Counts a request of HTTP among the messages of its address.
    ///
    /// - Returns: Nanoseconds until its next one is within the limit; 0 for this one to be answered.
    func spendRequest(_ address: NetworkAddress?, now: UInt64) -> UInt64 {
        records.withLock { record(of: address, in: &$0, now: now) }.spend(1, now: now)
    }

    /// Forgets addresses about which there is nothing to remember.
    func sweep(now: UInt64) {
        records.withLock { records in
            records = records.filter { !$0.value.state.withLock { $0.isIdle(now: now) } }
        }
    }
}

extension RateLimit {
    func bucket(now: UInt64) -> TokenBucket {
        TokenBucket(capacity: burst, refillPerSecond: perSecond, now: now)
    }
}
