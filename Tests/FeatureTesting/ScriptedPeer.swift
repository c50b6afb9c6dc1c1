package import CommandServer
package import Commands
package import Kernel
import Synchronization

/// A computer whose answers a test gives. It notes every call, and tells the events and the ways that the test sends.
package final class ScriptedPeer: Peer {
    /// One call, as it was made.
    package struct Call: Equatable, Sendable {
        /// Counts all calls of this peer from 1.
        package let number: Int
        package let method: String
        package let params: JSONValue
        package let timeout: Duration
    }

    package typealias Answer = @Sendable (_ call: Call) async throws -> JSONValue
    package typealias Events = @Sendable () -> AsyncStream<RemoteEvent>

    package let id: String
    package let isSealed: Bool
    private let answer: Answer
    private let eventsElsewhere: Events?
    private let told = Broadcaster<RemoteEvent>()
    private let isReachable = LatestValue(true, capacity: 16)
    private let isForgotten = Mutex(false)
    private let noted = Mutex<[Call]>([])
    private let count = LatestValue(0)
    private let readersSoFar = Mutex(0)

    /// - Parameters:
    ///   - answer: Run for every call that is made while the computer is reachable; it may wait, or throw.
    ///   - events: The events that the computer tells from now on; nil for those of ``tell(_:)``.
    package init(
        id: String = "did:key:z6MkHome",
        isSealed: Bool = true,
        _ answer: @escaping Answer = { _ in ["success": true] },
        events: Events? = nil
    ) {
        self.id = id
        self.isSealed = isSealed
        self.answer = answer
        eventsElsewhere = events
    }

    /// A computer of another program, which answers every call with the same value and is forgotten already: it tells nothing.
    package convenience init(answering answer: JSONValue) {
        self.init(id: "did:key:z6MkOther", isSealed: false, { _ in answer })
        forget()
    }

    /// A computer of one feature: a call runs the feature's method as `caller`, and everything said is JSON text on the way.
    ///
    /// - Parameter outlet: The outlet that the feature was made with: the peer's events are those that it sends to `caller`.
    package convenience init(
        _ feature: any CommandFeature,
        as caller: Caller = .ada,
        outlet: ScriptedOutlet = ScriptedOutlet()
    ) {
        self.init(
            { call in
                let params = try JSONValue(parsing: call.params.canonicalBytes)
                let answer = try await feature.call(call.method, params, as: caller)
                return try JSONValue(parsing: answer.canonicalBytes)
            },
            events: { outlet.stream(to: caller.id) }
        )
    }

    /// The calls so far, in order. One that was made while the computer was away is none.
    package var calls: [Call] { noted.withLock(\.self) }

    /// The number of times that somebody asked for the events.
    package var readers: Int { readersSoFar.withLock(\.self) }

    /// The calls, once there are `number` of them. Returns at once when its own task is cancelled.
    package func called(_ number: Int) async -> [Call] {
        for await count in count.values() where count >= number { break }
        return calls
    }

    package func tell(_ event: RemoteEvent) { told.send(event) }

    /// While it is away, calls are not made.
    package func setReachable(_ reachable: Bool) { isReachable.set(reachable) }

    /// Ends the streams of events and of ways, and every later one at once.
    package func forget() {
        isForgotten.withLock { $0 = true }
        told.finish()
        isReachable.finish()
    }

    package func call(_ method: String, _ params: JSONValue, timeout: Duration) async throws -> JSONValue {
        guard isReachable.value else { throw RemoteError.notConnected }
        let call = noted.withLock { calls in
            let call = Call(number: calls.count + 1, method: method, params: params, timeout: timeout)
            calls.append(call)
            return call
        }
        count.update { $0 = max($0, call.number) }
        return try await answer(call)
    }

    package func events() async throws -> AsyncStream<RemoteEvent> {
        readersSoFar.withLock { $0 += 1 }
        return eventsElsewhere?() ?? told.subscribe()
    }

    package func reachability() async throws -> AsyncStream<Bool> {
        guard !isForgotten.withLock(\.self) else { return AsyncStream { $0.finish() } }
        return isReachable.values()
    }
}
