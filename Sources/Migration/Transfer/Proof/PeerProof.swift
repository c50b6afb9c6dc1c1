import Crypto
import Foundation
import Sealing

/// One run of the exchange that proves both phones to each other by the PIN: CPace, then a confirmation tag each way.
///
/// The source is the initiator, whichever side dialled. Associated data names the role, so that a message sent back to its sender proves nothing.
public struct PeerProof: Sendable {
    /// The message to send first.
    public var share: [UInt8] { exchange.share }

    private let role: MigrationRole
    private let peerData: [UInt8]
    private let exchange: CPace
    private var agreement: CPaceAgreement?

    /// - Parameters:
    ///   - secret: The PIN's six digits, or the resumption key.
    ///   - own, peer: The handshakes as they travelled; both nonces make the session's id of CPace.
    /// - Throws: ``MigrationTransferError/sameRole``, ``MigrationTransferError/malformedMessage(what:)``.
    public init(method: AuthPIN.Method, secret: [UInt8], own: Handshake, peer: Handshake) throws(MigrationTransferError)
    {
        let isSource = own.role == .source
        let sessionID = try Handshake.exchangeID(source: isSource ? own : peer, target: isSource ? peer : own)
        role = own.role
        peerData = Self.associatedData(peer)
        do {
            exchange = try CPace(
                role: isSource ? .initiator : .responder,
                password: secret,
                channel: Array("mystory/mig/2/\(method.rawValue)".utf8),
                sessionID: sessionID,
                associatedData: Self.associatedData(own)
            )
        } catch {
            throw .peerNotProven
        }
    }

    /// Takes the peer's share and gives the tag to send.
    ///
    /// - Throws: ``MigrationTransferError/peerNotProven`` for a share of low order, of a wrong length or of our own making.
    public mutating func take(share peerShare: [UInt8]) throws(MigrationTransferError) -> [UInt8] {
        guard peerShare != share, agreement == nil else { throw .peerNotProven }
        do {
            let agreed = try exchange.agree(
                peerShare: peerShare,
                peerAssociatedData: peerData
            )
            agreement = agreed
            return agreed.ownTag
        } catch {
            throw .peerNotProven
        }
    }

    /// Checks the peer's tag and gives the keys. Nothing but the exchange may be sent before.
    ///
    /// - Throws: ``MigrationTransferError/peerNotProven``.
    public func take(tag: [UInt8]) throws(MigrationTransferError) -> ChannelKeys {
        guard let agreement else { throw .peerNotProven }
        do {
            try agreement.confirm(peerTag: tag)
        } catch {
            throw .peerNotProven
        }
        return ChannelKeys(agreed: agreement.key, transcript: agreement.transcript, role: role)
    }

    /// What a side says of itself in clear: proving it with the share keeps an attacker from changing the version on the way.
    private static func associatedData(_ handshake: Handshake) -> [UInt8] {
        Array("\(handshake.role.rawValue)/\(handshake.protocolVersion)".utf8)
    }
}
