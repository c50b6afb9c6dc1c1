import Sealing

/// The exchange that proves both phones after a QR code was scanned: `Noise_IKpsk1` from the old phone to the new one, whose static key is the code's.
///
/// The first message shows that its sender knows the code's secret, the second one that its sender holds the code's key. Both handshakes in clear are in the
/// prologue, so that a message of another run proves nothing.
struct CodeProof: Sendable {
    private var noise: NoiseHandshake

    /// The old phone's end.
    ///
    /// - Throws: ``MigrationTransferError/peerNotProven``.
    init(scanned code: MigrationCode, own: Handshake, peer: Handshake) throws(MigrationTransferError) {
        do {
            // The old phone has no key that the new one could know, so it makes one for this run.
            noise = try NoiseHandshake(
                pattern: .IKpsk1,
                role: .initiator,
                prologue: try Self.prologue(source: own, target: peer),
                identity: Identity(),
                remote: code.publicKey,
                psk: Self.psk(code.secret)
            )
        } catch {
            throw .peerNotProven
        }
    }

    /// The new phone's end.
    ///
    /// - Throws: ``MigrationTransferError/peerNotProven``.
    init(
        shown secret: [UInt8],
        identity: Identity,
        own: Handshake,
        peer: Handshake
    ) throws(MigrationTransferError) {
        do {
            noise = try NoiseHandshake(
                pattern: .IKpsk1,
                role: .responder,
                prologue: try Self.prologue(source: peer, target: own),
                identity: identity,
                psk: Self.psk(secret)
            )
        } catch {
            throw .peerNotProven
        }
    }

    /// - Throws: ``MigrationTransferError/peerNotProven``.
    mutating func write() throws(MigrationTransferError) -> [UInt8] {
        do { return try noise.write { _ in [] } } catch { throw .peerNotProven }
    }

    /// - Throws: ``MigrationTransferError/peerNotProven``.
    mutating func read(_ message: [UInt8]) throws(MigrationTransferError) {
        do { _ = try noise.read(message) } catch { throw .peerNotProven }
    }

    /// The keys, after both messages.
    ///
    /// - Throws: ``MigrationTransferError/peerNotProven``.
    mutating func finish(role: MigrationRole) throws(MigrationTransferError) -> ChannelKeys {
        do {
            let keys = try noise.finish()
            return ChannelKeys(
                agreed: keys.export("mystory/mig/2/qr", count: 64),
                transcript: keys.handshakeHash,
                role: role
            )
        } catch {
            throw .peerNotProven
        }
    }

    private static func psk(_ secret: [UInt8]) -> [UInt8] { Hashing.sha256(Array("mystory/mig/2/psk".utf8) + secret) }

    private static func prologue(source: Handshake, target: Handshake) throws(MigrationTransferError) -> [UInt8] {
        let id = try Handshake.exchangeID(source: source, target: target)
        return LengthValue.concatenate([
            Array("mystory/mig/2/qr".utf8), id, Array("\(source.protocolVersion)/\(target.protocolVersion)".utf8),
        ])
    }
}
