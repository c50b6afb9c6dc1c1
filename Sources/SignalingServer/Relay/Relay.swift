import Foundation
import Kernel
import Logging
import NIOCore
import Synchronization
import Transport

/// What every connection of one server shares.
final class Relay: Sendable {
    let configuration: SignalingServerConfiguration
    let limits: SignalingLimits
    let dialect: SignalingDialect
    let isOpen: Bool
    let registry: Registry
    let addresses: AddressBook
    let store: StoreQueue
    let counters = RelayCounters()
    let logger: Logger
    let now: @Sendable () -> Date
    /// Nanoseconds of a clock that nobody sets.
    let ticks: @Sendable () -> UInt64
    let startedAt: Date
    let loops: [RelayLoop]
    private let loopsByEventLoop: [ObjectIdentifier: RelayLoop]
    private let nextNumber = Atomic<UInt64>(0)

    init(
        configuration: SignalingServerConfiguration,
        store: StoreQueue,
        eventLoops: [any EventLoop],
        now: @escaping @Sendable () -> Date,
        ticks: @escaping @Sendable () -> UInt64,
        logger: Logger
    ) {
        self.configuration = configuration
        limits = configuration.limits
        dialect = configuration.dialect
        isOpen = configuration.isLegacyOpen
        self.store = store
        self.logger = logger
        self.now = now
        self.ticks = ticks
        startedAt = now()
        registry = Registry(local: configuration.localPeer, startedAt: startedAt.millisecondsSince1970)
        addresses = AddressBook(limits: configuration.limits)
        let counters = counters
        loops = eventLoops.enumerated().map {
            RelayLoop(index: $0.offset, eventLoop: $0.element, counters: counters, now: now, ticks: ticks)
        }
        loopsByEventLoop = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
        for loop in loops { loop.attach(loops) }
    }

    /// Admits a WebSocket, or says why not.
    func accept(_ request: WebSocketHandshake.Request, _ channel: any Channel) -> WebSocketAcceptHandler.Decision {
        guard let loop = loopsByEventLoop[ObjectIdentifier(channel.eventLoop)] else {
            return .refuse(response: WebSocketHandshake.response(503, "Service Unavailable"))
        }
        let remote = channel.remoteAddress
        var address = AddressBook.key(remote)
        var isLoopback = remote.map(NetworkScope.init)?.isLoopback ?? false
        if configuration.trustsForwardedFor, isLoopback, let forwarded = request.head["x-forwarded-for"],
            let first = forwarded.split(separator: ",").last
        {
            address = first.trimmingCharacters(in: .whitespaces)
            isLoopback = false
        }
        loop.beginEvent()
        guard let record = addresses.open(address, isLoopback: isLoopback, now: loop.nanoseconds) else {
            return .refuse(response: WebSocketHandshake.response(429, "Too Many Requests"))
        }
        let number = nextNumber.add(1, ordering: .relaxed).newValue
        return .accept(RelayConnection(relay: self, loop: loop, number: number, host: request.host, address: record))
    }
}
