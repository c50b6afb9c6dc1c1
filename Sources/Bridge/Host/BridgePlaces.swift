import NIOCore
import Synchronization
import Transport

/// The places of connections to the bridge that have yet to prove themselves, counted from their first packet.
final class BridgePlaces: Sendable {
    static let addressLimit = 8
    static let totalLimit = 64

    private struct State {
        var places = WaitingPlaces<ObjectIdentifier>(
            addressLimit: BridgePlaces.addressLimit,
            totalLimit: BridgePlaces.totalLimit
        )
        var channels: [ObjectIdentifier: any Channel] = [:]
        /// The number of places that were given up for others.
        var displaced = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.places.count } }
    var displaced: Int { state.withLock(\.displaced) }

    /// Called in the order in which connections came, before ``enter(_:from:)``.
    func arrive(_ channel: any Channel) {
        state.withLock { $0.places.arrive(ObjectIdentifier(channel)) }
        // Also one that never gets an event loop.
        channel.closeFuture.whenComplete { [self] _ in leave(ObjectIdentifier(channel)) }
    }

    func enter(_ channel: any Channel, from address: NetworkAddress?) {
        let leaving: [any Channel] = state.withLock { state in
            state.channels[ObjectIdentifier(channel)] = channel
            let leaving = state.places.enter(ObjectIdentifier(channel), from: address.limitKey)
            state.displaced += leaving.count
            return leaving.compactMap { state.channels.removeValue(forKey: $0) }
        }
        for channel in leaving { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [self] _ in leave(ObjectIdentifier(channel)) }
    }

    /// Its request for a WebSocket was taken.
    func speak(_ channel: any Channel) { state.withLock { $0.places.speak(ObjectIdentifier(channel)) } }

    /// It has proved itself, or is closed.
    func leave(_ channel: ObjectIdentifier) {
        state.withLock { state in
            state.places.leave(channel)
            state.channels[channel] = nil
        }
    }
}
