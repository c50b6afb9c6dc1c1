import Kernel
import PortForwarding
import Synchronization

/// The connections of phones to ports of this computer.
final class HostStreams: Sendable {
    struct Key: Hashable {
        /// A caller's id.
        let device: String
        let id: PortStreamID
    }

    private struct State {
        var streams: [Key: PortStream] = [:]
        /// Connections that are being made, by device.
        var dialing: [String: Int] = [:]
    }

    private let state = Mutex(State())

    subscript(device: String, id: PortStreamID) -> PortStream? {
        state.withLock { $0.streams[Key(device: device, id: id)] }
    }

    /// Keeps a place for a connection that is made.
    func begin(_ device: String) throws(PortError) {
        try state.withLock { state throws(PortError) in
            let count = state.streams.keys.count { $0.device == device } + state.dialing[device, default: 0]
            guard count < PortLimits.streams else { throw .tooManyConnections(limit: PortLimits.streams) }
            state.dialing[device, default: 0] += 1
        }
    }

    /// Gives back the place of ``begin(_:)``.
    func dialed(_ device: String) {
        state.withLock { state in
            let left = state.dialing[device, default: 1] - 1
            state.dialing[device] = left > 0 ? left : nil
        }
    }

    /// - Returns: False where there is one of this name.
    func add(_ stream: PortStream, of device: String) -> Bool {
        state.withLock { state in
            let key = Key(device: device, id: stream.id)
            guard state.streams[key] == nil else { return false }
            state.streams[key] = stream
            return true
        }
    }

    func remove(_ stream: PortStream, of device: String) {
        state.withLock { _ = $0.streams.removeValue(forKey: Key(device: device, id: stream.id)) }
    }

    /// Every connection with its device.
    var all: [(device: String, stream: PortStream)] {
        state.withLock { $0.streams.map { (device: $0.key.device, stream: $0.value) } }
    }

    /// Ends those that `isMeant` names.
    ///
    /// - Returns: How many there were.
    @discardableResult
    func end(_ reason: PortReset, where isMeant: (_ device: String, _ stream: PortStream) -> Bool) -> Int {
        let ending = all.filter { isMeant($0.device, $0.stream) }
        for (_, stream) in ending { stream.end(reason) }
        return ending.count
    }
}
