package import Commands
package import Kernel
import Synchronization

/// One open way to a caller that came through a feature's own door, such as a socket of the bridge.
package protocol CallerOutlet: AnyObject, Sendable {
    /// Tells the caller of an event, as ``DeviceOutlet/send(_:_:to:)`` does. Cancelled it returns at once, and the event goes out all the
    /// same.
    ///
    /// - Throws: ``RemoteError/notConnected`` when it is over, or the caller may not be told that (any more).
    func send(_ kind: EventKind, _ members: [String: JSONValue]) async throws
}

/// The connected callers other than paired phones, by ``Caller/id``. A door adds each way when its caller has proved itself, and removes it
/// at its end.
package final class OpenCallers: Sendable {
    private let outlets = Mutex<[String: [any CallerOutlet]]>([:])

    package init() {}

    package func add(_ outlet: any CallerOutlet, of caller: String) {
        outlets.withLock { $0[caller, default: []].append(outlet) }
    }

    package func remove(_ outlet: any CallerOutlet, of caller: String) {
        outlets.withLock { outlets in
            outlets[caller]?.removeAll { $0 === outlet }
            if outlets[caller]?.isEmpty == true { outlets[caller] = nil }
        }
    }

    /// The ways to a caller; none for one that is not connected through such a door.
    package subscript(caller: String) -> [any CallerOutlet] { outlets.withLock { $0[caller] ?? [] } }
}

extension [any CallerOutlet] {
    /// Tells a caller of an event on each of its ways, and returns once the fastest took it: a device that changed its network still has its
    /// old way for a minute, and nothing gets through there.
    ///
    /// - Throws: What one of them says when none took it.
    package func send(_ kind: EventKind, _ members: [String: JSONValue]) async throws {
        guard count > 1 else {
            try await first?.send(kind, members)
            return
        }
        let failure = await withTaskGroup(of: (any Error)?.self) { group in
            for outlet in self {
                group.addTask {
                    do {
                        try await outlet.send(kind, members)
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            var failure: (any Error)?
            var isTaken = false
            for await result in group {
                if let result {
                    failure = result
                } else {
                    isTaken = true
                    // Messages given to the others still go out, in their order: only the waiting for them ends.
                    group.cancelAll()
                }
            }
            return isTaken ? nil : failure
        }
        if let failure { throw failure }
    }
}
