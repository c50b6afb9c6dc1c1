public import Foundation
import Transport

/// The rule for which servers a client dials. Source: `docs/protocol.md` 1.1: plain sockets are for the local network.
public struct SignalURLPolicy: Hashable, Sendable {
    /// Whether `ws://` is allowed to any host. The person sets it for a test setup.
    public var allowsPlainAnywhere: Bool

    public init(allowsPlainAnywhere: Bool = false) {
        self.allowsPlainAnywhere = allowsPlainAnywhere
    }

    /// Checks that this address may be dialled.
    ///
    /// - Throws: ``SignalError`` that says what is wrong with it.
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
