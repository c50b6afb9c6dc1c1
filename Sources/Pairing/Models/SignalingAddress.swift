public import Foundation
import Transport

/// The address of a signaling server: `wss:` anywhere, `ws:` only on this machine or its own network, because there a
/// stranger far away cannot listen.
public struct SignalingAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address as checked: `ws:` or `wss:`, with a host.
    public let url: URL

    /// - Throws: ``PairingError/unsafeAddress(_:)`` for another scheme, a host out on the internet without TLS, a
    ///   password in the address, or more than 512 bytes.
    public init(_ text: String) throws(PairingError) {
        guard text.utf8.count <= 512, let url = URL(string: text), let host = url.host(percentEncoded: false),
            !host.isEmpty, url.user == nil, url.password == nil, url.fragment == nil
        else { throw .unsafeAddress(PeerText.name(text)) }
        switch url.scheme?.lowercased() {
        case "wss": break
        case "ws" where LocalAddresses.isLocal(host): break
        default: throw .unsafeAddress(PeerText.name(text))
        }
        self.url = url
    }

    /// Whether the server is on this machine or its own network.
    public var isLocal: Bool { LocalAddresses.isLocal(url.host(percentEncoded: false) ?? "") }

    public var description: String { url.absoluteString }
}
