import Foundation
package import SignalingServer

/// The signaling server of a computer, for its own network.
package protocol OwnServer: Sendable {
    /// Runs until shutdown or cancellation.
    func run() async throws
    /// The port, once it is bound.
    func boundPort() async throws -> Int
    /// Whether the device of this id is connected from near this computer.
    func isLocal(_ id: String) -> Bool
    /// SHA-256 of the certificate in use; nil without TLS.
    var certificateHash: [UInt8]? { get }
    func reloadCertificates() throws
}

extension SignalingServer: OwnServer {}
