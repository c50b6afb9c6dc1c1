import CAvahi
import Transport

/// One connection to avahi-daemon and the thread that its callbacks run on.
///
/// `@unchecked Sendable`, because avahi's objects and the role are touched by one thread at a time: by the caller of
/// ``open()`` until `avahi_threaded_poll_start`, then by avahi's own thread only, and by the caller of ``close()``
/// after `avahi_threaded_poll_stop`, which waits for that thread to end. Starting and joining a thread order memory.
/// The owner, ``AvahiSupervisor``, calls `open` once and then `close` once, one after the other.
final class AvahiSession: @unchecked Sendable {
    private let role: any AvahiRole
    private let fail: @Sendable (DiscoveryError) -> Void
    private var poll: OpaquePointer?
    private var client: OpaquePointer?

    /// - Parameter fail: Called when the session is over for good: close it and open another one.
    init(role: any AvahiRole, fail: @escaping @Sendable (DiscoveryError) -> Void) {
        self.role = role
        self.fail = fail
    }

    /// Connects to the bus and asks for the daemon, which may block for as long as they take to answer.
    func open() throws(DiscoveryError) {
        guard let poll = avahi_threaded_poll_new() else { throw .refused(reason: "out of memory") }
        self.poll = poll
        var code: Int32 = 0
        // NO_FAIL: without a daemon the client waits for it, instead of failing.
        // The first callback may come before this returns, so callbacks take the client from their argument.
        client = avahi_client_new(
            avahi_threaded_poll_get(poll),
            AVAHI_CLIENT_NO_FAIL,
            { client, state, context in
                guard let client, let context else { return }
                Unmanaged<AvahiSession>.fromOpaque(context).takeUnretainedValue().changed(client, to: state)
            },
            // Unretained: the owner keeps this object until `close` has ended the thread and freed the client.
            Unmanaged.passUnretained(self).toOpaque(),
            &code
        )
        guard client != nil else { throw Self.error(code) }
        guard avahi_threaded_poll_start(poll) == 0 else { throw .refused(reason: "no thread for it could be started") }
    }

    /// Ends the thread and the connection; what was advertised is withdrawn. Never called by avahi's own thread.
    func close() {
        guard let poll else { return }
        // Fails when the thread was never started; then there is nothing to wait for.
        _ = avahi_threaded_poll_stop(poll)
        // Frees its entry groups, browsers and resolvers too.
        if let client { avahi_client_free(client) }
        avahi_threaded_poll_free(poll)
        self.poll = nil
        client = nil
    }

    private func changed(_ client: OpaquePointer, to state: AvahiClientState) {
        if state == AVAHI_CLIENT_FAILURE {
            fail(Self.error(avahi_client_errno(client)))
        } else {
            role.clientChanged(client, to: state)
        }
    }

    static func error(_ code: Int32) -> DiscoveryError {
        switch code {
        // With NO_FAIL a missing daemon is a state, so this is the bus.
        case Int32(AVAHI_ERR_NO_DAEMON), Int32(AVAHI_ERR_DBUS_ERROR): .systemBusMissing
        case Int32(AVAHI_ERR_DISCONNECTED): .daemonLost
        default: .refused(reason: String(cString: avahi_strerror(code)))
        }
    }
}
