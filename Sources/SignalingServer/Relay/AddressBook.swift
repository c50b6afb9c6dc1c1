import Kernel
import NIOCore
import Synchronization

/// What is remembered of one address while sockets of it are open, and for as long as a limit is used up.
final class AddressRecord: Sendable {
    struct State {
        var connections = 0
        var messages: TokenBucket
        var unknownAliases: TokenBucket
    }

    /// Loopback has no limits of its own, except for guessing codes: a proxy on this machine speaks for everyone.
    let isLoopback: Bool
    let state: Mutex<State>

    init(isLoopback: Bool, limits: SignalingLimits, now: UInt64) {
        self.isLoopback = isLoopback
        state = Mutex(
            State(
                messages: limits.addressMessages.bucket(now: now),
                unknownAliases: limits.unknownAliases.bucket(now: now)
            )
        )
    }

    /// - Returns: Nanoseconds until this address may be read again.
    func spend(_ messages: Int, now: UInt64) -> UInt64 {
        isLoopback ? 0 : state.withLock { $0.messages.spend(Double(messages), now: now) }
    }

    /// Whether this address may still ask for aliases it might be guessing. Asking costs nothing, only being wrong does.
    func mayLookUpAliases(now: UInt64) -> Bool {
        state.withLock { $0.unknownAliases.holds(1, now: now) }
    }

    func noteUnknownAlias(now: UInt64) {
        state.withLock { _ = $0.unknownAliases.take(1, now: now) }
    }
}

/// The addresses that are connected or were lately.
final class AddressBook: Sendable {
    private let records = Mutex<[String: AddressRecord]>([:])
    private let limits: SignalingLimits

    init(limits: SignalingLimits) { self.limits = limits }

    /// Counts a connection in; nil when its address has too many.
    func open(_ address: String, isLoopback: Bool, now: UInt64) -> AddressRecord? {
        records.withLock { records in
            let record =
                records[address] ?? AddressRecord(isLoopback: isLoopback, limits: limits, now: now)
            let isAdmitted = record.state.withLock { state in
                guard isLoopback || state.connections < limits.connectionsPerAddress else { return false }
                state.connections += 1
                return true
            }
            if isAdmitted { records[address] = record }
            return isAdmitted ? record : nil
        }
    }

    func close(_ record: AddressRecord) {
        record.state.withLock { $0.connections -= 1 }
    }

    /// Forgets addresses about which there is nothing to remember.
    func sweep(now: UInt64) {
        records.withLock { records in
            records = records.filter { _, record in
                record.state.withLock {
                    $0.connections > 0 || !$0.messages.isFull(now: now) || !$0.unknownAliases.isFull(now: now)
                }
            }
        }
    }

    /// The text one limit is kept under: an IPv6 host owns a /64.
    static func key(_ address: SocketAddress?) -> String {
        guard let address, let text = address.ipAddress else { return "" }
        guard case .v6 = address else { return text }
        let groups = text.split(separator: ":", omittingEmptySubsequences: false)
        let head = groups.prefix(4).prefix { !$0.isEmpty }
        return text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : head.joined(separator: ":") + "::/64"
    }
}

extension RateLimit {
    func bucket(now: UInt64) -> TokenBucket {
        TokenBucket(capacity: burst, refillPerSecond: perSecond, now: now)
    }
}
