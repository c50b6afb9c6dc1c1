import CSystemd
import DesktopNotifications
package import Dispatch
import Glibc
package import Kernel
import LinuxTerminal

/// One connection to a message bus.
///
/// `@unchecked Sendable`, because every stored `var` and every call of sd-bus belong to `queue`, which is serial; what is
/// called from elsewhere goes there first. Nothing here waits: sd-bus reads and writes what the socket takes, and
/// ``Readiness`` tells when there is more.
package final class BusConnection: @unchecked Sendable {
    /// The time for an answer.
    package static let answerLimit = Duration.seconds(5)
    /// Messages before other work of the queue has its turn.
    private static let turn = 64
    /// Calls that wait for an answer.
    private static let callLimit = 256

    private struct PendingCall {
        let take: (Result<BusMessage, BusError>) -> Void
        let deadline: Task<Void, Never>
    }

    private let queue: DispatchQueue
    private let time: any TimeSource
    private let handle: (BusMessage) -> Void
    private let ended: (BusError) -> Void
    private var bus: OpaquePointer?
    private var readable: Readiness?
    private var writable: Readiness?
    private var calls: [UInt64: PendingCall] = [:]
    private var isPumping = false

    /// - Parameters:
    ///   - queue: Serial; may be shared with other connections.
    ///   - handle: Gets every message that is no answer to a call of this connection. Called on `queue`.
    ///   - ended: Called once on `queue` when the connection is lost; not after ``close()``.
    package init(
        queue: DispatchQueue,
        time: any TimeSource = .system,
        handle: @escaping @Sendable (BusMessage) -> Void,
        ended: @escaping @Sendable (BusError) -> Void
    ) {
        self.queue = queue
        self.time = time
        self.handle = handle
        self.ended = ended
    }

    deinit {
        // Every closure on the queue holds this object, so none is left.
        if let bus { sd_bus_close_unref(bus) }
        readable?.cancel()
        writable?.cancel()
    }

    /// Begins to connect. The first call's answer tells whether it worked.
    package func open(_ address: String, isMonitor: Bool = false) async throws {
        try await onQueue { [self] in
            var made: OpaquePointer?
            guard sd_bus_new(&made) >= 0, let made else {
                throw BusError.unreachable(reason: "out of memory")
            }
            bus = made
            var status = sd_bus_set_address(made, address)
            if status >= 0 { status = sd_bus_set_bus_client(made, 1) }
            if status >= 0, isMonitor { status = sd_bus_set_monitor(made, 1) }
            if status >= 0 { status = sd_bus_start(made) }
            let descriptor = status >= 0 ? sd_bus_get_fd(made) : status
            guard descriptor >= 0 else {
                release()
                throw Self.error(descriptor)
            }
            readable = Readiness(reading: descriptor, queue: queue) { [weak self] in self?.pump() }
            writable = Readiness(writing: descriptor, queue: queue) { [weak self] in self?.pump() }
            pump()
        }
    }

    /// Calls an object and reads its answer.
    ///
    /// - Parameter read: Called on the queue; its nil says that the answer is not what the specification says.
    /// - Throws: ``BusError``.
    package func call<Answer: Sendable>(
        _ request: BusRequest,
        within limit: Duration = BusConnection.answerLimit,
        read: @escaping @Sendable (BusMessage) -> Answer?
    ) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                begin(request, within: limit) { result in
                    continuation.resume(
                        with: result.flatMap { answer in
                            read(answer).map { .success($0) }
                                ?? .failure(.refused(reason: "\(request.member) was answered with something else"))
                        }
                    )
                }
            }
        }
    }

    /// Calls an object whose answer says nothing.
    package func call(_ request: BusRequest, within limit: Duration = BusConnection.answerLimit) async throws {
        try await call(request, within: limit) { _ in () }
    }

    /// Sends a signal of an object to one connection, or to all that listen. On the queue only.
    package func signal(
        _ member: String,
        of interface: String,
        at path: String,
        to destination: String?,
        _ arguments: [BusArgument]
    ) {
        guard let bus else { return }
        var made: OpaquePointer?
        guard sd_bus_message_new_signal(bus, &made, path, interface, member) >= 0, let made else { return }
        let message = BusMessage(taking: made)
        for argument in arguments where argument.append(to: message.raw) < 0 { return }
        if let destination, sd_bus_message_set_destination(message.raw, destination) < 0 { return }
        _ = sd_bus_send(bus, message.raw, nil)
        pumpSoon()
    }

    /// Answers a call. On the queue only.
    package func answer(_ call: BusMessage, _ arguments: [BusArgument]) {
        guard let bus, call.expectsReply else { return }
        var made: OpaquePointer?
        guard sd_bus_message_new_method_return(call.raw, &made) >= 0, let made else { return }
        let message = BusMessage(taking: made)
        for argument in arguments where argument.append(to: message.raw) < 0 { return }
        _ = sd_bus_send(bus, message.raw, nil)
        pumpSoon()
    }

    /// Refuses a call. On the queue only.
    package func refuse(_ call: BusMessage, _ name: String, _ sentence: String) {
        guard bus != nil, call.expectsReply else { return }
        name.withCString { name in
            sentence.withCString { sentence in
                var error = sd_bus_error(name: name, message: sentence, _need_free: 0)
                _ = sd_bus_reply_method_error(call.raw, &error)
            }
        }
        pumpSoon()
    }

    /// This connection's unique name, once a call was answered. On the queue only.
    package var uniqueName: String? {
        var name: UnsafePointer<CChar>?
        guard let bus, sd_bus_get_unique_name(bus, &name) >= 0 else { return nil }
        return name.map { String(cString: $0) }
    }

    /// ``uniqueName`` from anywhere.
    package func name() async throws -> String {
        let name = try await onQueue { [self] in uniqueName }
        guard let name else { throw BusError.unreachable(reason: "it gave no name") }
        return name
    }

    /// Begins to connect, and checks that the bus is this user's.
    package func openOwn(_ address: String) async throws {
        try await open(address)
        let user = try await call(.bus("GetConnectionUnixUser", .text("org.freedesktop.DBus"))) { $0.unsigned() }
        // Root is let in everywhere, and then would meet another user's programs.
        guard user == geteuid() else { throw BusError.foreignBus }
    }

    /// Ends the connection; calls without an answer fail.
    package func close() {
        queue.async { [self] in
            guard bus != nil else { return }
            // The last messages may still wait here to be sent.
            pump()
            release()
        }
    }

    private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    private func begin(
        _ request: BusRequest,
        within limit: Duration,
        take: @escaping (Result<BusMessage, BusError>) -> Void
    ) {
        guard let bus else { return take(.failure(.unreachable(reason: "the connection is closed"))) }
        guard calls.count < Self.callLimit else { return take(.failure(.refused(reason: "too many calls at once"))) }
        var made: OpaquePointer?
        var status = sd_bus_message_new_method_call(
            bus,
            &made,
            request.destination,
            request.path,
            request.interface,
            request.member
        )
        guard status >= 0, let made else { return take(.failure(Self.error(status))) }
        let message = BusMessage(taking: made)
        if !request.startsService { status = sd_bus_message_set_auto_start(message.raw, 0) }
        for argument in request.arguments where status >= 0 { status = argument.append(to: message.raw) }
        var cookie: UInt64 = 0
        if status >= 0 { status = sd_bus_send(bus, message.raw, &cookie) }
        guard status >= 0 else { return take(.failure(Self.error(status))) }
        let end = time.now + limit
        let deadline = Task { [weak self, queue, time, cookie] in
            guard await time.pause(until: end) else { return }
            queue.async { [weak self] in self?.finish(cookie, .failure(.timedOut(after: limit))) }
        }
        calls[cookie] = PendingCall(take: take, deadline: deadline)
        pumpSoon()
    }

    private func finish(_ cookie: UInt64, _ result: Result<BusMessage, BusError>) {
        guard let call = calls.removeValue(forKey: cookie) else { return }
        call.deadline.cancel()
        call.take(result)
    }

    /// Pumps after the work that runs now, since that may be the handling of a message.
    private func pumpSoon() { queue.async { [weak self] in self?.pump() } }

    private func pump() {
        guard !isPumping else { return }
        isPumping = true
        defer { isPumping = false }
        for _ in 0..<Self.turn {
            guard let bus else { return }
            var raw: OpaquePointer?
            let status = sd_bus_process(bus, &raw)
            if let raw { take(BusMessage(taking: raw)) }
            if status < 0 { return lost(status) }
            if status == 0 { return wait() }
        }
        pumpSoon()
    }

    private func take(_ message: BusMessage) {
        let kind = message.kind
        if kind == .answer || kind == .failure, let cookie = message.replyCookie, calls[cookie] != nil,
            message.destination == uniqueName
        {
            guard let failure = message.failure else { return finish(cookie, .success(message)) }
            return finish(cookie, .failure(Self.error(failure.name, failure.sentence)))
        }
        handle(message)
    }

    private func wait() {
        guard let bus else { return }
        let events = sd_bus_get_events(bus)
        guard events >= 0 else { return lost(events) }
        // Bits of poll(2): 1 is to read, 4 is to write.
        if events & 1 != 0 { readable?.arm() }
        if events & 4 != 0 { writable?.arm() }
    }

    private func lost(_ status: Int32) {
        guard bus != nil else { return }
        let error = Self.error(status)
        release(error)
        ended(error)
    }

    private func release(_ error: BusError = .unreachable(reason: "the connection is closed")) {
        guard let bus else { return }
        self.bus = nil
        let (readable, writable) = (readable, writable)
        self.readable = nil
        self.writable = nil
        readable?.cancel()
        writable?.cancel()
        sd_bus_close_unref(bus)
        for cookie in calls.keys { finish(cookie, .failure(error)) }
    }

    private static func error(_ name: String, _ sentence: String) -> BusError {
        switch name {
        case "org.freedesktop.DBus.Error.ServiceUnknown", "org.freedesktop.DBus.Error.NameHasNoOwner": .noService
        case let name where name.hasPrefix("org.freedesktop.DBus.Error.Spawn"): .noService
        case "org.freedesktop.DBus.Error.NoReply", "org.freedesktop.DBus.Error.Timeout":
            .timedOut(after: answerLimit)
        default: .refused(reason: sentence.isEmpty ? name : sentence)
        }
    }

    private static func error(_ status: Int32) -> BusError {
        switch -status {
        case ENOENT, ECONNREFUSED: .unreachable(reason: "no program listens at its address")
        case EACCES, EPERM: .foreignBus
        case ECONNRESET, ENOTCONN, EPIPE, ESHUTDOWN: .unreachable(reason: "the connection was closed")
        default: .unreachable(reason: BoundedText.line(String(cString: strerror(-status)), limit: 128))
        }
    }
}
