import Foundation
import Kernel
import NIOCore
import Transport

extension Relay {
    /// Pings, aliases that ended, counters, forgotten addresses, old mail: everything that happens by the clock.
    func runMaintenance() async {
        let steps = max(1, limits.pingSteps)
        var step: UInt64 = 0
        // The first sweep comes soon: a server that is started every morning sweeps too.
        var lastSweep: Date?
        while true {
            do {
                try await time.sleep(for: limits.pingInterval / steps)
            } catch {
                return  // cancelled: the server is ending
            }
            step += 1
            let turn = step % UInt64(steps)
            for loop in loops {
                loop.perform { [limits] loop in
                    loop.endUnfinished(after: limits.arrivalTimeout.nanoseconds)
                    for connection in Array(loop.connections.values) where connection.number % UInt64(steps) == turn {
                        connection.keepAlive()
                    }
                }
            }
            endAliases()
            counters.publish()
            guard turn == 0 else { continue }
            addresses.sweep(now: time.ticks)
            let date = time.date
            if let lastSweep, date.timeIntervalSince(lastSweep) < 3600 { continue }
            lastSweep = date
            _ = store.enqueue(.sweep(now: date.millisecondsSince1970))
        }
    }

    private func endAliases() {
        for (id, connection) in registry.expiredAliases(now: time.ticks) {
            connection.loop.perform { _ in connection.drop([id]) }
        }
    }

    /// Tells every connection, closes it, and returns when all are gone.
    func shutDown() async {
        for loop in loops {
            let gone = loop.eventLoop.flatSubmit {
                loop.beginEvent()
                var text = FrameText(type: "server-shutdown")
                text.add("message", text: "The server is shutting down")
                text.add("timestamp", number: loop.milliseconds)
                let frame = text.finished()
                let closing = Array(loop.connections.values).compactMap { connection in
                    connection.send(frame)
                    connection.close(.goingAway, reason: "Server shutting down")
                    return connection.context?.channel.closeFuture
                }
                loop.finishEvent()
                return EventLoopFuture.andAllComplete(closing, on: loop.eventLoop)
            }
            // Each socket closes within `closeTimeout`, so this ends; it does not fail.
            try? await gone.get()
        }
    }

    func kick(_ id: PeerID, reason: String) -> Bool {
        guard case .success(let target) = registry.target(id, otherwise: {}) else { return false }
        let connection = target.connection
        connection.loop.perform { loop in
            var frame = FrameText(type: "kicked")
            frame.add("reason", text: reason)
            frame.add("timestamp", number: loop.milliseconds)
            connection.send(frame.finished())
            connection.close(.normal, reason: "")
        }
        return true
    }
}
