import DequeModule
import Foundation
import Kernel
import Synchronization

/// The latest events of a role, numbered, so that a page that lost its connection goes on where it was.
///
/// One log serves every page: a page that reads slowly holds up nothing and keeps nothing; it learns that something is missing.
final class EventLog: Sendable {
    static let eventLimit = 512
    static let byteLimit = 1 << 20

    struct Event: Hashable, Sendable {
        let number: UInt64
        /// The whole message, as it is sent.
        let text: [UInt8]
    }

    enum News: Hashable, Sendable {
        case events([Event])
        /// Events after the number are not kept any more; the number from which it goes on.
        case gap(UInt64)
    }

    private struct State {
        var events: Deque<Event> = []
        var bytes = 0
        var number: UInt64 = 0
    }

    /// The id of this log, which ends with the process.
    let epoch: String
    private let state = Mutex(State())
    private let newest = LatestValue<UInt64>(0)

    init(epoch: String = UUID().uuidString.lowercased()) { self.epoch = epoch }

    var number: UInt64 { state.withLock(\.number) }

    func append(_ topic: String, _ data: JSONValue) {
        let number = state.withLock { state in
            state.number += 1
            let message: JSONValue = [
                "seq": .integer(Int64(state.number)), "topic": .string(topic), "data": data,
            ]
            let event = Event(number: state.number, text: message.canonicalBytes)
            state.events.append(event)
            state.bytes += event.text.count
            while state.events.count > Self.eventLimit || state.bytes > Self.byteLimit,
                let oldest = state.events.popFirst()
            {
                state.bytes -= oldest.text.count
            }
            return state.number
        }
        newest.set(number)
    }

    /// Marks a gap while nothing is told for a while: a page that asks for events after an earlier number learns that some may be missing.
    func interrupt() {
        let number = state.withLock { state in
            state.number += 1
            state.events = []
            state.bytes = 0
            return state.number
        }
        newest.set(number)
    }

    func news(after number: UInt64) -> News {
        state.withLock { state in
            guard number <= state.number else { return .gap(state.number) }
            guard number < state.number else { return .events([]) }
            guard let first = state.events.first, first.number <= number + 1 else { return .gap(state.number) }
            return .events(Array(state.events.suffix(Int(state.number - number))))
        }
    }

    /// The newest number, now and after each event.
    func numbers() -> AsyncStream<UInt64> { newest.values() }
}
