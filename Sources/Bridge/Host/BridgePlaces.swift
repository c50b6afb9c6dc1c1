import NIOCore
import Synchronization

/// The places of connections that have yet to prove themselves, counted from their first packet. Where there is none left, the oldest gives
/// way: an honest client is through in moments.
final class BridgePlaces: Sendable {
    static let addressLimit = 8
    static let totalLimit = 64

    private struct State {
        /// In the order they came, by address.
        var waiting: [String: [(number: UInt64, channel: any Channel)]] = [:]
        var places: [ObjectIdentifier: (key: String, number: UInt64)] = [:]
        var next: UInt64 = 0
        /// Given up for others.
        var displaced = 0
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.places.count } }
    var displaced: Int { state.withLock(\.displaced) }

    func enter(_ channel: any Channel, from address: BridgeAddress) {
        let leaving: [any Channel] = state.withLock { state in
            state.next += 1
            state.waiting[address.key, default: []].append((state.next, channel))
            state.places[ObjectIdentifier(channel)] = (address.key, state.next)
            var leaving: [any Channel] = []
            if let own = state.waiting[address.key], own.count > Self.addressLimit, let oldest = own.first {
                leaving.append(oldest.channel)
                Self.remove(oldest.channel, &state)
            }
            if state.places.count > Self.totalLimit,
                let oldest = state.waiting.values.compactMap(\.first).min(by: { $0.number < $1.number })
            {
                leaving.append(oldest.channel)
                Self.remove(oldest.channel, &state)
            }
            state.displaced += leaving.count
            return leaving
        }
        for channel in leaving { channel.close(promise: nil) }
        channel.closeFuture.whenComplete { [self] _ in leave(ObjectIdentifier(channel)) }
    }

    /// It has proved itself, or is closed.
    func leave(_ channel: ObjectIdentifier) {
        state.withLock { state in
            guard let place = state.places.removeValue(forKey: channel) else { return }
            state.waiting[place.key]?.removeAll { $0.number == place.number }
            if state.waiting[place.key]?.isEmpty == true { state.waiting[place.key] = nil }
        }
    }

    private static func remove(_ channel: any Channel, _ state: inout State) {
        guard let place = state.places.removeValue(forKey: ObjectIdentifier(channel)) else { return }
        state.waiting[place.key]?.removeAll { $0.number == place.number }
        if state.waiting[place.key]?.isEmpty == true { state.waiting[place.key] = nil }
    }
}
