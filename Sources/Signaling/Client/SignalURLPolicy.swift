public import Foundation
import Transport

/// Which servers a client dials. Source: `docs/protocol.md` 1.1: plain sockets are for the local network.
public struct SignalURLPolicy: Hashable, Sendable {
    /// Set by the person, for a test setup: `ws://` to any host.
    public var allowsPlainAnywhere: Bool

    public init(allowsPlainAnywhere: Bool = false) {
        self.allowsPlainAnywhere = allowsPlainAnywhere
    }

    /// Whether this address may be dialled.
    ///
    /// - Throws: ``SignalError`` saying what is wrong with it.
    public func check(_ url: URL) throws(SignalError) {
        guard let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty else {
            throw .unsupportedURL(url.absoluteString)
        }
        switch url.scheme?.lowercased() {
        case "wss": return
        case "ws":
            guard allowsPlainAnywhere || LocalAddresses.isLocal(host) else { throw .insecureURL(host: host) }
        default: throw .unsupportedURL(url.absoluteString)
        }
    }
}
