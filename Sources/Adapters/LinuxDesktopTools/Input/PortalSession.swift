import Dispatch
import Kernel
import LinuxBus
import Synchronization

/// A session of the portal `org.freedesktop.portal.RemoteDesktop`, by which desktops such as GNOME and KDE lend their pointer and keyboard.
/// Source: the XDG Desktop Portal's documentation, "Remote Desktop", "Request" and "Session".
///
/// The portal ends the session, and lets go of what it holds, when the connection ends, also that of a program that was killed.
final class PortalSession: Sendable {
    enum Failure: Error, Hashable {
        /// The desktop has no such portal, or one without a pointer or a keyboard.
        case missing
        /// The person said no.
        case declined
        /// The portal said neither yes nor no: another dialog is open, or the desktop ended the question.
        case ended
        /// The person gave no answer.
        case unanswered
        /// The person allowed a part only.
        case partly
    }

    /// An answer that the portal gives by a signal.
    struct Response: Hashable, Sendable {
        /// 0 for yes, 1 for the person's no, 2 for any other end.
        let code: UInt32
        var session: String?
        var restoreToken: String?
        var devices: UInt32?

        /// Nil for a message that is none.
        init?(_ message: BusMessage) {
            guard message.has(signature: "ua{sv}"), let code = message.unsigned() else { return nil }
            self.code = code
            var (session, token, devices): (String?, String?, UInt32?)
            let isWhole = message.eachEntry(upTo: 64) { name, contents in
                switch (name, contents) {
                // Older portals say it as a text, although it is a path.
                case ("session_handle", "s"):
                    session = message.inVariant(contents) { $0.text(limit: PortalName.pathLimit) }
                case ("session_handle", "o"):
                    session = message.inVariant(contents) { $0.path(limit: PortalName.pathLimit) }
                case ("restore_token", "s"):
                    token = message.inVariant(contents) { $0.text(limit: PortalName.tokenLimit) }
                case ("devices", "u"): devices = message.inVariant(contents) { $0.unsigned() }
                default: return message.skip("v")
                }
                return true
            }
            guard isWhole else { return nil }
            (self.session, restoreToken, self.devices) = (session, token, devices)
        }
    }

    fileprivate struct State {
        /// The portal's own name on the bus: any program may send signals.
        var owner: String?
        /// The question that waits for its answer.
        var asked: (path: String, answer: AsyncStream<Response>.Continuation)?
        var session: String?
        var isOver = false
    }

    /// The time for an answer that no person has to give.
    private static let limit = Duration.seconds(10)

    /// The token with which the desktop does not ask its person the next time; nil where it gave none.
    let restoreToken: String?
    private let bus: BusConnection
    private let path: String
    private let state: SharedState

    private init(_ bus: BusConnection, _ path: String, restoreToken: String?, _ state: SharedState) {
        self.bus = bus
        self.path = path
        self.restoreToken = restoreToken
        self.state = state
    }

    /// Whether the desktop has a pointer and a keyboard to lend. Asks no person.
    ///
    /// - Throws: ``Failure/missing``; `BusError`.
    static func check(_ address: String, time: any TimeSource) async throws {
        let bus = BusConnection(
            queue: DispatchQueue(label: "tandem.portal"),
            time: time,
            handle: { _ in },
            ended: { _ in }
        )
        defer { bus.close() }
        try await bus.openOwn(address)
        _ = try await version(bus)
    }

    /// Asks the desktop for its pointer and keyboard, and waits for what its person says.
    ///
    /// - Parameters:
    ///   - token: Of the session before.
    ///   - patience: The time that the person has.
    ///   - ended: Called once when the desktop ends the session, or is gone. Not after ``close()``.
    /// - Throws: ``Failure``; `BusError`; `CancellationError`.
    static func open(
        _ address: String,
        token: String?,
        patience: Duration,
        time: any TimeSource,
        ended: @escaping @Sendable (_ byPerson: Bool) -> Void
    ) async throws -> PortalSession {
        let state = SharedState(ended)
        let bus = BusConnection(
            queue: DispatchQueue(label: "tandem.portal"),
            time: time,
            handle: { state.take($0) },
            ended: { _ in state.end(byPerson: false) }
        )
        do {
            try await bus.openOwn(address)
            return try await begin(bus, state, token: token, patience: patience, time: time)
        } catch {
            // The portal closes questions and sessions of a program that is gone.
            bus.close()
            try Task.checkCancellation()
            throw error
        }
    }

    private static func begin(
        _ bus: BusConnection,
        _ state: SharedState,
        token: String?,
        patience: Duration,
        time: any TimeSource
    ) async throws -> PortalSession {
        let version = try await version(bus)
        for rule in PortalName.rules { try await bus.call(.bus("AddMatch", .text(rule))) }
        let owner = try await bus.call(.bus("GetNameOwner", .text(PortalName.service))) { $0.text(limit: 255) }
        state.value.withLock { $0.owner = owner }
        let questions = Questions(bus: bus, state: state, name: try await bus.name(), time: time)

        let made = try await questions.ask(
            "CreateSession",
            options: [.init("session_handle_token", .text("tandem"))],
            within: limit
        )
        guard let path = made.session, path.hasPrefix(PortalName.sessions) else { throw Failure.missing }
        state.value.withLock { $0.session = path }
        var options: [BusArgument.Entry] = [.init("types", .unsigned(PortalName.devices))]
        // Version 1 asks each time.
        if version >= 2 {
            options.append(.init("persist_mode", .unsigned(PortalName.persistsUntilRevoked)))
            if let token { options.append(.init("restore_token", .text(token))) }
        }
        _ = try await questions.ask("SelectDevices", [.path(path)], options: options, within: limit)
        // No window of ours is there that the question could belong to.
        let begun = try await questions.ask("Start", [.path(path), .text("")], options: [], within: patience)
        guard (begun.devices ?? 0) & PortalName.devices == PortalName.devices else { throw Failure.partly }
        return PortalSession(bus, path, restoreToken: begun.restoreToken, state)
    }

