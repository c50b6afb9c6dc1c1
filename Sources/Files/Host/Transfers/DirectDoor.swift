import Capabilities
import Kernel
import Synchronization
import Transfers
import Transport

/// The port at which phones move the bytes of their transfers over connections of their own. It is opened when the first phone asks for a
/// ticket. Source: `docs/protocol.md` 2.12.
final class DirectDoor: Sendable {
    /// Whether it is used at all.
    static let setting = FeatureSetting(
        "directFiles",
        .flag,
        summary: "Whether phones nearby move files over connections of their own, which is faster (on)."
    )
    /// The port, for a firewall that has to be told.
    static let portSetting = FeatureSetting(
        "directFilesPort",
        .integer,
        summary: "The TCP port of these connections (any that is free)."
    )

    private enum Phase {
        case closed
        /// Where it will listen.
        case waiting(address: String)
        case listening(BulkListener)
        /// It is not tried again: what keeps it from listening is the owner's to change, and then the program is started anew.
        case failed(BulkError)
    }

    /// Whether phones may ask for tickets.
    let isOn: Bool
    private let port: Int64
    private let bodies: DirectBodies
    private let tickets: BulkTickets
    private let phase = Mutex(Phase.closed)

    /// - Parameter settings: The owner's, by the names of ``setting`` and ``portSetting``.
    init(_ settings: [String: JSONValue], bodies: DirectBodies, time: any TimeSource) {
        isOn = settings[Self.setting.name]?.boolValue ?? true
        port = settings[Self.portSetting.name]?.integerValue ?? 0
        self.bodies = bodies
        tickets = BulkTickets(time: time)
    }

    /// - Parameter address: Where the computer's own server listens: nobody who is kept out there comes in here.
    func open(at address: String) { phase.withLock { $0 = .waiting(address: address) } }

    /// Agrees with a device on one connection. Blocks for a moment.
    ///
    /// - Throws: ``BulkError``.
    func offer(to device: String, _ secret: BulkSecret) throws(BulkError) -> BulkOffer {
        let listener = try listener()
        let ticket = try tickets.issue(to: device, secret: secret.bytes)
        return BulkOffer(ticket: ticket, port: listener.port, session: secret.session)
    }

    private func listener() throws(BulkError) -> BulkListener {
        let listener = phase.withLock { phase -> Result<BulkListener, BulkError> in
            switch phase {
            case .closed: return .failure(.closed)
            case .listening(let listener): return .success(listener)
            case .failed(let error): return .failure(error)
            case .waiting(let address):
                do throws(BulkError) {
                    guard let port = UInt16(exactly: port) else {
                        throw .notListening(reason: "\(port) is no port")
                    }
                    let listener = try BulkListener(address: address, port: port, tickets: tickets, bodies: bodies)
                    phase = .listening(listener)
                    return .success(listener)
                } catch {
                    phase = .failed(error)
                    return .failure(error)
                }
            }
        }
        return try listener.get()
    }

    /// Ends a device's connections and tickets before it returns.
    func revoke(_ device: String) { tickets.revoke(device) }

    func close() {
        let before = phase.withLock { phase in
            defer { phase = .closed }
            return phase
        }
        tickets.close()
        if case .listening(let listener) = before { listener.end() }
    }

    /// How it stands, for the person who looks after this computer.
    var check: DoctorCheck {
        let name = "Direct connections"
        guard isOn else {
            return DoctorCheck(name: name, works: true, detail: "Turned off: files go through the session.")
                .saying("directOff")
        }
        switch phase.withLock({ $0 }) {
        case .failed(let error):
            let check = DoctorCheck(name: name, failure: error)
            guard case .notListening(let reason) = error else { return check }
            return check.saying("directNotListening", ["reason": .string(reason)])
        case .listening(let listener):
            let (connections, bytes) = (tickets.connectionCount, bodies.byteCount)
            let detail =
                "Phones nearby move files over port \(listener.port): \(connections) connected now, \(bytes >> 20) MiB so far."
            return DoctorCheck(name: name, works: true, detail: detail).saying(
                "directOpen",
                [
                    "port": .integer(Int64(listener.port)), "count": .integer(Int64(connections)),
                    "bytes": .integer(bytes),
                ]
            )
        case .closed, .waiting:
            return DoctorCheck(name: name, works: true, detail: "A port is opened when a phone nearby moves a file.")
                .saying("directWaits")
        }
    }
}
