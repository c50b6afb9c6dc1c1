import Bridge
import CommandServer
import Commands
import Kernel
import Principals
import Rights
import Synchronization
import Transport

/// The client that proved itself on a socket.
struct BridgeBearer: Hashable, Sendable {
    /// The id of its token; nil for the token that developers' programs are built with.
    let tokenID: String?
    let name: String

    static let developer = BridgeBearer(tokenID: nil, name: "a program with the developers' token")

    /// The id for ``Caller/id``.
    var callerID: String { Principal.tokenHolder(tokenID ?? "developer").id }
}

/// One socket of the bridge: what is sent to it, in order and bounded.
final class BridgeSocket: CallerOutlet {
    /// The longest message that is sent: clients take 1 MiB, and some of that is theirs to lose.
    static let messageLimit = 512 * 1024
    /// Bytes that may wait for a client. One for which more waits does not read, and is let go.
    static let waitingLimit = 4 * 1024 * 1024

    let peer: any WebSocketPeer
    let address: NetworkAddress?
    /// Whether its request named an origin, as all of pages do.
    let hasOrigin: Bool
    /// The rights of a bearer, asked each time: when a right or a token is taken back, what flows stops.
    private let rights: @Sendable (BridgeBearer) -> Set<Right>
    private let linkState = Mutex<BridgeLink?>(nil)
    private let bearerState = Mutex<BridgeBearer?>(nil)

    init(
        _ peer: any WebSocketPeer,
        address: NetworkAddress?,
        hasOrigin: Bool,
        rights: @escaping @Sendable (BridgeBearer) -> Set<Right>
    ) {
        self.peer = peer
        self.address = address
        self.hasOrigin = hasOrigin
        self.rights = rights
    }

    /// Nil until the socket proved itself.
    var bearer: BridgeBearer? { bearerState.withLock { $0 } }

    func prove(_ bearer: BridgeBearer) {
        bearerState.withLock { $0 = bearer }
        (peer as? WebSocketConnection)?.takeLargeMessages()
    }

    /// The way to a paired phone that this is; nil for a socket of a token.
    var link: BridgeLink? { linkState.withLock { $0 } }

    func become(_ link: BridgeLink) { linkState.withLock { $0 = link } }

    /// Whether it showed a token, or a paired phone shook hands on it.
    var isProven: Bool { bearer != nil || link?.isProven == true }

    /// - Throws: ``RemoteError/notConnected`` once it is over.
    func send(_ bytes: [UInt8]) async throws {
        // Bytes that wait in the connection itself: a sender may have stopped waiting while its bytes still do.
        let before = (peer as? WebSocketConnection)?.waitingBytes ?? 0
        guard before + bytes.count <= Self.waitingLimit else {
            peer.abort()
            throw RemoteError.notConnected
        }
        do {
            try await peer.send(text: bytes)
        } catch WebSocketError.closed {
            throw RemoteError.notConnected
        }
    }

    /// Closes it without waiting for its end, which takes seconds where the client is gone.
    func letGo(_ code: WebSocketCloseCode, reason: String) {
        guard let connection = peer as? WebSocketConnection else { return peer.abort() }
        connection.beginClose(code, reason: reason)
    }

    func send(_ kind: EventKind, _ members: [String: JSONValue]) async throws {
        guard let bearer, rights(bearer).contains(kind.right) else { throw RemoteError.notConnected }
        let bytes = BridgeMessage.envelope(type: kind.name, data: .object(members)).bytes
        guard bytes.count <= Self.messageLimit else {
            throw RemoteError.resultTooLarge(bytes: bytes.count, limit: Self.messageLimit)
        }
        try await send(bytes)
    }
}
