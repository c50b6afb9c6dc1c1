import CXCB
import Glibc
import Kernel
import Synchronization

/// Tells when a program takes the clipboard of an X server over, by the server's XFixes extension. Source: "The XFIXES Extension", version 5.
final class SelectionNotices: Sendable {
    /// How long the server may take until it tells. It is on this machine.
    private static let patience = Duration.seconds(2)
    /// A new owner, an owner whose window went, an owner whose connection ended.
    private static let changes: UInt32 = 7

    private struct State {
        /// The connection's, as long as it is open.
        var socket: Int32?
        var isEnded = false
    }

    private let state = Mutex(State())

    /// - Parameters:
    ///   - display: As DISPLAY says it. One of another machine tells nothing.
    ///   - authority: The path of the file with the server's cookies.
    /// - Returns: Nil where the server cannot be reached so, or has no such extension.
    static func stream(display: String, authority: String?) async -> AsyncStream<Void>? {
        guard let name = XDisplay(display) else { return nil }
        let notices = SelectionNotices()
        let (stream, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        tell.onTermination = { _ in notices.end() }
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        // The library waits for the server, so it has a thread of its own until the reader goes.
        BlockingWork("tandem.selection", width: 1).perform {
            notices.follow(name, authority: authority, begun: { begin.finish() }, tell: { tell.yield() })
            begin.finish()
            tell.finish()
        }
        let isInTime = await endsWithin(patience, on: .system) { for await _ in begun {} }
        guard isInTime, notices.state.withLock({ $0.socket != nil }) else {
            notices.end()
            return nil
        }
        return stream
    }

    /// Tells until the server or ``end()`` ends the connection.
    private func follow(_ display: XDisplay, authority: String?, begun: () -> Void, tell: () -> Void) {
        let connection = display.connect(authority: authority)
        defer {
            // Nobody may end a socket whose number another one has by then.
            state.withLock { $0.socket = nil }
            xcb_disconnect(connection)
        }
        guard xcb_connection_has_error(connection) == 0, let event = Self.select(on: connection) else { return }
        let goesOn = state.withLock { state in
            if !state.isEnded { state.socket = xcb_get_file_descriptor(connection) }
            return !state.isEnded
        }
        guard goesOn else { return }
        begun()
        while let next = xcb_wait_for_event(connection) {
            // The highest bit says that another client made the event.
            let type = next.pointee.response_type & 0x7F
            free(next)
            if type == event { tell() }
        }
    }

    private func end() {
        state.withLock { state in
            state.isEnded = true
            // The thread that waits for events is woken by it, and closes it.
            if let socket = state.socket { shutdown(socket, Int32(SHUT_RDWR)) }
        }
    }

    /// Asks for notices. When it returns, the server tells: from there on nothing is missed.
    ///
    /// - Returns: The number of the events; nil where the server has none.
    private static func select(on connection: OpaquePointer?) -> UInt8? {
        guard let facts = xcb_get_extension_data(connection, tandem_xcb_xfixes()), facts.pointee.present != 0 else {
            return nil
        }
        // The extension serves nobody who has not said which version of it is meant.
        let version = xcb_xfixes_query_version_reply(connection, xcb_xfixes_query_version(connection, 5, 0), nil)
        free(version)
        let name = "CLIPBOARD"
        let atom = xcb_intern_atom_reply(connection, xcb_intern_atom(connection, 0, UInt16(name.utf8.count), name), nil)
        let roots = xcb_setup_roots_iterator(xcb_get_setup(connection))
        guard version != nil, let atom, let screen = roots.data else {
            free(atom)
            return nil
        }
        xcb_xfixes_select_selection_input(connection, screen.pointee.root, atom.pointee.atom, changes)
        free(atom)
        // Answered only after the request before.
        let answer = xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), nil)
        free(answer)
        return answer == nil ? nil : facts.pointee.first_event
    }
}
