import Foundation
import Kernel
import Logging
import NIOCore
import RouteServer
import Synchronization
import Transport

/// The state that all connections of one server share.
final class Relay: Sendable {
    let configuration: SignalingServerConfiguration
    let limits: SignalingLimits
    let dialect: SignalingDialect
    let isOpen: Bool
    let registry: Registry
    let addresses: AddressLimiter
    let store: StoreQueue
    let counters: RelayCounters
    let logger: Logger
    let time: any TimeSource
    let startedAt: Date
    let loops: [RelayLoop]
    let loopsByEventLoop: [ObjectIdentifier: RelayLoop]
    let nextNumber = Atomic<UInt64>(0)
    let requestGuard: RequestGuard
    /// Open sockets of every kind; see ``maximumSockets(_:)``.
    let maximumSockets: Int
    /// Whether the operator was told of a request for another host.
    let hasToldRefusal = Atomic(false)

    init(
        configuration: SignalingServerConfiguration,
        store: StoreQueue,
        counters: RelayCounters,
        eventLoops: [any EventLoop],
        requestGuard: RequestGuard,
        time: any TimeSource,
        logger: Logger
    ) {
        self.configuration = configuration
        limits = configuration.limits
        dialect = configuration.dialect
        isOpen = configuration.isLegacyOpen
        self.store = store
        self.requestGuard = requestGuard
        maximumSockets = Self.maximumSockets(configuration.limits)
        self.logger = logger
        self.time = time
        startedAt = time.date
        registry = Registry(local: configuration.localPeer, startedAt: startedAt.millisecondsSince1970)
        addresses = AddressLimiter(limits: configuration.limits)
        self.counters = counters
        loops = eventLoops.enumerated().map {
            RelayLoop(index: $0.offset, eventLoop: $0.element, counters: counters, time: time)
        }
        loopsByEventLoop = Dictionary(uniqueKeysWithValues: loops.map { (ObjectIdentifier($0.eventLoop), $0) })
        for loop in loops { loop.attach(loops) }
    }
}
