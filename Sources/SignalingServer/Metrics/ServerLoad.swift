import Synchronization

/// How much a signaling server has to do, as its operator sees it. Counts are since its start, the others as they stand.
package struct ServerLoad: Hashable, Sendable {
    package var connectionsOpen: Int
    package var connectionsOpened: Int
    package var connectionsRefused: Int
    package var framesForwarded: Int
    package var bytesForwarded: Int
    package var framesStored: Int
    package var framesRefused: Int
    /// Bytes that wait for readers that are behind, and of messages that have not arrived whole.
    package var outgoingBytes: Int
    package var arrivingBytes: Int
    package var idsKnown: Int
    package var socketsThrottled: Int
}

extension SignalingServer {
    /// Frames that are kept for devices that are away.
    package func storedFrames() async throws -> Int { try await mailbox.count() }

    /// Nil while it does not listen.
    package var load: ServerLoad? {
        boundRelay.map { relay in
            let counters = relay.counters
            return ServerLoad(
                connectionsOpen: counters.connectionsOpen.load(ordering: .relaxed),
                connectionsOpened: counters.connectionsOpened.load(ordering: .relaxed),
                connectionsRefused: counters.connectionsRefused.load(ordering: .relaxed),
                framesForwarded: counters.framesForwarded.load(ordering: .relaxed),
                bytesForwarded: counters.bytesForwarded.load(ordering: .relaxed),
                framesStored: counters.framesStored.load(ordering: .relaxed),
                framesRefused: counters.framesRefused.load(ordering: .relaxed),
                outgoingBytes: counters.outgoingBytes.load(ordering: .relaxed),
                arrivingBytes: counters.arrivalBytes.load(ordering: .relaxed),
                idsKnown: counters.idsKnown.load(ordering: .relaxed),
                socketsThrottled: counters.socketsThrottled.load(ordering: .relaxed)
            )
        }
    }
}
