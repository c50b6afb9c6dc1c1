public import Commands
import Foundation
import Kernel

/// The terminals of one computer: lists, opens and ends them. ``TerminalClient`` shows one.
public struct TerminalsClient: Sendable {
    private let peer: any Peer

    public init(_ peer: any Peer) { self.peer = peer }

    /// Lists the running terminals, and a few that have ended. None of their output is sent because of it.
    ///
    /// - Throws: ``TerminalError`` or `RemoteFailure` where the computer refuses, `RemoteError` and other errors where it did not
    ///   answer.
    public func list() async throws -> [TerminalEntry] {
        try await peer.ask(TerminalMethods.list, TerminalMethods.List(subscribes: false)).sessions
    }

    /// Starts a shell. The computer sends what it writes from the first byte on, as far as ``TerminalClient`` shows it.
    ///
    /// - Parameter request: Its arguments do not travel.
    /// - Throws: As ``list()``; ``TerminalError/shellNotAllowed``, ``TerminalError/tooManySessions``.
    package func create(
        _ request: TerminalRequest,
        viewerID: String? = nil
    ) async throws -> TerminalMethods.Created {
        let params = TerminalMethods.Create(request, acknowledges: true, viewerID: viewerID)
        return try await peer.ask(TerminalMethods.create, params)
    }

    /// Starts a shell to show.
    ///
    /// - Throws: As ``create(_:)``.
    public func open(_ request: TerminalRequest) async throws -> TerminalClient {
        let viewerID = UUID.randomText()
        let id = try await create(request, viewerID: viewerID).sessionID
        return TerminalClient(sessionID: id, isNew: true, size: request.size, peer: peer, inputID: viewerID)
    }

    /// A terminal that runs, to show its newest output and what follows. Asks nothing of the computer yet.
    public func attach(to id: String) -> TerminalClient { TerminalClient(sessionID: id, isNew: false, peer: peer) }

    /// Ends a terminal's shell, and returns when it has ended.
    ///
    /// - Throws: As ``list()``; ``TerminalError/sessionNotFound``.
    public func close(_ id: String) async throws {
        _ = try await peer.ask(TerminalMethods.close, TerminalMethods.Session(id))
    }
}