    /// Sends one event, and waits until the portal took it: the portal handles calls on several threads, so that two that are under way could change places.
    func notify(_ member: String, _ arguments: [BusArgument]) async throws {
        try await bus.call(Self.request(member, [.path(path), .dictionary([])] + arguments))
    }

    func close() async {
        state.value.withLock { $0.isOver = true }
        let request = BusRequest(
            destination: PortalName.service,
            path: path,
            interface: PortalName.session,
            member: "Close",
            startsService: false
        )
        // A portal that does not answer ends the session with the connection.
        try? await bus.call(request, within: .seconds(2))
        bus.close()
    }

    fileprivate static func request(_ member: String, _ arguments: [BusArgument]) -> BusRequest {
        BusRequest(
            destination: PortalName.service,
            path: PortalName.path,
            interface: PortalName.remoteDesktop,
            member: member,
            arguments
        )
    }

    /// The portal's version, once it is known that it has both devices.
    private static func version(_ bus: BusConnection) async throws -> UInt32 {
        func property(_ name: String) async throws -> UInt32 {
            let request = BusRequest(
                destination: PortalName.service,
                path: PortalName.path,
                interface: "org.freedesktop.DBus.Properties",
                member: "Get",
                [.text(PortalName.remoteDesktop), .text(name)]
            )
            return try await bus.call(request, within: limit) { $0.inVariant("u") { $0.unsigned() } }
        }
        do {
            guard try await property("AvailableDeviceTypes") & PortalName.devices == PortalName.devices else {
                throw Failure.missing
            }
            return try await property("version")
        } catch BusError.refused, BusError.noService {
            // The portal has no such interface where the desktop does not lend its pointer.
            throw Failure.missing
        }
    }

    /// What the bus's queue and the tasks of a session share.
    final class SharedState: Sendable {
        fileprivate let value = Mutex(State())
        private let ended: @Sendable (Bool) -> Void

        init(_ ended: @escaping @Sendable (Bool) -> Void) { self.ended = ended }

        /// Takes a signal. On the bus's queue.
        func take(_ message: BusMessage) {
            guard message.kind == .signal, let path = message.path else { return }
            switch (message.interface, message.member) {
            case (PortalName.request, "Response"):
                let asked = value.withLock { $0.asked?.path == path && $0.owner == message.sender ? $0.asked : nil }
                guard let asked else { return }
                if let response = Response(message) { asked.answer.yield(response) }
                asked.answer.finish()
            case (PortalName.session, "Closed"):
                if value.withLock({ $0.session == path && $0.owner == message.sender }) { end(byPerson: true) }
            case ("org.freedesktop.DBus", "NameOwnerChanged"):
                guard message.sender == "org.freedesktop.DBus", message.text(limit: 255) == PortalName.service else {
                    return
                }
                end(byPerson: false)
            default: return
            }
        }

        func end(byPerson: Bool) {
            let (isFirst, asked) = value.withLock { state in
                defer { state.isOver = true }
                return (!state.isOver, state.asked)
            }
            asked?.answer.finish()
            if isFirst { ended(byPerson) }
        }
    }

    /// Asks what the portal answers by a signal from an object whose path is known before, so that the answer cannot come too early.
    private struct Questions {
        let bus: BusConnection
        let state: SharedState
        let name: String
        let time: any TimeSource

        func ask(
            _ member: String,
            _ arguments: [BusArgument] = [],
            options: [BusArgument.Entry],
            within limit: Duration
        ) async throws -> Response {
            let token = "tandem_\(member.lowercased())"
            let path = PortalName.requests + name.dropFirst().replacing(".", with: "_") + "/" + token
            let (answers, answer) = AsyncStream.makeStream(of: Response.self, bufferingPolicy: .bufferingOldest(1))
            state.value.withLock { $0.asked = (path, answer) }
            defer { state.value.withLock { $0.asked = nil } }
            let options = BusArgument.dictionary([.init("handle_token", .text(token))] + options)
            try await bus.call(PortalSession.request(member, arguments + [options]), within: PortalSession.limit)
            let response = try await withTimeout(limit, on: time, throwing: Failure.unanswered) {
                for await response in answers { return response }
                try Task.checkCancellation()
                throw Failure.ended
            }
            switch response.code {
            case 0: return response
            case 1: throw Failure.declined
            default: throw Failure.ended
            }
        }
    }
}

/// Names of the portal.
enum PortalName {
    static let service = "org.freedesktop.portal.Desktop"
    static let path = "/org/freedesktop/portal/desktop"
    static let remoteDesktop = "org.freedesktop.portal.RemoteDesktop"
    static let request = "org.freedesktop.portal.Request"
    static let session = "org.freedesktop.portal.Session"
    static let requests = path + "/request/"
    static let sessions = path + "/session/"
    /// A keyboard (1) and a pointer (2).
    static let devices: UInt32 = 3
    /// The permission stays until the person takes it back.
    static let persistsUntilRevoked: UInt32 = 2
    /// Bytes of an object's path.
    static let pathLimit = 1024
    /// Bytes of a token that restores a session.
    static let tokenLimit = 4096
    /// What the bus hands over.
    static let rules = [
        "type='signal',sender='\(service)',interface='\(request)',member='Response'",
        "type='signal',sender='\(service)',interface='\(session)',member='Closed'",
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',member='NameOwnerChanged',arg0='\(service)'",
    ]
}
