import Foundation
import Kernel
import NIOCore
import Transport

extension Relay {
    /// Pings, aliases that ended, counters, forgotten addresses, old mail: everything that happens by the clock.
    func keepHouse(clock: any Clock<Duration>) async {
        let steps = max(1, limits.pingSteps)
        var step: UInt64 = 0
        var lastSweep = now()
        while true {
            do {
                try await clock.sleep(for: limits.pingInterval / steps)
            } catch {
                return  // cancelled: the server is ending
            }
            step += 1
            let turn = step % UInt64(steps)
            for loop in loops {
                loop.perform { loop in
                    for connection in Array(loop.connections.values) where connection.number % UInt64(steps) == turn {
                        connection.keepAlive()
                    }
                }
            }
            endAliases()
            counters.publish()
            guard turn == 0 else { continue }
            addresses.sweep(now: ticks())
            let time = now()
            guard time.timeIntervalSince(lastSweep) >= 3600 else { continue }
            lastSweep = time
            _ = store.enqueue(.sweep(before: time.millisecondsSince1970 - limits.mailboxLifetime.milliseconds))
        }
    }

    private func endAliases() {
        for (id, connection) in registry.expiredAliases(now: ticks()) {
            connection.loop.perform { _ in connection.drop([id]) }
        }
    }

    /// Tells everyone, closes everyone, and returns when all are gone.
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

    func kick(_ id: PeerID, reason: String) {
        guard case .success(let target) = registry.target(id, otherwise: {}) else { return }
        let connection = target.connection
        connection.loop.perform { loop in
            var frame = FrameText(type: "kicked")
            frame.add("reason", text: reason)
            frame.add("timestamp", number: loop.milliseconds)
            connection.send(frame.finished())
            connection.close(.normal, reason: "")
        }
    }
}
