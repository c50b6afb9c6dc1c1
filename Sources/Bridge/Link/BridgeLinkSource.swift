public import Foundation
public import Kernel
public import Transport

/// Links to a paired computer through its bridge, one after the other: a phone that knows the port but not the computer's own server.
public struct BridgeLinkSource: LinkSource {
    /// The kind of the links that it brings.
    public let kind = LinkKind.lan
    private let address: URL
    private let keyHash: [UInt8]?
    private let time: any TimeSource

    /// - Parameters:
    ///   - address: `ws://` or `wss://`. Who answers there has to prove itself in the session, so nothing is lost to a stranger.
    ///   - keyHash: SHA-256 of the computer's key for the bridge; nil: any, with `ws://`.
    public init(address: URL, keyHash: [UInt8]? = nil, time: any TimeSource = .system) {
        self.address = address
        self.keyHash = keyHash
        self.time = time
    }

    /// Each socket that could be opened. Ending the stream's reader ends the last and the trying.
    public func links() -> AsyncStream<any Link> {
        let (stream, continuation) = AsyncStream.makeStream(of: (any Link).self, bufferingPolicy: .bufferingNewest(1))
        let task = Task { [address, keyHash, time] in
            var backoff = Backoff(steps: [1, 2, 4, 8, 16, 30].map { .seconds($0) })
            repeat {
                var configuration = WebSocketConfiguration()
                configuration.keepAliveInterval = .seconds(25)
                if let keyHash { configuration.trust = .publicKey(sha256: keyHash) }
                guard let socket = try? await WebSocketConnection.connect(to: address, configuration: configuration)
                else { continue }
                let link = BridgeLink(socket) {}
                continuation.yield(link)
                for await message in socket.messages { link.deliver(message.bytes) }
                link.end()
                // One that worked: the next try begins anew.
                if link.isProven { backoff.reset() }
            } while await time.pause(for: backoff.next())
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return stream
    }
}
