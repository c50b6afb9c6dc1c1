import Dispatch
import Foundation
import Glibc
import LinuxTerminal
import Synchronization

/// Tells when a program takes the clipboard of an X server over, by the server's XFixes extension. A client of a dozen requests, so that
/// no window and no library is needed for it. Source: the X11 protocol; "The XFIXES Extension", version 5.
final class SelectionNotices: Sendable {
    /// How long the server may take for an answer. It is on this machine.
    private static let patience = timeval(tv_sec: 2, tv_usec: 0)
    /// Bytes of one answer. That of the connection's begin names every kind of picture that the screens have.
    private static let answerLimit = 1 << 20
    /// Bytes of an event, and of an answer without more behind it.
    private static let unit = 32

    private struct State {
        var readable: Readiness?
        /// The bytes of an event that has not come whole.
        var rest: [UInt8] = []
    }

    private let connection: XConnection
    private let event: UInt8
    private let tell: AsyncStream<Void>.Continuation
    private let state = Mutex(State())

    private init(_ connection: XConnection, event: UInt8, telling tell: AsyncStream<Void>.Continuation) {
        self.connection = connection
        self.event = event
        self.tell = tell
    }

    /// - Parameters:
    ///   - display: As DISPLAY says it. One of another machine tells nothing.
    ///   - authority: The path of the file with the server's cookies.
    /// - Returns: Nil where the server cannot be reached so, or has no such extension.
    static func stream(display: String, authority: String?) async -> AsyncStream<Void>? {
        guard let name = XDisplay(display) else { return nil }
        let queue = DispatchQueue(label: "tandem.selection")
        return await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: try? open(name, authority: authority, on: queue)) }
        }
    }

    private static func open(_ display: XDisplay, authority: String?, on queue: DispatchQueue) throws
        -> AsyncStream<Void>
    {
        let connection = try XConnection(display, patience: patience)
        let cookie = authority.flatMap { FileManager.default.contents(atPath: $0) }
            .flatMap { XAuthority.cookie(for: display, in: Array($0.prefix(answerLimit))) }
        let root = try connection.begin(cookie, answerLimit: answerLimit)
        let extensionName = Array("XFIXES".utf8)
        let found = try connection.answer(
            to: XRequest(98, 0).adding(UInt16(extensionName.count)).adding(UInt16(0)).adding(padded: extensionName)
        )
        guard found[8] == 1 else { throw XConnection.Failure.unexpected }
        let (major, firstEvent) = (found[9], found[10])
        // The extension serves nobody who has not said which version of it is meant.
        _ = try connection.answer(to: XRequest(major, 0).adding(UInt32(5)).adding(UInt32(0)))
        let clipboard = Array("CLIPBOARD".utf8)
        let atom = try connection.answer(
            to: XRequest(16, 0).adding(UInt16(clipboard.count)).adding(UInt16(0)).adding(padded: clipboard)
        ).number(at: 8)
        // A new owner, an owner whose window went, an owner whose connection ended.
        try connection.send(XRequest(major, 2).adding(root).adding(atom).adding(UInt32(7)))
        // Answered only after the request before: from here on nothing is missed.
        _ = try connection.answer(to: XRequest(43, 0))
        let (stream, tell) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let notices = SelectionNotices(connection, event: firstEvent, telling: tell)
        tell.onTermination = { _ in notices.close() }
        notices.begin(on: queue)
        return stream
    }

    private func begin(on queue: DispatchQueue) {
        let readable = Readiness(reading: connection.number, queue: queue) { [weak self] in self?.pump() }
        state.withLock { $0.readable = readable }
        pump()
    }

    /// Takes what has come.
    private func pump() {
        while let bytes = connection.waiting() {
            guard !bytes.isEmpty else { return tell.finish() }
            let isTold = state.withLock { state in
                state.rest += bytes
                var isTold = false
                while state.rest.count >= Self.unit {
                    // The highest bit says that another client made the event.
                    if state.rest[0] & 0x7F == event { isTold = true }
                    state.rest.removeFirst(Self.unit)
                }
                return isTold
            }
            if isTold { tell.yield() }
        }
        state.withLock(\.readable)?.arm()
    }

    private func close() {
        state.withLock { state in
            defer { state.readable = nil }
            return state.readable
        }?.cancel()
    }
}
